"""Fingerprints of the files a system is made of, so that results of other code are not taken for its own."""

import hashlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from rankle.core.canonical import fingerprint
from rankle.core.product import NAME

_LARGEST: Final = 2**20
"""Bytes of a file that is read; of a larger one, its size and time must do."""

_INSTALLED: Final = ("stdlib", "platstdlib", "purelib", "platlib")
"""Folders of modules, by their names in sysconfig; not "data", which may hold a whole /usr/src/app."""


def code_of_module(name: str, folder: Path) -> str:
    """Fingerprint of the files of a module that is imported: its package, and whatever of the folder it has
    imported with it. What is installed beside it is left out."""
    package = name.partition(".")[0]
    found = {}
    for each, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str):
            continue
        path = Path(file)
        own = each.partition(".")[0]
        if own == package or (own != NAME and folder in path.parents and not _is_installed(path)):
            found[each] = path
    return _fingerprint(found.items())


def code_of_command(arguments: Sequence[str], folder: Path) -> str:
    """Fingerprint of the files that a command names: a program by its path, its script, its settings."""
    return _fingerprint((each, folder / each) for each in arguments)


def _is_installed(path: Path) -> bool:
    """Whether it is of Python or of a package, which an environment within the folder holds too."""
    return any(Path(sysconfig.get_path(place)) in path.parents for place in _INSTALLED)


def _fingerprint(files: Iterable[tuple[str, Path]]) -> str:
    return fingerprint(sorted(_told(files)))


def _told(files: Iterable[tuple[str, Path]]) -> Iterator[list[str]]:
    for name, path in files:
        try:
            if path.is_file():
                yield [name, _state(path)]
        except (OSError, ValueError):  # it went, may not be read, or is an argument that can be no name
            continue


def _state(path: Path) -> str:
    stat = path.stat()
    if stat.st_size > _LARGEST:
        return f"{stat.st_size} {stat.st_mtime_ns}"
    return hashlib.sha256(path.read_bytes()).hexdigest()
