"""The funnel at the terminal: a snapshot of the hand-worked one, and its layout."""

import asyncio
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from fakes.hand_worked import STAMP
from fakes.hand_worked_funnel import SET, SYSTEM
from fakes.scripted_system import ScriptedSystem
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.core.run import RunReport
from rankle.harness.evaluation import evaluate_system
from rankle.harness.settings import Settings
from rankle.reports.funnel import funnel_lines
from rankle.reports.terminal import render_run


def run(eval_set: EvalSet, system: Any, settings: Settings) -> RunReport:
    work = evaluate_system(
        eval_set, system, settings, stamp=STAMP, clock=lambda: 0.0, on_progress=lambda done, total: None
    )
    return asyncio.run(work)


@pytest.fixture
def report() -> RunReport:
    return run(SET, SYSTEM, Settings(k=(1, 2)))


def text(report: RunReport, **options: Any) -> str:
    blocks = funnel_lines(report, listed=options.pop("listed", 10), **options)
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def test_the_hand_worked_funnel_prints_whole(report: RunReport) -> None:
    assert (
        text(report)
        == """\
Funnel: 5 relevant targets of 3 queries; those of 1 failed query are left out

Stage                  in its list            in its top 2
─────────────────────────────────────────────────────────────────────
fts5                   2 of 5  40.0%          1 of 5  20.0%
vector                 2 of 5  40.0%          1 of 5  20.0%
either list            3 of 5  60.0%          2 of 5  40.0%
fusion                 3 of 5  60.0%          1 of 5  20.0%
final                                         1 of 5  20.0%

Fate                   targets                queries
─────────────────────────────────────────────────────────────────────
found in top 2         1 of 5  20.0%          1
below top 2            1 of 5  20.0%          1: two
fused out              1 of 5  20.0%          1: one
no candidate list      1 of 5  20.0%          1: two
not indexed            1 of 5  20.0%          1: three

Below top 2 (1)                      query         fts5  vector  fusion  final
  a                                  two           3     3       3       3

Fused out (1)                        query         fts5  vector  fusion  final
  b                                  one           —     2       3       3

No candidate list (1)                query         fts5  vector  fusion  final
  c                                  two           —     —       —       —

Not indexed (1)                      query         fts5  vector  fusion  final
  gone                               three         —     —       —       —

Found in top 2 (1)                   query         fts5  vector  fusion  final
  a                                  one           1     —       1       1
"""
    )


def test_a_narrow_screen_gets_the_figures_without_shares_and_ranks_in_words(report: RunReport) -> None:
    printed = text(report, width=40)
    assert "\nfused out              1       1\n  one\n" in printed
    assert "\nFused out (1)\n  b (one): fts5 —, vector 2, fusion 3,\n    final 3\n" in printed


def test_it_stands_in_the_report_where_it_is_asked_for_and_is_named_where_not(report: RunReport) -> None:
    asked, plain = render_run(report, funnel=True), render_run(report)
    assert text(report) in asked
    assert "Funnel" not in plain
    assert "--funnel shows which stage lost what" in plain
    assert "--funnel" not in asked
    assert "lost: 2 of 2 (1 below k, 1 no candidate list)" in " ".join(plain.split())


def test_targets_are_listed_lowest_first_and_no_more_than_asked_for() -> None:
    names = [f"d{number:02}" for number in range(30)]
    queries = tuple(EvalQuery(f"id{n}", f"q{n}", (Label(names[n]),)) for n in range(30))
    system = ScriptedSystem({query.text: names for query in queries}, documents=names)
    report = run(EvalSet("s", queries), system, Settings(k=(5,)))
    printed = text(report, listed=2)
    assert "Below top 5 (2 of 25)" in printed
    below = printed.split("Below top 5")[1].splitlines()
    assert [line.split() for line in below[1:3]] == [["d29", "id29", "30", "30"], ["d28", "id28", "29", "29"]]
    fate = next(line for line in printed.splitlines() if line.startswith("below top 5"))
    assert fate.startswith("below top 5            25 of 30  83.3%        25: id5, id6, id7")
    assert "id14 and 15 more" in " ".join(printed.split())
    assert "Below top 5 (" not in text(report, listed=0)


def test_without_relevant_targets_or_without_a_funnel_little_is_said(report: RunReport) -> None:
    assert funnel_lines(msgspec.structs.replace(report, funnel=None), listed=10) == []
    assert report.funnel is not None
    empty = msgspec.structs.replace(report.funnel, n_targets=0, n_queries=0, n_failed=0, fates=[])
    lines = funnel_lines(msgspec.structs.replace(report, funnel=empty), listed=10)
    assert lines == [["Funnel: 0 relevant targets of 0 queries"]]


@pytest.mark.parametrize("width", [40, 60, 69, 80, 100])
def test_every_line_fits_the_width(width: int) -> None:
    name = "a/very/long/path/" * 8 + "文書.md"
    stages = {
        "質問": {"fts5": ["x"], "vector": ["x", name], "fusion": ["x", name], "rerank:a-long-model": ["x"]}
    }
    system = ScriptedSystem({"質問": ["x"]}, documents=["x", name], stages=stages)
    query = EvalQuery("問" * 30, "質問", (Label(name), Label("gone")))
    printed = text(run(EvalSet("s", (query,)), system, Settings(k=(1,))), width=width)
    assert max(map(cell_len, printed.splitlines())) <= width
    assert "reranked out" in printed
