"""Abstention over a scripted system, every figure worked out by hand.

Query    says                        best score  with the floor 0.5   without a floor
one      relevant a                  0.9         answered             answered
two      relevant b                  0.5         abstained            answered
three    relevant gone, not indexed  none        abstained            abstained
four     nothing                     0.5         abstained            answered
five     nothing                     0.6         answered             answered
six      nothing                     none        abstained            abstained
seven    only grade 0                0.9         on no side           on no side
eight    []                          0.9         on no side           on no side
nine     nothing                     failed      failed               failed
ten      relevant a                  failed      failed               failed
eleven   nothing, a judged 0         none        abstained            abstained
"""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest
from msgspec import UNSET

from fakes.hand_worked import STAMP
from fakes.scripted_system import ScriptedSystem
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.core.ports import SystemDescription
from rankle.core.run import AbstentionReport, RunReport
from rankle.harness.abstention import share_of
from rankle.harness.evaluation import evaluate_system, report_run
from rankle.harness.keeping import Plan
from rankle.harness.outcome import NOTHING
from rankle.harness.preparation import prepare
from rankle.harness.settings import Settings
from rankle.harness.stored_plan import pack_plan, unpack_plan

QUERIES = (
    EvalQuery("one", "one", (Label("a"),)),
    EvalQuery("two", "two", (Label("b"),)),
    EvalQuery("three", "three", (Label("gone"),)),
    EvalQuery("four", "four", answerable=False),
    EvalQuery("five", "five", answerable=False),
    EvalQuery("six", "six", answerable=False),
    EvalQuery("seven", "seven", (Label("a", None, 0),)),
    EvalQuery("eight", "eight"),
    EvalQuery("nine", "nine", answerable=False),
    EvalQuery("ten", "ten", (Label("a"),)),
    EvalQuery("eleven", "eleven", (Label("a", None, 0),), answerable=False),
)


def system(floor: float | None = None) -> ScriptedSystem:
    """Results d, of 0.9; b, of 0.5; c, of 0.6."""
    return ScriptedSystem(
        answers={
            "one": ["d", "b"],
            "two": ["b"],
            "four": ["b"],
            "five": ["b", "c"],
            "seven": ["d"],
            "eight": ["d"],
            "nine": RuntimeError("boom"),
            "ten": RuntimeError("boom"),
        },
        documents=["a", "b", "c", "d"],
        scores={"d": 0.9, "b": 0.5, "c": 0.6},
        described={} if floor is None else {"floor": floor},
    )


def run(queries: Sequence[EvalQuery] = QUERIES, *, floor: float | None = None) -> RunReport:
    return asyncio.run(
        evaluate_system(
            EvalSet("set", tuple(queries)),
            system(floor),
            Settings(k=(1,)),
            stamp=STAMP,
            clock=lambda: 0.0,
            on_progress=lambda done, total: None,
        )
    )


def counts(report: AbstentionReport | object) -> list[tuple[int, int]]:
    assert isinstance(report, AbstentionReport)
    shares = (report.precision, report.recall, report.answered)
    return [(one.n, one.n_of) for one in shares] + [(report.n_undefined, report.n_failed)]


def test_with_a_floor_a_query_abstains_where_no_result_scores_above_it() -> None:
    assert counts(run(floor=0.5).abstention) == [(3, 5), (3, 4), (1, 3), (2, 2)]


def test_without_a_floor_a_query_abstains_where_nothing_is_returned() -> None:
    assert counts(run().abstention) == [(2, 3), (2, 4), (2, 3), (2, 2)]


def test_a_result_that_scores_as_the_floor_does_not_count_and_any_above_does_whatever_its_rank() -> None:
    by_id = {query.id: query.abstained for query in run(floor=0.5).queries}
    assert (by_id["two"], by_id["five"]) == (True, False)
    assert run(floor=0.6).queries[4].abstained is True


def test_each_query_says_its_side_and_whether_it_abstained() -> None:
    told = {query.id: (query.answerable, query.abstained) for query in run(floor=0.5).queries}
    assert told == {
        "one": (True, False),
        "two": (True, True),
        "three": (True, True),
        "four": (False, True),
        "five": (False, False),
        "six": (False, True),
        "seven": (UNSET, UNSET),
        "eight": (UNSET, UNSET),
        "nine": (False, UNSET),
        "ten": (True, UNSET),
        "eleven": (False, True),
    }


def test_the_floor_moves_no_measure_and_no_result() -> None:
    plain, floored = run(), run(floor=0.5)
    assert plain.measures == floored.measures
    assert [query.results for query in plain.queries] == [query.results for query in floored.queries]


def test_a_set_that_marks_nothing_says_nothing_of_abstention() -> None:
    report = run([query for query in QUERIES if query.answerable], floor=0.5)
    assert report.abstention is UNSET
    assert all(query.answerable is UNSET and query.abstained is UNSET for query in report.queries)
    assert b"abst" not in msgspec.json.encode(report)


def test_a_set_of_nothing_but_unanswerable_queries_is_measured() -> None:
    report = run([query for query in QUERIES if not query.answerable], floor=0.5)
    assert counts(report.abstention) == [(3, 3), (3, 4), (0, 0), (0, 1)]
    assert report.measures["R@1"].mean is None
    assert isinstance(report.abstention, AbstentionReport)
    assert report.abstention.answered.share is None


@pytest.mark.parametrize(
    ("n", "n_of", "share", "low", "high"),
    [
        (0, 0, None, None, None),
        (1, 1, 1.0, None, None),
        # Wilson's bounds as in Newcombe 1998, Statistics in Medicine 17, table I: 81/263, 15/148, 0/20, 1/29
        (81, 263, 0.3080, 0.2553, 0.3662),
        (15, 148, 0.1014, 0.0624, 0.1605),
        (0, 20, 0.0, 0.0, 0.1611),
        (1, 29, 0.0345, 0.0061, 0.1718),
    ],
)
def test_shares_have_wilsons_interval(
    n: int, n_of: int, share: float | None, low: float | None, high: float | None
) -> None:
    found = share_of(n, n_of)
    assert (found.n, found.n_of) == (n, n_of)
    assert (found.share, found.low, found.high) == pytest.approx((share, low, high), abs=5e-5)


def test_a_report_gives_its_abstention_back_and_one_of_before_is_read_without() -> None:
    report = run(floor=0.5)
    assert msgspec.json.decode(msgspec.json.encode(report), type=RunReport) == report
    older = msgspec.json.encode(run(QUERIES[:3]))
    assert msgspec.json.decode(older, type=RunReport).abstention is UNSET


def test_a_stored_plan_keeps_the_floor_and_scores_abstention_again() -> None:
    asked = Settings(k=(1,))
    prepared = prepare(EvalSet("set", QUERIES), system(0.5), asked)
    plan = unpack_plan(pack_plan(Plan(prepared, system(0.5).describe(), asked)))
    assert plan.description == SystemDescription("scripted", "fts5", "0" * 64, ("fts5",), floor=0.5)
    report = report_run(plan, [NOTHING] * len(QUERIES), stamp=STAMP)
    assert counts(report.abstention) == [(5, 9), (5, 5), (0, 4), (2, 0)]
