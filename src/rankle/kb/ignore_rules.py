"""Rules of ignore files: which files and folders git, or an ignore file of ours, leaves out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The lines of the ignore files of one folder."""

    folder: Path
    spec: "GitIgnoreSpec"

    def verdict(self, path: Path, *, is_folder: bool) -> bool | None:
        """True to ignore, False to keep although a rule above ignores, None where no line applies."""
        relative = path.relative_to(self.folder).as_posix()
        return self.spec.check_file(relative + "/" if is_folder else relative).include


def is_ignored(entry: Path, rules: tuple[IgnoreRules, ...], *, is_folder: bool) -> bool:
    """Whether rules, outermost first, leave an entry out."""
    ignored = False
    for rule in rules:  # the nearest folder has the last word
        verdict = rule.verdict(entry, is_folder=is_folder)
        if verdict is not None:
            ignored = verdict
    return ignored


def rules_above(root: Path, files: Sequence[str]) -> Iterator[IgnoreRules]:
    """The ignore files from a repository's top down to the root; none outside a repository.

    files: names of ignore files.
    """
    parents = list(root.parents)
    top = next((place for place, parent in enumerate(parents) if (parent / ".git").exists()), None)
    if top is None or (root / ".git").exists():
        return
    for parent in reversed(parents[: top + 1]):
        yield from rules_of(parent, files)


def rules_of(folder: Path, files: Sequence[str]) -> Iterator[IgnoreRules]:
    """The rules of one folder, if it has any. files: names of ignore files."""
    lines: list[str] = []
    for path in (*_exclude_files(folder), *(folder / name for name in files)):
        if path.is_file():
            lines += path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    lines = [line for line in lines if _is_pattern(line)]
    if lines:
        from pathspec import GitIgnoreSpec

        yield IgnoreRules(folder, GitIgnoreSpec.from_lines(lines))


def _exclude_files(folder: Path) -> Iterator[Path]:
    """Where git keeps the ignore rules that are not shared, for a repository with its top in `folder`."""
    git = folder / ".git"
    if git.is_file():  # a worktree or submodule: one line that says where the repository is
        git = folder / git.read_text(encoding="utf-8", errors="replace").partition("gitdir:")[2].strip()
        common = git / "commondir"
        if common.is_file():
            git = git / common.read_text(encoding="utf-8", errors="replace").strip()
    yield git / "info" / "exclude"


def _is_pattern(line: str) -> bool:
    """Whether the line can be read; git passes over one that cannot, such as a lone `!`."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
