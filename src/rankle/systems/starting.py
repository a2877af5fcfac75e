"""Why a program could not be started, and what to write in its place."""

import errno
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from rankle.core.errors import InputError


def check_program(command: str, folder: Path, environ: Mapping[str, str]) -> None:
    """Raises InputError where the program of a command is not there; nothing is started.

    command: as it can be opened. folder: where it runs, which relative paths are relative to.
    """
    arguments = shlex.split(command)
    name = arguments[0] if arguments else ""
    is_there = (folder / name).exists() if "/" in name else shutil.which(name, path=environ.get("PATH"))
    if not is_there:
        raise not_started(arguments or [""], folder, FileNotFoundError())


def not_started(arguments: Sequence[str], folder: Path, error: OSError) -> InputError:
    """What is told of a program that could not be started."""
    why = why_not_started(arguments, folder, error)
    return InputError(f'the command "{arguments[0]}" cannot be started in {folder}: {why}')


def why_not_started(arguments: Sequence[str], folder: Path, error: OSError) -> str:
    """folder: where it was to run, which relative paths are relative to."""
    name = arguments[0]
    path = folder / name
    if not name:
        return "its name is empty"
    if "/" in name and path.is_dir():
        return "it is a folder"
    if isinstance(error, FileNotFoundError):
        return _not_found(arguments, folder)
    if isinstance(error, PermissionError) and path.is_file():
        return f"it is no program that may be run; allow it: chmod +x {shlex.quote(name)}"
    if error.errno == errno.ENOEXEC:
        return f"its first line (#!) does not say what runs it; say it: command:sh {shlex.quote(name)}"
    return error.strerror or str(error)


def _not_found(arguments: Sequence[str], folder: Path) -> str:
    name = arguments[0]
    if not folder.is_dir():
        return "that folder is not there"
    if "/" not in name:
        here = f"; that of the folder is ./{name}" if (folder / name).is_file() else ""
        return f"there is no program of that name on PATH{here}"
    if (folder / name).is_file():
        return "what its first line names (#!) is not there"
    spaced = next(
        (
            words
            for n in range(2, len(arguments) + 1)
            if (folder / (words := " ".join(arguments[:n]))).is_file()
        ),
        None,
    )
    return "there is no such file" + (f"; a name with spaces stands in quotes: '{spaced}'" if spaced else "")
