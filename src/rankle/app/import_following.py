"""Sees which files of a project its code reads: the modules that it imports, and the files that it opens.

It looks on while the code runs, so that an import within a function, by a name that is computed, or of a
module that was loaded before is seen too. It is for a process of its own: what looks on stays to its end.
"""

import builtins
import importlib
import importlib.util
import inspect
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final

from rankle.app.eval_discovery import is_outside_code

_OWN: Final = f"{Path(__file__).resolve().parent.parent}{os.sep}"
_WRITING: Final = os.O_WRONLY | os.O_RDWR


class Following:
    """What files of a project read of each other, by real paths."""

    def __init__(self, root: Path) -> None:
        """root: the project's folder; what is not below it is not looked at."""
        self._root = f"{root.resolve()}{os.sep}"
        self._imports: defaultdict[str, set[str]] = defaultdict(set)
        self._opened: defaultdict[str, set[str]] = defaultdict(set)
        self._seen: set[tuple[object, ...]] = set()
        self.written: set[str] = set()
        """Files that were opened to be written, or put in the place of another."""
        self.ours = cache(self._ours)

    def begin(self) -> None:
        """Look on from now to the end of the process."""
        _see_imports(self)
        sys.addaudithook(self._audit)

    def imported(self, importer: str, names: Iterable[str]) -> None:
        """Take note of modules, by their whole names, that a file imported; those that are not loaded are
        passed over."""
        own = self.ours(importer)
        if own is None:
            return
        for name in names:
            file = _file_of(sys.modules.get(name))
            found = None if file is None else self.ours(file)
            if found is not None:
                self._imports[own].add(found)

    def loaded(self) -> frozenset[str]:
        """Files of the project that are loaded as modules."""
        files = (_file_of(module) for module in tuple(sys.modules.values()))
        return frozenset(found for file in files if file is not None and (found := self.ours(file)))

    def reached(self, start: Iterable[str]) -> frozenset[str]:
        """Files that these read, directly and by what they import, themselves included."""
        waiting = [found for file in start if (found := self.ours(file)) is not None]
        reached: set[str] = set()
        while waiting:
            file = waiting.pop()
            if file not in reached:
                reached.add(file)
                waiting += tuple(self._imports.get(file, ()))
                waiting += [one for one in tuple(self._opened.get(file, ())) if one not in self.written]
        return frozenset(reached)

    def statement(
        self, given: Mapping[str, Any], name: str, fromlist: Sequence[str] | None, level: int
    ) -> None:
        """Take note of a statement of import. given: the globals of the module that it stands in."""
        importer = given.get("__file__")
        if not isinstance(importer, str) or self.ours(importer) is None:
            return
        key = (importer, name, tuple(fromlist or ()), level)
        if key in self._seen:
            return
        self._seen.add(key)
        whole = name
        if level:
            package = given.get("__package__") or getattr(given.get("__spec__"), "parent", None)
            if not package:  # Python goes by the name of the module then, and says that nobody should
                return
            whole = importlib.util.resolve_name("." * level + name, package)
        self.imported(importer, [*_with_parents(whole), *(f"{whole}.{one}" for one in fromlist or ())])

    def _ours(self, file: str) -> str | None:
        real = os.path.realpath(file)
        if not real.startswith(self._root) or is_outside_code(Path(real[len(self._root) :])):
            return None
        return real

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = args
            if isinstance(path, str | os.PathLike):
                self._open(os.fspath(path), mode, flags)
        elif event == "os.rename":  # of os.replace too
            self._note_written(args[1])

    def _open(self, path: str | bytes, mode: str | None, flags: int) -> None:
        if isinstance(path, bytes):
            return
        if flags & _WRITING or (mode is not None and not set(mode).isdisjoint("wax+")):
            self._note_written(path)
            return
        found = self.ours(str(Path(path).absolute()))  # code may change the current folder
        reader = self.reader(inspect.currentframe()) if found is not None else None
        if found is not None and reader is not None:
            self._opened[reader].add(found)

    def _note_written(self, path: Any) -> None:
        if isinstance(path, str | os.PathLike):
            found = self.ours(str(Path(os.fsdecode(path)).absolute()))
            if found is not None:
                self.written.add(found)

    def reader(self, frame: FrameType | None) -> str | None:
        """The nearest file of the project that is at work, from a frame outwards; none of rankle's own."""
        while frame is not None:
            file = frame.f_code.co_filename
            found = None if file.startswith(("<", _OWN)) else self.ours(file)
            if found is not None:
                return found
            frame = frame.f_back
        return None


def _see_imports(following: Following) -> None:
    by_statement, by_call = builtins.__import__, importlib.import_module

    def statement(
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - as Python calls them
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        module = by_statement(name, globals, locals, fromlist or (), level)
        if globals is not None:
            following.statement(globals, name, fromlist, level)
        return module

    def call(name: str, package: str | None = None) -> ModuleType:
        module = by_call(name, package)
        frame = inspect.currentframe()
        importer = following.reader(frame.f_back if frame is not None else None)
        if importer is not None:
            following.imported(importer, _with_parents(module.__name__))
        return module

    builtins.__import__ = statement
    importlib.import_module = call


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:n]) for n in range(1, len(parts) + 1))


def _file_of(module: object) -> str | None:
    try:  # past what loads a lazy module once it is asked for anything
        file = object.__getattribute__(module, "__dict__").get("__file__")
    except AttributeError:
        return None
    return file if isinstance(file, str) else None
