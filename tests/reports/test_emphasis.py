"""Colour over reports: where it stands, and that it changes no letter."""

import re

import pytest

from fakes.abstaining import abstaining_run
from fakes.evals_runs import rich_run
from fakes.exported_runs import two_runs
from rankle.reports.emphasis import emphasised
from rankle.reports.evals_terminal import evals_text
from rankle.reports.methods import render_methods
from rankle.reports.terminal import render_run

STYLE = re.compile(r"\x1b\[[\d;]*m")


@pytest.mark.parametrize("width", [40, 60, 80])
def test_without_its_styles_the_text_is_the_same(width: int) -> None:
    for text in (render_run(two_runs()[0], width=width), render_methods(two_runs(), width=width)):
        shown = emphasised(text)
        assert STYLE.search(shown)
        assert STYLE.sub("", shown) == text


def test_every_style_ends_on_its_line() -> None:
    for line in emphasised(render_methods(two_runs(), funnel=True)).splitlines():
        styles = STYLE.findall(line)
        assert styles[1::2] == ["\x1b[0m"] * (len(styles) // 2)
        assert len(styles) in (0, 2)


def test_heads_are_bold_failures_red_notes_yellow_and_rules_dim() -> None:
    lines = emphasised(render_run(two_runs()[0])).splitlines()
    begins = {STYLE.sub("", line)[:6]: STYLE.findall(line)[0] for line in lines if STYLE.search(line)}
    assert begins == {
        "Evalua": "\x1b[1m", "Note: ": "\x1b[33m", "Metric": "\x1b[1m", "──────": "\x1b[2m",
        "Failed": "\x1b[1;31m", "Worst ": "\x1b[1m", "Docume": "\x1b[1m", "--inte": "\x1b[2m",
    }  # fmt: skip


def test_heads_of_evals_are_bold_and_what_went_wrong_is_red() -> None:
    text = evals_text(rich_run())
    shown = emphasised(text)
    assert STYLE.sub("", shown) == text
    styled = [
        (STYLE.findall(line)[0], STYLE.sub("", line)) for line in shown.splitlines() if STYLE.search(line)
    ]
    red = [line for style, line in styled if style == "\x1b[1;31m"]
    assert red == [
        "Score 0.560, threshold 70 %: MISSED",
        "Failed cases: 1",
        "Not run: InputError: no such file: lost.json",
        "Not loaded: evals/bad_eval.py: NameError: name 'kb' is not defined",
    ]
    bold = [line.split(" ")[0] for style, line in styled if style == "\x1b[1m"]
    assert bold == [
        "Eval:",
        "Scorer",
        "Trials",
        "Worst",
        "Eval:",
        "Scorer",
        "Worst",
        "Eval:",
        "Eval",
        "Verdict:",
    ]


def test_heads_about_abstention_are_bold() -> None:
    run = abstaining_run("fts5", answerable=[True], unanswerable=[False])
    lines = [line for line in emphasised(render_run(run)).splitlines() if line.startswith("\x1b[1m")]
    heads = [STYLE.sub("", line).split("  ")[0] for line in lines]
    assert heads[2:] == [
        "Abstention",
        "Worst performers (lowest MRR)",
        "Answered though nothing does: 1 of 1",
        "Abstained though there is an answer: 1 of 1",
    ]


def test_text_of_queries_gets_no_style() -> None:
    plain = "   1. Failed queries: 3  (q1)\n      Note: not ours"
    assert emphasised(plain) == plain
