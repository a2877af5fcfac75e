"""Fingerprints of tasks: what a task is made of, so that a changed one is known.

What counts: the syntax of the function (not its comments, its layout or its decorators), its defaults, the
plain values that it closes over, and the plain values, functions and classes of its own file that it names,
and so on from there; and all that `depends_on` lists: paths, modules, functions, plain values, and objects
with a method `fingerprint`, such as a knowledge base. Of a cacheable task the objects that it names are asked
for theirs too. What nobody can see from the function: code of other modules, objects with a state of their
own such as clients, what a decorator does, the environment, files and services. `depends_on` is for these.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from rankle.core.canonical import Json, fingerprint
from rankle.core.errors import InputError
from rankle.harness.evals.code_reading import CodeReading, own_fingerprint
from rankle.harness.evals.data import find_data
from rankle.harness.evals.stable import stable_bytes
from rankle.harness.evals.suite import Suite
from rankle.harness.evals.variant import Variant

_NO_CONTENT: Final = ("__pycache__",)


@dataclass(frozen=True, slots=True)
class TaskReading:
    """What is seen of a task."""

    fingerprint: str
    """SHA-256 over all of it, 64 hex digits."""
    unseen: tuple[str, ...]
    """Names that the task uses and whose changes the fingerprint does not tell, as far as that is known."""


def read_task(suite: Suite, *, variant: Variant | None, root: Path) -> TaskReading:
    """Read what a task is made of.

    root: the project's folder; paths in `depends_on` are from the folder of the eval's file, else from there.
    An object that is asked for its fingerprint may raise what it wants.
    Raises InputError where an entry of `depends_on` leads nowhere or is not the same in every run.
    """
    reading = CodeReading(root, asks_objects=suite.cacheable)
    found: Json = {
        "task": reading.callable(suite.task),
        "variant": None if variant is None else [variant.name, reading.value(variant.input)],
        "depends_on": [_dependency(one, suite, root=root, reading=reading) for one in suite.depends_on],
    }
    return TaskReading(fingerprint(found), tuple(reading.unseen))


def _dependency(given: Any, suite: Suite, *, root: Path, reading: CodeReading) -> Json:
    if isinstance(given, str | os.PathLike):
        try:
            return _content(find_data(Path(given), suite=suite, root=root))
        except InputError as error:
            hint = 'Text in depends_on is a path; a value stands in a dict: {"name": value}'
            raise InputError(f"{error}. {hint}") from error
    if isinstance(given, ModuleType):
        return _module(given, suite)
    if callable(given):
        return reading.callable(given)
    own = own_fingerprint(given)
    if own is not None:
        return own
    try:
        return stable_bytes(given).decode()
    except InputError as error:
        raise InputError(f'depends_on of eval "{suite.name}" {error}') from error


def _module(given: ModuleType, suite: Suite) -> Json:
    """Of a module its file, of a package all of its folder."""
    file = getattr(given, "__file__", None)
    if file is None:
        raise InputError(f'depends_on of eval "{suite.name}" has {given.__name__}, a module of no file')
    return _content(Path(file).parent if Path(file).stem == "__init__" else Path(file))


def _content(path: Path) -> Json:
    """Of a file its content, of a folder that of all files, by their names below it; hidden ones are not."""
    if path.is_file():
        return _digest(path)
    found: dict[str, Json] = {}
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _NO_CONTENT)
        for name in sorted(files):
            file = Path(folder, name)
            if not name.startswith(".") and file.is_file():
                found[file.relative_to(path).as_posix()] = _digest(file)
    return found


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
