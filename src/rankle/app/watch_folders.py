"""Tells what changes in the folders of a project, but not in those that hold no code of it."""

from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rankle.app.eval_discovery import folders_below
from rankle.core.errors import InputError

if TYPE_CHECKING:
    from watchfiles.main import FileChange

_QUIET_MS: Final = 50
"""Changes are taken together until nothing changed for so long,"""
_LONGEST_MS: Final = 500
"""but no longer than this."""
_TICK_MS: Final = 100

Changes = frozenset[str]
"""Real paths."""


def changes_below(
    roots: Iterable[Path], *, beside: Callable[[], Iterable[str]] = lambda: ()
) -> Iterator[Changes]:
    """What changed, each time something did, and nothing at all every tenth of a second in between.

    The first is empty, and comes once the watch is in place. Folders that come are watched from then on, and
    what is in them has changed. Each folder is watched by itself, so that ignored ones cost nothing.

    beside: asked now and then for files and folders that are to be watched though they are elsewhere.
    Raises InputError where there are more folders than the system watches.
    """
    places = tuple(roots)
    others = frozenset(beside())
    folders = _folders(places, others)
    watcher, told = _begun(folders)
    while True:
        yield frozenset(told)
        told = {path for _, path in next(watcher)}
        wished = frozenset(beside())
        if wished == others and not _bears_on_folders(told, folders):
            continue
        others = wished
        present = _folders(places, others)
        again = told & folders  # one that is put in the place of another of its name is watched no more
        if present == folders and not again:
            continue
        fresh, changed = _begun(present)  # in place before the other one goes, so that nothing is missed
        told |= changed | {path for _, path in next(watcher)}
        told |= {path for folder in (present - folders) | again for path in _files_in(folder)}
        watcher.close()
        watcher, folders = fresh, present


def _bears_on_folders(changed: Iterable[str], folders: frozenset[str]) -> bool:
    """Whether folders came or went, or others are ignored now."""
    return any(path in folders or Path(path).name == ".gitignore" or Path(path).is_dir() for path in changed)


def _folders(roots: Iterable[Path], others: Iterable[str]) -> frozenset[str]:
    """All folders to watch: those of the project, and those that hold other files or are named themselves."""
    wished = [Path(path) for path in others]
    below = [*(root for root in roots if root.is_dir()), *(path for path in wished if path.is_dir())]
    found = {str(one.path) for root in below for one in folders_below(root, passing_over=True)}
    return frozenset(found.union(str(path.parent) for path in wished if path.parent.is_dir()))


def _files_in(folder: str) -> list[str]:
    try:
        return [str(path) for path in Path(folder).iterdir() if path.is_file()]
    except OSError:  # gone again
        return []


def _begun(folders: frozenset[str]) -> "tuple[Generator[set[FileChange], None, None], set[str]]":
    """A watch that is in place, and what it has seen already."""
    from watchfiles import watch

    present = [folder for folder in sorted(folders) if Path(folder).is_dir()]
    watcher = watch(
        *present,
        watch_filter=None,
        step=_QUIET_MS,
        debounce=_LONGEST_MS,
        rust_timeout=_TICK_MS,
        yield_on_timeout=True,
        recursive=False,
    )
    try:
        return watcher, {path for _, path in next(watcher)}
    except FileNotFoundError:  # one that went just now
        return _begun(folders)
    except OSError as error:
        raise InputError(
            f"{len(present):,} folders cannot be watched: {error}. Put those without code of the project in "
            ".gitignore, or raise the system's limit of watches"
        ) from error
