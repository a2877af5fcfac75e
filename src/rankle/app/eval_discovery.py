"""Finds files of evals below a folder, and the folders that may hold code of the project."""

import fnmatch
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from rankle.core.errors import InputError
from rankle.kb.ignore_rules import IgnoreRules, is_ignored, rules_above, rules_of

PATTERNS: Final = ("*_eval.py", "eval_*.py")
_IGNORE_FILES: Final = (".gitignore",)
_NOT_ENTERED: Final = ("node_modules", "__pycache__", "site-packages")
_BEIR: Final = "queries.jsonl"
"""What a folder holds that is an eval set."""
_ENVIRONMENT_SIGNS: Final = ("pyvenv.cfg", "conda-meta")


def is_eval_file(name: str) -> bool:
    """Whether a file is one of evals by its name."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in PATTERNS)


def eval_files_below(root: Path) -> list[Path]:
    """The files of evals below an absolute folder, in the order of their paths.

    Hidden folders, those that git ignores, virtual environments, worktrees of git, `node_modules` and links
    to folders are not entered; the root is, whatever it is. Raises InputError where a folder cannot be read.
    """
    return [path for folder in folders_below(root) for path in folder.eval_files]


def check_is_no_code(path: Path) -> None:
    """Raises InputError where what stands for an eval set is evals that are code, with how these are run."""
    run = f"evals that are code are run with: rankle run {path}"
    if path.suffix == ".py" and path.is_file():
        raise InputError(f"{path} is Python, and no set of queries with judgments; {run}")
    if path.is_dir() and not (path / _BEIR).exists() and eval_files_below(path.absolute()):
        raise InputError(f"{path} is a folder of evals, and no set of queries with judgments; {run}")


@dataclass(frozen=True, slots=True)
class ProjectFolder:
    """A folder that may hold code of the project."""

    path: Path
    eval_files: tuple[Path, ...]
    """Those right in it, in the order of their names."""


def folders_below(root: Path, *, passing_over: bool = False) -> list[ProjectFolder]:
    """An absolute folder and those below it that are entered, each before what is in it.

    passing_over: whether to leave out folders that cannot be read; else InputError is raised.
    """
    try:
        above = [one for one in rules_above(root, _IGNORE_FILES) if not one.verdict(root, is_folder=True)]
        return list(_walk(root, tuple(above), passing_over=passing_over))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}. Make it readable") from error


def is_outside_code(relative: PurePath) -> bool:
    """Whether a path below the project leads through a folder that is never entered, by its name."""
    return any(part.startswith(".") or part in _NOT_ENTERED for part in relative.parent.parts)


def _walk(folder: Path, rules: tuple[IgnoreRules, ...], *, passing_over: bool) -> Iterator[ProjectFolder]:
    try:
        rules = (*rules, *rules_of(folder, _IGNORE_FILES))
        with os.scandir(folder) as listing:  # knows kinds without asking for each file
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        if passing_over:
            return
        raise
    named = [Path(entry.path) for entry in entries if is_eval_file(entry.name) and entry.is_file()]
    kept = tuple(path for path in named if not is_ignored(path, rules, is_folder=False))
    yield ProjectFolder(folder, kept)
    for entry in entries:
        path = Path(entry.path)
        if not entry.is_dir(follow_symlinks=False) or _is_foreign(path):
            continue
        if not is_ignored(path, rules, is_folder=True):
            yield from _walk(path, rules, passing_over=passing_over)


def _is_foreign(folder: Path) -> bool:
    """Whether a folder holds no code of the project."""
    if folder.name.startswith(".") or folder.name in _NOT_ENTERED:
        return True
    return any((folder / sign).exists() for sign in _ENVIRONMENT_SIGNS) or _is_worktree(folder)


def _is_worktree(folder: Path) -> bool:
    """Whether another branch of a repository is checked out here: its `.git` is a file that says so."""
    git = folder / ".git"
    if not git.is_file():
        return False
    leads_to = git.read_text(encoding="utf-8", errors="replace").partition("gitdir:")[2].strip()
    return Path(leads_to).parent.name == "worktrees"  # of a submodule it is `modules`
