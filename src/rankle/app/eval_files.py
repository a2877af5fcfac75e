"""Files of evals: which are meant, and what they define.

A file is loaded as a module of its own name, anew each time. Its folder and the project's folder come first
on `sys.path`, so that it may import what stands beside it and what the project holds; they stay there, since
tasks import too. Within a package, below folders with an `__init__.py`, it is a module of that package, so
that relative imports work, and the folder that holds the outermost package comes on `sys.path`.
"""

import importlib
import importlib.util
import linecache
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Final

from rankle.app.eval_discovery import PATTERNS, eval_files_below
from rankle.core.errors import InputError, UnknownNameError, nearest
from rankle.core.evals import BrokenFile
from rankle.core.product import NAME
from rankle.harness.evals.failures import error_report
from rankle.harness.evals.keys import eval_key, relative_file
from rankle.harness.evals.suite import Suite, collecting

DEFAULT_FOLDER: Final = "evals"
_SEPARATOR: Final = "::"
_EXAMPLE: Final = f". An example to begin with is made by: {NAME} init"
_SETS: Final = frozenset({".jsonl", ".json", ".csv", ".tsv", ".parquet"})
"""What files of queries with judgments end in."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was named."""

    files: tuple[Path, ...]
    """Absolute, each once; in the order in which they were named, and by path within a folder."""
    names: tuple[str, ...] = ()
    """Keys of the evals that were named, `path::name`."""


@dataclass(frozen=True, slots=True)
class LoadedFiles:
    """What files define."""

    suites: tuple[Suite, ...]
    broken: tuple[BrokenFile, ...]
    without_evals: tuple[str, ...]
    """Files that define no eval, relative to the project's folder."""


def find_eval_files(paths: Sequence[str], *, root: Path, cwd: Path | None = None) -> Found:
    """The files that are meant by paths of files and folders, and by `path::name`.

    paths: relative to `cwd`, the current folder; without any, `evals` there, else the folder itself.
    root: the project's folder, absolute.
    Raises InputError where a path does not exist, is no Python file, or leads to no file of evals.
    """
    here = (cwd or Path.cwd()).absolute()
    if not paths:
        folder = here / DEFAULT_FOLDER if (here / DEFAULT_FOLDER).is_dir() else here
        return Found(tuple(_below(folder, shown=relative_file(folder, root=here))))
    files: dict[Path, None] = {}
    names: dict[str, None] = {}
    for given in paths:
        named, _, name = given.partition(_SEPARATOR)
        path = _normal(here / Path(named).expanduser())
        found = _named(path, given=named)
        files.update(dict.fromkeys(found))
        if _SEPARATOR in given:
            names.update(dict.fromkeys(_key(name, path, given=given, root=root)))
    return Found(tuple(files), tuple(names))


def load_eval_files(found: Found, *, root: Path) -> LoadedFiles:
    """The evals of all files in order, and the files that could not be loaded.

    Raises UnknownNameError where an eval was named that its file does not define.
    """
    suites: list[Suite] = []
    broken: list[BrokenFile] = []
    empty: list[str] = []
    for path in found.files:
        shown = relative_file(path, root=root)
        try:
            defined = load_eval_file(path, root=root)
        except Exception as error:  # noqa: BLE001 - of the user's code: it is told, and others are loaded
            broken.append(BrokenFile(file=shown, error=error_report(error)))
            continue
        suites += defined
        if not defined:
            empty.append(shown)
    _check_names(found.names, suites, broken=[one.file for one in broken], root=root)
    return LoadedFiles(tuple(suites), tuple(broken), tuple(empty))


def load_eval_file(path: Path, *, root: Path) -> list[Suite]:
    """The evals that a file defines, in their order; not those of files that it imports.

    Raises whatever its code raises; where that would end the process, InputError.
    """
    file = str(path)
    linecache.checkcache(file)
    try:
        with collecting(file) as made:
            _run(path, root=root)
    except SystemExit as error:
        shown = relative_file(path, root=root)
        raise InputError(
            f"{shown} ends the process while it is loaded, by sys.exit({error.code!r}); put what is to run "
            'as a script below: if __name__ == "__main__":'
        ) from error
    return [suite for suite in made if suite.place is not None and suite.place.file == file]


def _run(path: Path, *, root: Path) -> None:
    spec = _spec(path, root=root)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    assert spec.loader is not None
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise


class _FreshLoader(SourceFileLoader):
    """Compiles the file as it is now: what Python keeps compiled goes by seconds, and edits are quicker."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the name of the protocol
        return self.source_to_code(self.get_data(self.path), self.path)


def _spec(path: Path, *, root: Path) -> ModuleSpec:
    packages = packages_of(path)
    for folder in (root, packages[-1].parent if packages else path.parent):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    if packages:
        package = ".".join(folder.name for folder in reversed(packages))
        importlib.import_module(package)
        name = f"{package}.{path.stem}"
    else:  # files of one name in several folders are several modules
        name = f"{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_FreshLoader(name, str(path)))
    assert spec is not None
    return spec


def packages_of(path: Path) -> list[Path]:
    """The folders around a file that are packages, from the inside; none where its name is no name."""
    found: list[Path] = []
    for folder in path.parents:
        if not (folder / "__init__.py").is_file() or not folder.name.isidentifier():
            break
        found.append(folder)
    return found


def _named(path: Path, *, given: str) -> list[Path]:
    if path.is_dir():
        return _below(path, shown=given)
    if not path.exists():
        raise InputError(f"no such file or folder: {given}{_near(path, given)}")
    if path.suffix != ".py":
        measured = f". An eval set is measured with: rankle eval {given}" if _may_be_set(path) else ""
        raise InputError(f"{given} is no Python file; evals stand in files such as search_eval.py{measured}")
    return [path]


def _below(folder: Path, *, shown: str) -> list[Path]:
    found = eval_files_below(folder)
    if not found:
        where = "the current folder" if shown in (".", "") else shown
        sets = [path.name for path in sorted(folder.iterdir()) if _may_be_set(path)]
        measured = (
            f". An eval set is measured with: rankle eval {Path(shown) / sets[0]}" if sets else _EXAMPLE
        )
        raise InputError(
            f"no file of evals in {where}: they are called {' or '.join(PATTERNS)}. "
            f"Name other files one by one{measured}"
        )
    return found


def _may_be_set(path: Path) -> bool:
    return path.suffix in _SETS


def _near(path: Path, given: str) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_dir() or entry.suffix == ".py"]
    except OSError:
        return ""
    found = nearest(path.name, names, limit=1)
    return f"; did you mean {Path(given).with_name(found[0])}?" if found else ""


def _key(name: str, path: Path, *, given: str, root: Path) -> list[str]:
    if not name or path.is_dir():
        raise InputError(f"{given}: one eval is named as FILE{_SEPARATOR}NAME")
    return [f"{relative_file(path, root=root)}{_SEPARATOR}{name}"]


def _normal(path: Path) -> Path:
    """Absolute and without `..`, so that a file has one path however it was named."""
    return path.resolve() if ".." in path.parts else path


def _check_names(names: Iterable[str], suites: Sequence[Suite], *, broken: Sequence[str], root: Path) -> None:
    known = [eval_key(suite, root=root) for suite in suites]
    known += [eval_key(suite, variant, root=root) for suite in suites for variant in suite.variants]
    for name in names:
        file, _, own = name.partition(_SEPARATOR)
        if name not in known and file not in broken:
            ours = [key for key in dict.fromkeys(known) if key.startswith(f"{file}{_SEPARATOR}")]
            there = [key.partition(_SEPARATOR)[2] for key in ours]
            hint = f"It has: {', '.join(there)}" if there else "It has none"
            raise UnknownNameError(what=f"eval in {file}:", name=own, known=there, hint=hint)
