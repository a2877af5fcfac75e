"""Several methods at the terminal: a snapshot, the marks, denominators, failures and layout."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from fakes.hand_worked import STAMP
from fakes.hand_worked_funnel import SET, SYSTEM
from fakes.runs import run_report
from fakes.scripted_system import ScriptedSystem
from rankle.core.ports import SystemDescription
from rankle.core.run import Latency, RunReport
from rankle.harness.evaluation import evaluate_systems
from rankle.harness.settings import Settings
from rankle.reports.methods import render_methods


@dataclass
class Named(ScriptedSystem):
    """A scripted system under the name of a method."""

    method: str = "fts5"

    def describe(self) -> SystemDescription:
        described = super().describe()
        return SystemDescription(described.name, self.method, described.fingerprint, described.stages)


@pytest.fixture
def reports() -> tuple[RunReport, ...]:
    """Full text finds a for q1 only, and no target of q2; hybrid is the hand-worked funnel's system."""
    words = Named({"q1": ["a", "x"], "q2": ["x"], "q3": ["x"]}, documents=SYSTEM.documents)
    hybrid = Named(SYSTEM.answers, documents=SYSTEM.documents, stages=SYSTEM.stages, method="hybrid")
    work = evaluate_systems(
        SET,
        [words, hybrid],
        Settings(k=(1, 3)),
        stamp=lambda: STAMP,
        clock=lambda: 0.0,
        on_progress=lambda done, total: None,
    )
    return asyncio.run(work)


def test_two_methods_print_whole(reports: tuple[RunReport, ...]) -> None:
    """Of fts5, four queries are scored: q1 has R@3 1/2, nDCG@3 1 / (1 + 1 / log2 3), and the others 0."""
    assert (
        render_methods(reports, funnel=True)
        == """\
Evaluation: set (5 queries)
Methods: fts5, hybrid  level: document  k: 1, 3

Note: labels that name nothing in the index: 1 of 8, counted as not found:
  "gone"

Metric             fts5       hybrid
─────────────────────────────────────────
Recall@1           0.125      0.167*
Recall@3           0.125      0.500*
Precision@1        0.250      0.333*
Precision@3        0.083      0.333*
MRR@3              0.250      0.444*
NDCG@1             0.250      0.333*
NDCG@3             0.153      0.409*
Hit Rate@1         25.0%      33.3%*
Hit Rate@3         25.0%      66.7%*
Judged@3           0.083      0.333
Latency p50        0.0 ms     0.0 ms
Latency p95        0.0 ms     0.0 ms

* highest of its row; whether by more than chance stands below.
The means are over different queries; each difference below is over common ones.
Queries with fts5: 4 scored, 1 undefined, 0 failed
Queries with hybrid: 3 scored, 1 undefined, 1 failed

hybrid failed on 1 of 5 queries: five. The first: RuntimeError: boom

Differences in NDCG@3, query by query, from fts5
                difference  95% interval      p        won/tied/lost
hybrid          +0.204      —                 0.5000   2/1/0
None is more than chance (p above 0.05). That does not show that they are equal.
Queries: 3 scored by both

Funnel: where the relevant targets of the answered queries stand
Fate               fts5       hybrid
─────────────────────────────────────────
relevant targets   6          5
found in top 3     1          3
no candidate list  4          1
not indexed        1          1

Stages of fts5
Stage                  in its list            in its top 3
─────────────────────────────────────────────────────────────────────
fts5                   1 of 6  16.7%          1 of 6  16.7%
final                                         1 of 6  16.7%

Stages of hybrid
Stage                  in its list            in its top 3
─────────────────────────────────────────────────────────────────────
fts5                   2 of 5  40.0%          2 of 5  40.0%
vector                 2 of 5  40.0%          2 of 5  40.0%
either list            3 of 5  60.0%          3 of 5  60.0%
fusion                 3 of 5  60.0%          3 of 5  60.0%
final                                         3 of 5  60.0%

One alone shows its worst queries; --intervals adds 95 % intervals; --output
FILE saves every query in full.
"""
    )


def rows(printed: str) -> Iterator[list[str]]:
    return (line.split() for line in printed.splitlines())


def table(*scores: Sequence[float | None], measure: str = "R@10", **options: Any) -> str:
    return render_methods(
        [run_report(f"m{n}", {measure: values}) for n, values in enumerate(scores)], **options
    )


def test_the_highest_as_printed_is_marked_and_ties_are_marked_alike() -> None:
    assert ["Recall@10", "0.500*", "0.250"] in rows(table([0.5], [0.25]))
    assert ["Recall@10", "0.500*", "0.500*", "0.1"] not in rows(table([0.5001], [0.5002], [0.1]))
    assert ["Recall@10", "0.500*", "0.500*", "0.100"] in rows(table([0.5001], [0.5002], [0.1]))
    assert ["Recall@10", "0.500", "0.500"] in rows(table([0.5], [0.5]))
    assert ["Recall@10", "0.500", "—"] in rows(table([0.5], [None]))
    assert ["Hit", "Rate@10", "9.0%", "10.0%*"] in rows(table([0.09], [0.1], measure="Hit@10"))


def test_what_describes_the_judgments_is_never_best() -> None:
    runs = [
        run_report(name, {"R@10": [share], "Judged@10": [share]}) for name, share in [("a", 0.5), ("b", 1.0)]
    ]
    assert ["Judged@10", "0.500", "1.000"] in rows(render_methods(runs))
    assert "Judged" not in render_methods([runs[1], runs[1]])


def test_methods_that_failed_differently_have_a_denominator_each() -> None:
    runs = [
        run_report("fts5", {"nDCG@10": [0.1, 0.2, 0.3]}),
        run_report("vector", {"nDCG@10": [None, 0.2, None]}, error="the model\nis gone"),
    ]
    printed = render_methods(runs)
    assert (
        """
The means are over different queries; each difference below is over common ones.
Queries with fts5: 3 scored, 0 undefined, 0 failed
Queries with vector: 1 scored, 0 undefined, 2 failed

vector failed on 2 of 3 queries: q0, q2. The first: the model is gone
"""
        in printed
    )
    assert "Queries: 1 scored by both" in printed


def test_what_is_worse_than_with_the_first_is_listed_for_each_method_as_asked() -> None:
    first, second, third = [1.0] * 3, [1.0] * 3, [0.5, 0.25, 1.0]
    printed = table(first, second, third, measure="nDCG@10")
    assert "Worse with m1" not in printed
    assert "\n\nWorse with m2 than with m0, by NDCG@10 (2)\n   1. text 1  (q1)\n" in printed
    assert "Worse with" not in table(first, second, third, measure="nDCG@10", worst=0)


def test_notices_of_all_are_told_once_and_others_with_their_method() -> None:
    runs = [
        run_report("fts5", {"R@10": [1.0]}, notices=["of the set"]),
        run_report("vector", {"R@10": [1.0]}, notices=["of the set", "of this one"]),
    ]
    printed = render_methods(runs)
    assert printed.count("Note: of the set\n") == 1
    assert "Note: vector: of this one\n" in printed


def test_shares_of_batches_are_not_sold_as_times_of_searches() -> None:
    share = Latency(p50=0.5, p95=0.75, of="batch", batch_size=128)
    alone, batched = (run_report(name, {"R@10": [1.0]}) for name in ("fts5", "vector"))
    batched = msgspec.structs.replace(batched, latency_ms=share)
    both = " ".join(render_methods([batched, batched]).split())
    assert "Latencies are shares of batches of up to 128 queries, not what one search takes" in both
    assert "Latencies of some methods are shares" in render_methods([alone, batched])
    assert "shares of batches" not in render_methods([alone, alone])
    assert ["Latency", "p95", "2.0", "ms", "0.8", "ms"] in rows(render_methods([alone, batched]))


def test_intervals_stand_below_their_means() -> None:
    printed = table([0.0, 1.0], [1.0, 1.0], measure="Hit@10", intervals=True)
    assert ["Hit", "Rate@10", "50.0%", "100.0%*"] in rows(printed)
    assert ["95%", "interval", "9.5–90.5%", "34.2–100.0%"] in rows(printed)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("n", [2, 3, 9])
def test_every_line_fits_the_width_and_every_method_has_its_column(width: int, n: int) -> None:
    runs = [
        run_report(f"method-{i}-" + "x" * 40, {"nDCG(gain=exp2)@10": [0.1 * i] * 7, "R@10": [0.5] * 7})
        for i in range(n)
    ]
    printed = render_methods(runs, width=width, funnel=True, intervals=True)
    assert max(map(cell_len, printed.splitlines())) <= width
    assert sum(line.split().count("0.500") for line in printed.splitlines() if "Recall" in line) == n


def test_hints_name_what_was_not_asked_for(reports: tuple[RunReport, ...]) -> None:
    last = " ".join(render_methods(reports, intervals=True, saved=True).split("\n\n")[-1].split())
    assert last == "One alone shows its worst queries; --funnel shows which stage lost what."


def test_stale_labels_are_told_above_the_figures_and_other_notices_below() -> None:
    notices = ["stale labels: 1 of 3 (passages that moved)", "another remark"]
    runs = [run_report(name, {"R@10": [0.5, 1.0, 0.0]}, notices=notices) for name in ("fts5", "vector")]
    printed = render_methods(runs)
    assert printed.index("Note: stale labels") < printed.index("Recall") < printed.index("Note: another")


def test_where_no_figure_is_higher_there_is_no_mark_and_no_word_of_one(
    reports: tuple[RunReport, ...],
) -> None:
    assert "* highest of its row" in render_methods(reports)
    assert "*" not in render_methods((reports[0], reports[0]), worst=0)
