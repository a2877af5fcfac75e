"""Which files of a folder are documents: ignore files honoured, hidden files passed over."""

import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError, nearest
from rankle.kb.ignore_rules import IgnoreRules, is_ignored, rules_above, rules_of
from rankle.kb.parse.kinds import kind_of

IGNORE_FILES: Final = (".gitignore", ".rankleignore")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file that looks like a document."""

    path: Path
    """Absolute."""
    relative: str
    """Path below the root with forward slashes, NFC; the file's own name where the root is a file."""


@dataclass(slots=True)
class Listing:
    """What a root holds."""

    files: list[FoundFile] = field(default_factory=list)
    """Ascending by relative path."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Files of no known kind, by suffix."""
    n_ignored: int = 0
    """Files and folders that an ignore file or a leading dot excluded."""
    unreadable: list[tuple[Path, str]] = field(default_factory=list)
    """Folders that could not be listed, and why."""


def list_files(root: Path) -> Listing:
    """All documents below an absolute folder, or the one file. Raises InputError where there is neither."""
    listing = Listing()
    if root.is_file():
        if kind_of(root.name) is None:
            listing.unknown[root.suffix or root.name] += 1
        else:
            listing.files.append(FoundFile(root, relative_name(root, root.parent)))
        return listing
    if not root.is_dir():
        raise InputError(f"{root} does not exist{_near(root)} Name a folder or a file that holds documents")
    try:
        rules = tuple(
            rule for rule in rules_above(root, IGNORE_FILES) if rule.verdict(root, is_folder=True) is not True
        )
    except OSError as error:  # going on would index what the ignore file's author meant to keep out
        raise InputError(f"{error.filename} cannot be read: {error.strerror}. Make it readable") from error
    _walk(root, rules, root=root, listing=listing)
    listing.files.sort(key=lambda found: found.relative)
    return listing


def _near(path: Path) -> str:
    """What beside a path has a name like it, as the middle of a sentence; a full stop where nothing has."""
    try:
        found = nearest(path.name, [each.name for each in path.parent.iterdir()], limit=1)
    except OSError:  # the folder above is not there either
        found = ()
    return f'; did you mean "{path.with_name(found[0])}"?' if found else "."


def _walk(folder: Path, rules: tuple[IgnoreRules, ...], *, root: Path, listing: Listing) -> None:
    try:
        # Whether an entry is a folder is asked here, since a folder may be listed, yet not entered.
        entries = sorted((entry.name, entry, _is_folder(entry)) for entry in folder.iterdir())
        rules = (*rules, *rules_of(folder, IGNORE_FILES))
    except OSError as error:
        listing.unreadable.append((folder, error.strerror or str(error)))
        return
    for _name, entry, is_folder in entries:
        if entry.name.startswith(".") or is_ignored(entry, rules, is_folder=is_folder):
            listing.n_ignored += entry.name not in IGNORE_FILES
        elif is_folder:
            if not entry.is_symlink():  # a link to a folder may lead in circles
                _walk(entry, rules, root=root, listing=listing)
        elif _is_file(entry):
            if kind_of(entry.name) is None:
                listing.unknown[entry.suffix or entry.name] += 1
            else:
                listing.files.append(FoundFile(entry, relative_name(entry, root)))


def _is_folder(entry: Path) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        if entry.is_symlink():
            return False  # the link is what fails, not the folder that it stands in
        raise


def _is_file(entry: Path) -> bool:
    """Also a link that leads nowhere, so that it fails aloud when it is read."""
    try:
        return entry.is_file() or (entry.is_symlink() and not entry.exists())
    except OSError:
        return True


def relative_name(path: Path, folder: Path) -> str:
    """The path below the folder with forward slashes, composed (NFC).

    macOS hands out decomposed names; the same file must have the same id everywhere.
    """
    return unicodedata.normalize("NFC", path.relative_to(folder).as_posix())
