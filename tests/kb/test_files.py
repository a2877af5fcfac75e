"""Which files of a folder are documents."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rankle.core.errors import InputError
from rankle.kb.files import list_files

_NOBODY = 65534


def _write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _names(root: Path) -> list[str]:
    return [found.relative for found in list_files(root).files]


def test_documents_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "a/b.html", "c.rst"):
        _write(tmp_path / name)
    assert _names(tmp_path) == ["a/b.html", "a/z.txt", "b.md", "c.rst"]


def test_files_of_no_known_kind_are_counted_by_suffix(tmp_path: Path) -> None:
    for name in ("a.md", "b.png", "c.png", "LICENSE"):
        _write(tmp_path / name)
    listing = list_files(tmp_path)
    assert _names(tmp_path) == ["a.md"]
    assert dict(listing.unknown) == {".png": 2, "LICENSE": 1}


def test_hidden_files_and_folders_are_passed_over_and_counted(tmp_path: Path) -> None:
    for name in ("a.md", ".b.md", ".git/c.md", "d/.e/f.md"):
        _write(tmp_path / name)
    assert _names(tmp_path) == ["a.md"]
    assert list_files(tmp_path).n_ignored == 3


def test_a_single_file_is_named_by_its_own_name(tmp_path: Path) -> None:
    assert _names(_write(tmp_path / "deep" / "guide.md")) == ["guide.md"]


def test_a_named_file_counts_although_it_is_hidden_or_ignored(tmp_path: Path) -> None:
    _write(tmp_path / ".gitignore", "*.md\n")
    assert _names(_write(tmp_path / "guide.md")) == ["guide.md"]


def test_a_root_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        list_files(tmp_path / "nothing")


@pytest.mark.parametrize("ignore_file", [".gitignore", ".rankleignore"])
def test_ignore_files_are_honoured(tmp_path: Path, ignore_file: str) -> None:
    _write(tmp_path / ignore_file, "# comment\n\nbuild/\n*.txt\n/top.md\nsome\\ space.md\n")
    for name in (
        "a.md",
        "build/b.md",
        "c.txt",
        "d/e.txt",
        "d/build/f.md",
        "top.md",
        "d/top.md",
        "some space.md",
    ):
        _write(tmp_path / name)
    assert _names(tmp_path) == ["a.md", "d/top.md"]


def test_the_nearest_ignore_file_has_the_last_word(tmp_path: Path) -> None:
    _write(tmp_path / ".gitignore", "*.txt\n!keep.txt\n")
    _write(tmp_path / "sub" / ".rankleignore", "!again.txt\nkeep.txt\n")
    for name in ("a.txt", "keep.txt", "sub/again.txt", "sub/keep.txt", "sub/b.txt", "other/again.txt"):
        _write(tmp_path / name)
    assert _names(tmp_path) == ["keep.txt", "sub/again.txt"]


def test_within_one_folder_rankleignore_overrules_gitignore(tmp_path: Path) -> None:
    _write(tmp_path / ".gitignore", "drafts/\n*.log\n")
    _write(tmp_path / ".rankleignore", "!drafts/\nsecret.md\n")
    for name in ("drafts/a.md", "b.log", "secret.md", "c.md"):
        _write(tmp_path / name)
    assert _names(tmp_path) == ["c.md", "drafts/a.md"]


def test_the_rules_of_the_repository_around_a_root_hold(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _write(tmp_path / ".gitignore", "*.txt\n/docs/private/\n")
    for name in ("docs/a.md", "docs/b.txt", "docs/private/c.md"):
        _write(tmp_path / name)
    assert _names(tmp_path / "docs") == ["a.md"]


def test_the_private_rules_of_a_repository_are_honoured_and_overruled_by_the_shared(tmp_path: Path) -> None:
    _write(tmp_path / ".git" / "info" / "exclude", "*.txt\n/docs/private/\nkept.md\n")
    _write(tmp_path / ".gitignore", "!kept.md\n")
    for name in ("docs/a.md", "docs/b.txt", "docs/private/c.md", "docs/kept.md", "top.txt"):
        _write(tmp_path / name)
    assert _names(tmp_path / "docs") == ["a.md", "kept.md"]
    assert _names(tmp_path) == ["docs/a.md", "docs/kept.md"]


def test_the_private_rules_of_a_worktree_are_those_of_its_repository(tmp_path: Path) -> None:
    _write(tmp_path / "main" / ".git" / "info" / "exclude", "*.txt\n")
    _write(tmp_path / "main" / ".git" / "worktrees" / "tree" / "commondir", "../..\n")
    _write(tmp_path / "tree" / ".git", f"gitdir: {tmp_path}/main/.git/worktrees/tree\n")
    for name in ("a.md", "b.txt"):
        _write(tmp_path / "tree" / name)
    assert _names(tmp_path / "tree") == ["a.md"]


def test_outside_a_repository_the_folders_above_have_no_say(tmp_path: Path) -> None:
    _write(tmp_path / ".gitignore", "*.txt\n")
    _write(tmp_path / "docs" / "b.txt")
    assert _names(tmp_path / "docs") == ["b.txt"]


def test_a_repository_of_its_own_does_not_inherit(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "inner" / ".git").mkdir(parents=True)
    _write(tmp_path / ".gitignore", "*.txt\n")
    _write(tmp_path / "inner" / "b.txt")
    assert _names(tmp_path / "inner") == ["b.txt"]


def test_a_root_named_on_purpose_is_read_although_it_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _write(tmp_path / ".gitignore", "vendor/\n")
    for name in ("vendor/a.md", "vendor/sub/b.md"):
        _write(tmp_path / name)
    assert _names(tmp_path / "vendor") == ["a.md", "sub/b.md"]
    assert _names(tmp_path / "vendor" / "sub") == ["b.md"]


@pytest.mark.parametrize("line", ["!", "\\", "trailing\\", "[", "[a", "**", "***/", "/", "a**b", "\ufeff"])
def test_a_line_that_is_no_pattern_is_passed_over(tmp_path: Path, line: str) -> None:
    _write(tmp_path / ".gitignore", f"{line}\n*.txt\n!a.md\n")
    for name in ("a.md", "b.txt"):
        _write(tmp_path / name)
    assert _names(tmp_path) == ["a.md"]


def test_a_byte_order_mark_is_no_part_of_the_first_pattern(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfa.md\r\n")
    for name in ("a.md", "b.md"):
        _write(tmp_path / name)
    assert _names(tmp_path) == ["b.md"]


def test_an_ignore_file_that_is_no_text_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(bytes(range(256)))
    _write(tmp_path / "a.md")
    assert _names(tmp_path) == ["a.md"]


def test_decomposed_names_are_composed(tmp_path: Path) -> None:
    _write(tmp_path / "Ku\u0308che" / "cafe\u0301.md")
    assert _names(tmp_path) == ["Küche/café.md"]


def test_links_in_a_circle_are_not_followed(tmp_path: Path) -> None:
    _write(tmp_path / "a" / "b.md")
    (tmp_path / "a" / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert _names(tmp_path) == ["a/b.md"]


def test_a_link_to_a_file_is_a_document_and_a_dead_one_too(tmp_path: Path) -> None:
    outside = _write(tmp_path / "outside.md")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link.md").symlink_to(outside)
    (root / "dead.md").symlink_to(tmp_path / "gone.md")
    (root / "self.md").symlink_to(root / "self.md")
    assert _names(root) == ["dead.md", "link.md", "self.md"]


@pytest.fixture
def unprivileged(tmp_path: Path) -> Iterator[Path]:
    """A folder, and a user whom permissions concern: root may read everything."""
    if os.name != "posix" or os.geteuid() != 0:
        yield tmp_path
        return
    _write(tmp_path / "warm" / ".gitignore", "*.md\n")
    list_files(tmp_path / "warm")  # imports what the other user may not read
    with TemporaryDirectory() as folder:
        os.chown(folder, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o400, 0o000])
def test_a_folder_that_may_not_be_entered_is_said(unprivileged: Path, mode: int) -> None:
    _write(unprivileged / "open.md")
    closed = unprivileged / "closed"
    _write(closed / "sub" / "a.md")
    closed.chmod(mode)
    try:
        listing = list_files(unprivileged)
    finally:
        closed.chmod(0o700)
    assert [found.relative for found in listing.files] == ["open.md"]
    assert [folder for folder, _reason in listing.unreadable] == [closed]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_link_into_a_closed_folder_leaves_its_neighbours_readable(unprivileged: Path) -> None:
    _write(unprivileged / "root" / "open.md")
    closed = unprivileged / "closed"
    target = _write(closed / "a.md")
    (unprivileged / "root" / "link.md").symlink_to(target)
    closed.chmod(0o000)
    try:
        names = _names(unprivileged / "root")
    finally:
        closed.chmod(0o700)
    assert names == ["link.md", "open.md"]
