import os
import re
import subprocess
import sys

import pytest

from fakes.command import rankle
from rankle.cli.groups import command_tree
from rankle.cli.main import main
from tools import docs_check

REPOSITORY = docs_check.REPOSITORY


def test_the_pages_agree_with_the_code() -> None:
    assert list(docs_check.faults()) == []


def test_the_reference_is_the_same_before_and_after_the_commands_are_called() -> None:
    """In a process of its own, where no command was called yet."""
    program = (
        "from fakes.command import rankle\n"
        "from rankle.cli.groups import command_tree\n"
        "from tools.docs_check import cli_page, root_command\n"
        "before = cli_page()\n"
        "for path, _ in command_tree(root_command):\n"
        "    assert rankle(*path, '--help').code == 0\n"
        "assert before == cli_page() and '  -h, --help ' in before\n"
        "print('same')\n"
    )
    environ = {**os.environ, "PYTHONPATH": f"{REPOSITORY}{os.pathsep}{REPOSITORY / 'tests'}"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environ)
    assert done.stdout == "same\n", done.stderr


@pytest.mark.parametrize("text", ["```sh\nrankle indx docs\n```", "```sh\n$ rankle eval x --tabel\n```"])
def test_a_command_line_that_does_not_exist_is_found(text: str) -> None:
    known = dict(command_tree(main, ("rankle",)))
    assert list(docs_check._wrong_calls(text, known))


@pytest.mark.parametrize("target", ["gone.md", "../README.md", "../src/rankle/__init__.py"])
def test_a_link_that_the_site_cannot_follow_is_found(target: str) -> None:
    text = (
        f"[known](cli.md#rankle) [away](https://example.org) [this]({target})\n```text\n[code](a.md)\n```\n"
    )
    assert list(docs_check._dead_links(REPOSITORY / "docs" / "index.md", text)) == [target]


def test_a_page_without_a_place_in_the_navigation_is_found_and_a_place_without_a_page() -> None:
    nav = ["index.md", {"How to": [{"Search": "search.md"}, {"More": [{"Old": "old.md"}]}]}]
    there = {"index.md", "search.md", "new.md", "decisions/0001-a.md"}
    assert list(docs_check._not_in_the_site(nav, there)) == [
        "mkdocs.yml: docs/new.md does not stand under nav",
        "mkdocs.yml: nav names docs/old.md, which is not there",
    ]


@pytest.mark.needs_local
def test_the_output_in_the_readme_is_what_the_demo_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setenv("RANKLE_MODEL", "e5-small")
    assert rankle("index", "examples/handbook").code == 0
    printed = rankle("eval", "examples/handbook.jsonl", "--method", "fts5,vector,hybrid", "--worst", "3").out
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    shown = readme.split("```text\n")[1].split("```")[0]

    table, differences = shown.split("Differences in")
    assert f"Differences in{differences.splitlines()[0]}" in printed
    figures = _figures(printed)
    assert set(_figures(table)) == {"Recall@10", "Precision@10", "MRR@10", "NDCG@10", "Hit Rate@10"}
    for label, (fts5, *by_vectors) in _figures(table).items():
        assert fts5 == figures[label][0]
        assert by_vectors == pytest.approx(figures[label][1:], abs=0.02)  # processors round int8 differently


def _figures(table: str) -> dict[str, list[float]]:
    """The rows of measures: name to figures, percentages as shares."""
    rows = re.findall(r"^(\w[\w ]*@\d+)((?: +[\d.]+%?\*?)+)$", table, re.MULTILINE)
    return {label: [_figure(cell) for cell in cells.split()] for label, cells in rows}


def _figure(cell: str) -> float:
    return float(cell.rstrip("*%")) / (100 if "%" in cell else 1)
