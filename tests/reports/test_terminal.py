"""The report at the terminal: snapshots, laws over the printed table, and text that could disturb it."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from fakes.hand_worked import STAMP, scripted_clock, scripted_system, write_set
from fakes.scripted_system import ScriptedSystem
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.core.run import Latency, QueryReport, ResultReport, RunReport, TargetReport
from rankle.formats.eval_set import read_eval_set
from rankle.harness.evaluation import evaluate_system
from rankle.harness.settings import Settings
from rankle.metrics.measure import parse_measures
from rankle.reports.layout import one_line, wrapped
from rankle.reports.terminal import render_run


def run(eval_set: EvalSet, system: ScriptedSystem, chosen: Settings, clock: Any = lambda: 0.0) -> RunReport:
    return asyncio.run(
        evaluate_system(
            eval_set, system, chosen, stamp=STAMP, clock=clock, on_progress=lambda done, total: None
        )
    )


@pytest.fixture
def report(tmp_path: Path) -> RunReport:
    eval_set = read_eval_set(write_set(tmp_path))
    return run(eval_set, scripted_system(), Settings(k=(1, 3)), clock=scripted_clock())


def test_the_hand_worked_run_prints_whole(report: RunReport) -> None:
    assert (
        render_run(report)
        == """\
Evaluation: set.jsonl (6 queries)
Method: fts5  level: document  k: 1, 3

Note: labels that name nothing in the index: 1 of 6, counted as not found:
  "gone.md" (line 3)

Metric          @1       @3
─────────────────────────────
Recall          0.250    0.375
Precision       0.250    0.167
MRR             —        0.375
NDCG            0.250    0.347
Hit Rate        25.0%    50.0%
Judged          —        0.167

Queries: 4 scored, 1 undefined, 1 failed

Failed queries: 1 of 6
   1. the fifth question  (five)
      RuntimeError: boom

Worst performers (lowest MRR)
   1. the third question  (three)
      no hits in top 3; lost: not indexed; stood first: d.md
   2. the sixth question  (six)
      no hits in top 3; lost: no candidate list; nothing was returned
   3. 第二の質問 [with brackets]  (two)
      first hit at rank 2; lost: 1 of 2 (below k); stood first: c.md

Document hit rate in the top 3
    0.0%  0 of 1  c.md
    0.0%  0 of 1  gone.md
   50.0%  1 of 2  a.md
  100.0%  1 of 1  b.md

Latency: p50 3.0 ms, p95 10.0 ms

--intervals adds 95 % intervals; --funnel shows which stage lost what; --output
FILE saves every query in full.
"""
    )


def test_intervals_stand_on_a_line_of_their_own(report: RunReport) -> None:
    """2 of 4 by Wilson: 15.0 to 85.0 %; 1 of 4: 4.6 to 69.9 %."""
    printed = render_run(report, intervals=True, worst=0, saved=True)
    assert (
        """
Hit Rate        25.0%         50.0%
  95% interval  4.6–69.9%     15.0–85.0%
"""
        in printed
    )
    assert "MRR             —             0.375\n  95% interval  —             0." in printed
    assert "Worst performers" not in printed
    assert printed.endswith("\n\nLatency: p50 3.0 ms, p95 10.0 ms\n\n--funnel shows which stage lost what.\n")


def test_the_last_line_names_what_was_not_asked_for(report: RunReport) -> None:
    def last(**given: Any) -> str:
        return render_run(report, **given).splitlines()[-1]

    assert last(intervals=True, funnel=True) == "--output FILE saves every query in full."
    assert last(saved=True, funnel=True) == "--intervals adds 95 % intervals."
    assert last(saved=True, intervals=True) == "--funnel shows which stage lost what."
    assert last(saved=True, intervals=True, funnel=True).startswith("Latency: ")


def test_a_method_that_nobody_named_is_said_to_be_the_best_of_the_workspace(report: RunReport) -> None:
    line = render_run(report, by_default=True).splitlines()[1]
    assert line == "Method: fts5 (the best of the workspace)  level: document  k: 1, 3"


def test_a_share_of_a_batch_is_not_sold_as_the_time_of_a_search(report: RunReport) -> None:
    share = Latency(p50=1.25, p95=2.0, of="batch", batch_size=128)
    printed = render_run(msgspec.structs.replace(report, latency_ms=share))
    assert (
        """
Latency in batches of 128: 1.2 ms a query. That is its share of the batch, not
  what one search takes; --one-by-one times each search.
"""
        in printed
    )


def test_worst_limits_the_list(report: RunReport) -> None:
    printed = render_run(report, worst=1)
    assert "(three)" in printed
    assert "(six)" not in printed


def test_queries_left_out_stand_in_the_header(report: RunReport) -> None:
    part = msgspec.structs.replace(report, set=msgspec.structs.replace(report.set, n_queries=2))
    assert render_run(part).startswith("Evaluation: set.jsonl (2 of 6 queries)\n")
    alone = msgspec.structs.replace(report, set=msgspec.structs.replace(report.set, n_queries=1, n_in_file=1))
    assert render_run(alone).startswith("Evaluation: set.jsonl (1 query)\n")


def one_query(
    *labels: Label, results: list[str], chosen: Settings, text: str = "q", **system: Any
) -> RunReport:
    eval_set = EvalSet("set", (EvalQuery("1", text, labels),))
    documents = sorted({label.name for label in labels} | set(results))
    return run(eval_set, ScriptedSystem({text: results}, documents=documents, **system), chosen)


def test_a_perfect_run_says_so() -> None:
    assert (
        render_run(one_query(Label("a"), results=["a"], chosen=Settings(k=(1,))), saved=True)
        == """\
Evaluation: set (1 query)
Method: fts5  level: document  k: 1

Metric          @1
────────────────────
Recall          1.000
Precision       1.000
MRR             1.000
NDCG            1.000
Hit Rate        100.0%

Queries: 1 scored, 0 undefined, 0 failed

Every scored query has a relevant result at rank 1.

The one labelled document is in the top 1 of all its queries.

Latency: p50 0.0 ms, p95 0.0 ms

--intervals adds 95 % intervals; --funnel shows which stage lost what.
"""
    )


def test_one_query_has_no_interval() -> None:
    report = one_query(Label("a"), results=["a"], chosen=Settings(k=(1,)))
    assert "Recall          1.000\n  95% interval  —\n" in render_run(report, intervals=True)


def test_where_all_fail_there_is_no_figure_but_a_denominator() -> None:
    eval_set = EvalSet("set", (EvalQuery("1", "q", (Label("a"),)),))
    report = run(eval_set, ScriptedSystem({"q": OSError("gone")}, documents=["a"]), Settings(k=(1,)))
    printed = render_run(report)
    assert "Recall          —\n" in printed
    assert "Queries: 0 scored, 0 undefined, 1 failed\n" in printed
    assert "   1. q  (1)\n      OSError: gone\n" in printed
    assert "Latency: p50 —, p95 —" in printed


def test_queries_that_failed_alike_stand_together_above_their_error() -> None:
    eval_set = EvalSet("set", tuple(EvalQuery(name, name * 2, (Label("a"),)) for name in "xyz"))
    crashes = {"xx": OSError("gone"), "yy": OSError("busy"), "zz": OSError("gone")}
    printed = render_run(run(eval_set, ScriptedSystem(crashes, documents=["a"]), Settings(k=(1,))))
    assert (
        "   1. xx  (x)\n   2. zz  (z)\n      OSError: gone\n   3. yy  (y)\n      OSError: busy\n" in printed
    )


def test_measures_without_a_cut_and_with_parameters_find_their_place() -> None:
    chosen = Settings(measures=parse_measures("AP,RR,nDCG(gain=exp2)@2,R@2,ERR@20"))
    printed = render_run(one_query(Label("a"), results=["b", "a"], chosen=chosen))
    assert "  k: 2, 20\n" in printed
    table = printed.split("\n\n")[1]
    assert (
        table
        == """\
Metric          @2       @20      all
──────────────────────────────────────
MAP             —        —        0.500
MRR             —        —        0.500
NDCG (gain=exp2)
                0.631    —        —
Recall          1.000    —        —
ERR             —        0.031    —"""
    )


def test_many_cuts_go_to_further_tables() -> None:
    chosen = Settings(k=(1, 2, 3, 4, 5, 6, 7, 8, 9))
    blocks = render_run(one_query(Label("a"), results=["a"], chosen=chosen)).split("\n\n")
    assert [block.splitlines()[0].split() for block in blocks[1:3]] == [
        ["Metric", *(f"@{k}" for k in range(1, 8))], ["Metric", "@8", "@9"],
    ]  # fmt: skip
    assert [line.split()[0] for line in blocks[1].splitlines()[2:]] == ["Recall", "Precision", "NDCG", "Hit"]
    assert [line.split()[0] for line in blocks[2].splitlines()[2:]] == [
        "Recall",
        "Precision",
        "MRR",
        "NDCG",
        "Hit",
        "Judged",
    ]


def test_a_pipeline_shows_its_ranks_and_the_stage_that_lost_a_target() -> None:
    others = [f"d{number:02}" for number in range(1, 12)]
    stages = {"q": {"fts5": ["d01", "a"], "vector": others, "fusion": [*others, "a"]}}
    report = one_query(Label("a"), results=[*others, "a"], chosen=Settings(k=(1, 10)), stages=stages)
    assert (
        "      no hits in top 10, the first at rank 12; lost: fused out; ranks: fts5 2,\n"
        "      fusion 12; stood first: d01\n"
    ) in render_run(report)


_LONG = "a/very/long/path/" * 12 + "文書.md"


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("intervals", [False, True])
def test_every_line_fits_the_width_whatever_the_names_are(width: int, intervals: bool) -> None:
    labels = (Label("gone/" + _LONG), Label(_LONG), Label("b"))
    queries = (
        EvalQuery("query-" * 20, "質問 " * 60, labels, line=12345),
        EvalQuery("2", "q2", labels),
        EvalQuery("3", "broken", labels),
    )
    answers: Any = {"質問 " * 60: ["x/" + _LONG], "q2": ["b"], "broken": OSError("/tmp/" + _LONG)}
    system = ScriptedSystem(answers, documents=[_LONG, "x/" + _LONG, "b"])
    report = run(EvalSet(_LONG, queries), system, Settings())
    lines = render_run(report, width=width, intervals=intervals).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert lines[0].startswith("Evaluation: a/very/")
    name = "".join(line.strip() for line in lines)
    assert "gone/" + _LONG in name, "a name that nothing fits must be readable whole"


def query_report(text: str, **changed: Any) -> QueryReport:
    plain = QueryReport(
        id="1",
        query=text,
        status="scored",
        scores={},
        first_relevant_rank=None,
        targets=[TargetReport(id="a", grade=1, relevant=True, rank=None, rank_at={}, lost_at="not indexed")],
        results=[],
        took_ms=1.0,
    )
    return msgspec.structs.replace(plain, **changed)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[bold]not markup[/bold] :smile: {x}", "[bold]not markup[/bold] :smile: {x}"),
        ("two\nlines\tand  spaces", "two lines and spaces"),
        ("\x1b[31mred\x1b[0m \x07bell", "?[31mred?[0m ?bell"),
        ("left\u202eright", "left?right"),
        ("x" * 200, "x" * 68 + "…"),
        ("質" * 100, "質" * 34 + "…"),
        ("👩‍👩‍👧 family", "👩‍👩‍👧 family"),
    ],
)
def test_texts_are_shown_as_they_are_and_cannot_disturb_the_screen(
    report: RunReport, text: str, shown: str
) -> None:
    changed = msgspec.structs.replace(report, queries=[query_report(text)])
    (line,) = [line for line in render_run(changed).splitlines() if line.startswith("   1. ")]
    assert line == f"   1. {shown}  (1)"
    assert cell_len(line) <= 80


def test_chunks_are_named_with_their_document(report: RunReport) -> None:
    first = ResultReport(rank=1, id="chunk-0a", document="a.md", score=1.0, grade=None, chunks=["chunk-0a"])
    changed = msgspec.structs.replace(report, queries=[query_report("q", results=[first])])
    assert "stood first: a.md (chunk-0a)" in render_run(changed)


_SCRIPTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcdefgh"), unique=True),
        st.sets(st.sampled_from("abcdefghX"), min_size=1),
    ),
    min_size=1,
    max_size=6,
)
_CUTS = st.sets(st.integers(1, 9), min_size=1, max_size=6).map(lambda cuts: tuple(sorted({1, *cuts})))


@settings(max_examples=40, deadline=None)
@given(scripts=_SCRIPTS, cuts=_CUTS)
def test_laws_hold_on_the_printed_table(scripts: Any, cuts: tuple[int, ...]) -> None:
    """With binary labels: NDCG@1 is Precision@1, which is the hit rate at 1; recall and hit rate never fall
    with k; RR is at most the hit rate; everything is within its range."""
    queries = tuple(
        EvalQuery(str(n), f"q{n}", tuple(Label(name) for name in sorted(relevant)))
        for n, (_, relevant) in enumerate(scripts)
    )
    answers = {f"q{n}": results for n, (results, _) in enumerate(scripts)}
    system = ScriptedSystem(answers, documents=[*"abcdefgh", "X"])
    printed = render_run(run(EvalSet("set", queries), system, Settings(k=cuts)))
    rows = {row[:16].strip(): row[16:].split() for row in printed.split("\n\n")[1].splitlines()[2:]}
    values = {
        name: [float(cell.rstrip("%")) / (100 if cell.endswith("%") else 1) for cell in row if cell != "—"]
        for name, row in rows.items()
    }
    assert (
        values["NDCG"][0] == values["Precision"][0] == pytest.approx(values["Hit Rate"][0], abs=1e-9 + 5e-4)
    )
    for name in ("Recall", "Hit Rate"):
        assert values[name] == sorted(values[name])
    (mrr,) = values["MRR"]
    assert mrr <= values["Hit Rate"][-1] + 1e-3
    assert all(0 <= value <= 1 for row in values.values() for value in row)
    assert all(cell_len(line) <= 80 for line in printed.splitlines())


@given(st.text(max_size=60), st.integers(2, 30))
def test_one_line_fits_and_stays_one_line(text: str, width: int) -> None:
    line = one_line(text, width=width)
    assert cell_len(line) <= width
    assert len(line.splitlines()) <= 1


def test_wrapping_leaves_a_long_word_whole_unless_it_is_broken() -> None:
    assert wrapped("a " + "x" * 9, first="1: ", rest="   ", width=8) == ["1: a", "   xxxxxxxxx"]
    assert wrapped("a " + "x" * 9, first="1: ", rest="   ", width=8, breaking=True) == [
        "1: a", "   xxxxx", "   xxxx",
    ]  # fmt: skip


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12), max_size=20))
def test_wrapping_loses_no_word_and_fits(words: list[str]) -> None:
    lines = wrapped(" ".join(words), first="Note: ", rest="  ", width=40)
    assert "".join(lines).removeprefix("Note: ").split() or not words
    assert " ".join(line.strip() for line in lines).split()[1:] == words
    assert all(cell_len(line) <= 40 for line in lines)
