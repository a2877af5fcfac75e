"""What is packed comes back, and reports come back to the byte."""

import math
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.recorded import made_up
from rankle.core.errors import RecordError
from rankle.core.outcome import Answer, Outcome
from rankle.core.search import Hit, Stage, StageRank
from rankle.records.packing import pack_outcome, pack_report, unpack_outcome, unpack_report

NAMES = st.text(max_size=8)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
TIMES = st.floats(min_value=0, max_value=1e9)
HITS = st.lists(st.builds(Hit, NAMES, NAMES, SCORES, st.just(0), st.lists(NAMES, max_size=3).map(tuple)))
RANKS = st.dictionaries(NAMES, st.builds(StageRank, st.integers(1, 10**6), st.just(math.nan)))
STAGES = st.lists(st.builds(Stage, NAMES, TIMES, RANKS, st.booleans()), max_size=3)
ANSWERS = st.builds(
    lambda hits, stages, n, notices: Answer(
        tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)),
        tuple(stages),
        n,
        tuple(notices),
    ),
    HITS,
    STAGES,
    st.integers(0, 9),
    st.lists(NAMES, max_size=2),
)
OUTCOMES = st.one_of(
    st.builds(Outcome, ANSWERS, st.none(), TIMES, st.none() | st.integers(1, 128), st.none() | NAMES),
    st.builds(Outcome, st.none(), NAMES, st.none()),
)


def comparable(outcome: Outcome) -> Any:
    """As text, since NaN is the score of everything in a stage, and -0.0 equals 0.0."""
    return repr(outcome)


@given(OUTCOMES)
def test_an_outcome_comes_back_whole(outcome: Outcome) -> None:
    assert comparable(unpack_outcome(pack_outcome(outcome))) == comparable(outcome)


def test_texts_and_the_scores_of_stages_are_not_kept() -> None:
    stage = Stage("fts5", 1.0, {"a": StageRank(1, 7.5)}, exhausted=False)
    answer = Answer((Hit("a", "a", 7.5, 1, folded=("b",)),), (stage,), 0)
    (hit,), (kept,) = _answer(unpack_outcome(pack_outcome(Outcome(answer, None, 1.0))))
    assert (hit, kept.exhausted, kept.ranks["a"].rank) == (Hit("a", "a", 7.5, 1), False, 1)
    assert math.isnan(kept.ranks["a"].score)


def _answer(outcome: Outcome) -> tuple[tuple[Hit, ...], tuple[Stage, ...]]:
    assert outcome.answer is not None
    return outcome.answer.hits, outcome.answer.stages


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 6))
def test_a_report_comes_back_to_the_byte(seed: int, n_queries: int, n_results: int) -> None:
    run = made_up(seed=seed, n_queries=n_queries, n_results=n_results)
    outcomes = [pack_outcome(outcome) for _, outcome in run.outcomes.values()]
    again = unpack_report(pack_report(run.report, outcomes), outcomes)
    assert msgspec.json.encode(again) == msgspec.json.encode(run.report)


@pytest.mark.parametrize("change", ["score", "order", "fewer"])
def test_results_that_are_not_those_of_the_outcome_are_kept_whole(change: str) -> None:
    run = made_up(n_queries=2)
    outcomes = [pack_outcome(outcome) for _, outcome in run.outcomes.values()]
    results = run.report.queries[0].results
    changed = {
        "score": [msgspec.structs.replace(results[0], score=-0.0), *results[1:]],
        "order": results[::-1],
        "fewer": results[:-1],
    }[change]
    query = msgspec.structs.replace(run.report.queries[0], results=changed)
    report = msgspec.structs.replace(run.report, queries=[query, run.report.queries[1]])
    again = unpack_report(pack_report(report, outcomes), outcomes)
    assert msgspec.json.encode(again) == msgspec.json.encode(report)


def test_a_report_with_other_outcomes_is_an_error_and_no_other_report() -> None:
    run, other = made_up(), made_up(n_results=3)
    blob = pack_report(run.report, [pack_outcome(outcome) for _, outcome in run.outcomes.values()])
    with pytest.raises(RecordError, match="cannot be read"):
        unpack_report(blob, [pack_outcome(outcome) for _, outcome in other.outcomes.values()])


@pytest.mark.parametrize("blob", [b"", b"no zstd", pack_outcome(Outcome(None, "boom", None))[:-3]], ids=repr)
def test_a_damaged_blob_is_an_error(blob: bytes) -> None:
    with pytest.raises(RecordError, match="cannot be"):
        unpack_outcome(blob)
