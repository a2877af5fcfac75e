"""Pages that are run print what they show: tools/docs_run.py."""

import os
from pathlib import Path

import pytest

from tools.docs_blocks import blocks, commands, folder_of
from tools.docs_check import REPOSITORY, only_checked, pages
from tools.docs_printed import fits, stale
from tools.docs_run import pages_to_run, rewritten
from tools.docs_session import isolate, play, run_page

PAGE = """<!-- run in: empty -->

```json title="notes/a.md"
# Apples
```

```console
$ cat notes/a.md
# Apples
$ rankle index notes
Workspace: default (new)
…
Time: 9 s, 9 documents/s
$ rankle eval none.jsonl
…
$ echo $?
2
```

```python
from pathlib import Path

print(len("apple"))  # 5
print(Path("notes/a.md").read_text())  # …
```
"""

NEEDS = {"models.md": (pytest.mark.needs_local, pytest.mark.needs_llm)}
"""Extras without which a page cannot be run."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and no settings but those of tests."""
    environ: dict[str, str] = dict(os.environ)
    isolate(environ, tmp_path / "home")
    for name in set(os.environ) - set(environ):
        monkeypatch.delenv(name)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.name, marks=NEEDS.get(page.name, ())) for page in pages_to_run()]
)
def test_a_page_prints_what_it_shows(page: Path, folder: Path) -> None:
    result = run_page(page.read_text(encoding="utf-8"), folder, play=play)
    assert result.n_run
    for command, printed in result.differences:
        assert "\n".join(command.said) == "\n".join(printed), f"{page.name}:{command.line}: {command.text}"
    assert not result.differences
    assert not (difference := stale(page, result.printed)), difference


def test_a_page_that_is_right_has_no_differences(folder: Path) -> None:
    result = run_page(PAGE, folder, play=play)
    assert (result.n_run, result.differences) == (5, [])
    assert rewritten(PAGE, result) == PAGE


def test_what_is_printed_otherwise_is_found_and_put_in_its_place(folder: Path) -> None:
    wrong = PAGE.replace("# Apples\n$", "# Pears\nand plums\n\n$").replace("# 5", "# 6")
    result = run_page(wrong, folder, play=play)
    assert [(command.text, command.line, printed) for command, printed in result.differences] == [
        ("cat notes/a.md", 8, ("# Apples",)),
        ("(the example in Python)", 23, ("5", "# Apples")),
    ]
    assert rewritten(wrong, result) == PAGE.replace("# Apples\n$", "# Apples\n\n$").replace("# 5", "# 6")


def test_what_a_page_leaves_out_without_saying_so_is_found(folder: Path) -> None:
    result = run_page(PAGE.replace("…\nTime", "Time"), folder, play=play)
    assert [command.text for command, _ in result.differences] == ["rankle index notes"]


def test_a_command_that_fails_unannounced_is_an_error(folder: Path) -> None:
    with pytest.raises(AssertionError, match=r"line 14: `rankle eval none.jsonl` ends with 2"):
        run_page(PAGE.replace("$ echo $?\n2\n", ""), folder, play=play)


def test_blocks_of_sh_and_what_is_not_shown_must_end_well(folder: Path) -> None:
    text = (
        "<!-- run in: empty -->\n<!-- run: echo apples > a.md -->\n"
        "```sh\ncat a.md   # apples\nrankle index .\n```\n"
        "<!-- not run: it would fail -->\n```sh\nrankle eval none.jsonl\n```\n"
    )
    result = run_page(text, folder, play=play)
    assert (result.n_run, result.differences) == (3, [])
    with pytest.raises(AssertionError, match=r"line 9: `rankle eval none.jsonl` ends with 2"):
        run_page(text.replace("not run: it", "it"), folder, play=play)


def test_what_blocks_of_sh_print_is_kept_without_what_is_of_the_moment(folder: Path) -> None:
    text = (
        "<!-- run in: empty -->\n<!-- run: echo apples > a.md -->\n"
        "```sh\ncat a.md; pwd; echo '  2026-11-30  12.5 ms'\n```\n"
        "```yaml\nsteps:\n  - run: pip install rankle\n  - run: rankle docs list --help\n```\n"
    )
    first, second = run_page(text, folder, play=play).printed
    assert first.lines == ("apples", ".", "  __________  ____ ms")
    assert second.command == "rankle docs list --help"
    assert second.lines[0] == "Usage: rankle docs list [OPTIONS]"


def test_a_command_line_that_no_test_runs_is_found_unless_its_reason_stands_above() -> None:
    listing, here = "```sh\nrankle docs list\n```\n", "<!-- run in: empty -->\n"
    assert list(only_checked(f"{here}{listing}```console\n$ rankle index a\n```\n")) == []
    assert list(only_checked(listing)) == [("rankle docs list", False)]
    assert list(only_checked(f"{here}<!-- not run: why -->\n{listing}")) == [("rankle docs list", True)]
    for other in ("text", "json", ""):
        assert list(only_checked(here + listing.replace("sh", other))) == [("rankle docs list", False)]
    install, example = "```sh\npip install rankle\n```\n", "```python\nimport rankle\n```\n"
    assert list(only_checked(install + example)) == [("pip install rankle", False), ("import rankle", False)]
    assert list(only_checked(f"{here}<!-- not run -->\n{install}")) == []  # without a reason it is run
    job = '```yaml title="a.yml"\nsteps:\n  - run: rankle docs list\n```\n'
    assert list(only_checked(here + job)) == []
    assert list(only_checked(job)) == [("- run: rankle docs list", False)]


def test_keys_are_pressed_for_the_command_below_them_only() -> None:
    text = "<!-- keys: 30 -->\n\n```console\n$ rankle rate\n$ rankle docs list\n```\n"
    (block,) = blocks(text)
    assert [command.keys for command in commands(block)] == ["30", None]


def test_what_happens_meanwhile_is_of_the_command_below_it_only() -> None:
    (block,) = blocks("<!-- meanwhile: rm a -->\n```console\n$ rankle watch\n$ rankle docs list\n```\n")
    assert [command.meanwhile for command in commands(block)] == ["rm a", None]


def test_a_console_block_begins_with_a_command() -> None:
    (block,) = blocks("```console\nrankle index\n```\n")
    with pytest.raises(ValueError, match="line 2"):
        list(commands(block))


@pytest.mark.parametrize(
    ("said", "got", "holds"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "b"], ["a"], False),
        (["a"], ["a", "b"], False),
        (["a", "…", "d"], ["a", "b", "c", "d"], True),
        (["…", "d"], ["d"], True),
        (["a", "…"], ["a", "b", "c"], True),
        (["a", "…", "d"], ["a", "b"], False),
        (["…"], [], True),
        ([], ["a"], False),
    ],
)
def test_three_dots_stand_for_any_lines(said: list[str], got: list[str], holds: bool) -> None:
    assert fits(said, got) is holds


def test_every_page_with_a_session_or_an_example_in_python_is_run() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if any(block.language in ("console", "python") for block in blocks(text)):
            assert folder_of(text), f"{page.relative_to(REPOSITORY)}: say `<!-- run in: NAME -->`"


def test_output_stands_below_its_command() -> None:
    """So that it is compared. That of the README: test_pages.py; of `--help`: docs_check.py."""
    parts = {
        page.relative_to(REPOSITORY).as_posix()
        for page in pages()
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.language == "text" and not block.title
    }
    assert {part for part in parts if not part.startswith("examples/")} == {"README.md", "docs/cli.md"}
