from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from fakes.running_evals import cases_of, prepared, run
from rankle.core.evals import EvalSummary, ScorerSummary
from rankle.harness.evals.case import Case
from rankle.harness.evals.prepared import PreviousRun
from rankle.harness.evals.runner import RanEvals
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.stats.intervals import mean_interval, wilson_interval
from rankle.stats.paired import paired_test
from rankle.stats.trials import split_variance

CRASH = "crash"


def table(rows: Sequence[Any], *, weight: float = 1.0, name: str = "score") -> Scorer:
    """A scorer that says of each case and trial what stands in a table; it raises on CRASH."""

    def say(context: ScoreContext) -> Any:
        said = rows[context.input][context.trial]
        if said == CRASH:
            raise ValueError("as the table says")
        return said

    return Scorer(name, say, f"what {name} means", weight)


def ran(
    *scorers: Scorer,
    n: int,
    trials: int = 1,
    threshold: float | None = None,
    fails: Sequence[tuple[int, int]] = (),
    previous: PreviousRun | None = None,
    **options: Any,
) -> RanEvals:
    def task(input: int, case: Case) -> int:
        if (input, case.trial) in fails:
            raise RuntimeError("the task crashed")
        return input

    one = prepared(task, range(n), scorers=scorers, options={"trials": trials, "threshold": threshold})
    return run(one, previous=previous, **options)


def summary(*scorers: Scorer, **given: Any) -> EvalSummary:
    return ran(*scorers, **given).evals[0]


def only(summary: EvalSummary) -> ScorerSummary:
    (scorer,) = summary.scorers
    return scorer


def test_trials_are_averaged_within_a_case_and_cases_within_a_scorer() -> None:
    scores = [[1.0, 0.5], [0.0, 0.5], [0.25, 0.25]]
    found = ran(table(scores), n=3, trials=2)
    assert [case.scores for case in cases_of(found)] == [{"score": 0.75}, {"score": 0.25}, {"score": 0.25}]
    one = only(found.evals[0])
    assert one.mean == pytest.approx(1.25 / 3)
    assert (one.n_scored, one.n_undefined, one.n_failed) == (3, 0, 0)
    assert one.description == "what score means"


def test_a_case_with_fewer_scored_trials_counts_as_much_as_any_other() -> None:
    found = summary(table([[1.0, None], [0.0, 0.0]]), n=2, trials=2)
    assert only(found).mean == 0.5


def test_intervals_are_those_of_rankle_eval() -> None:
    values = [0.1, 0.9, 0.5, 0.45, 0.3]
    one = only(summary(table([[value] for value in values]), n=5))
    expected = mean_interval(values)
    assert (one.low, one.high) == (expected.low, expected.high)
    binary = only(summary(table([[True], [False], [True]]), n=3))
    wilson = wilson_interval(2, 3)
    assert (binary.low, binary.high) == (wilson.low, wilson.high)
    alone = only(summary(table([[1.0]]), n=1))
    assert (alone.mean, alone.low, alone.high) == (1.0, None, None)


def test_the_single_figure_is_the_mean_of_the_scorers_by_weight() -> None:
    found = ran(
        table([[1.0], [0.0]], name="a", weight=3),
        table([[0.0], [0.0]], name="b"),
        table([[1.0], [1.0]], name="c", weight=0),
        n=2,
    )
    assert found.evals[0].score == pytest.approx(3 * 0.5 / 4)
    assert [case.score for case in cases_of(found)] == [0.75, 0.0]
    assert [one.weight for one in found.evals[0].scorers] == [3, 1, 0]


def test_several_scores_of_one_scorer_share_its_weight() -> None:
    said = [[{"recall": 1.0, "precision": 0.0}], [Score(0.5, name="recall")]]
    found = ran(table(said, name="search"), table([[0.0], [0.0]], name="other"), n=2)
    recall, precision, other = found.evals[0].scorers
    assert [(one.name, one.weight) for one in found.evals[0].scorers] == [
        ("search.recall", 0.5), ("search.precision", 0.5), ("other", 1.0),
    ]  # fmt: skip
    assert (recall.mean, precision.mean, other.mean) == (0.75, 0.0, 0.0)
    assert (precision.n_scored, precision.n_undefined) == (1, 1)
    assert found.evals[0].score == pytest.approx(0.375 / 2)
    assert [case.score for case in cases_of(found)] == [0.25, 0.25]


def test_a_label_beside_scores_takes_none_of_their_weight() -> None:
    said = [[{"recall": 1.0, "tone": "polite"}], [{"recall": 0.5, "tone": "curt"}]]
    found = ran(table(said, name="search"), table([[0.0], [0.0]], name="other"), n=2)
    assert [(one.name, one.weight) for one in found.evals[0].scorers] == [
        ("search.recall", 1.0), ("search.tone", 0.0), ("other", 1.0),
    ]  # fmt: skip
    assert found.evals[0].score == pytest.approx(0.75 / 2)
    assert [case.score for case in cases_of(found)] == [0.5, 0.25]


def test_reasons_are_counted_over_trials_the_most_frequent_first() -> None:
    said = [Score(None, reason=reason) for reason in ("no answer", "no source", "no answer")]
    one = only(summary(table([[said[0]], [said[1]], [said[2]], [1.0]]), n=4))
    assert list(one.reasons.items()) == [("no answer", 2), ("no source", 1)]
    assert (one.n_scored, one.n_undefined) == (1, 3)


def test_of_reasons_that_all_differ_the_first_are_told() -> None:
    n = 1_200
    said = [[Score(None, reason=f"{place} has none: {'x' * 500}")] for place in range(n)]
    one = only(summary(table(said), n=n))
    assert (one.n_undefined, len(one.reasons)) == (n, 10)
    assert max(map(len, one.reasons)) == 200


def test_every_scorer_that_crashed_on_a_case_is_told_the_first_time_that_it_did() -> None:
    first, second = (
        table([[1.0, CRASH], [CRASH, CRASH]], name="a"),
        table([[CRASH, 1.0], [1.0, 1.0]], name="b"),
    )
    found = summary(first, second, n=2, trials=2)
    assert [(one.position, one.where, one.trial) for one in found.failures] == [
        (0, "a", 1), (0, "b", 0), (1, "a", 0),
    ]  # fmt: skip
    assert found.n_failed == 2


def test_what_crashed_is_in_no_mean_and_counted_apart() -> None:
    scores = [[1.0, 1.0], [0.0, 0.0], [1.0, CRASH], [1.0, 1.0]]
    found = ran(table(scores), table([[1.0, 1.0]] * 4, name="other"), n=4, trials=2, fails=[(3, 0)])
    score, other = found.evals[0].scorers
    assert (score.mean, score.n_scored, score.n_failed) == (0.5, 2, 2)
    assert (other.mean, other.n_scored, other.n_failed) == (1.0, 3, 1)
    assert found.evals[0].n_failed == 2
    assert [case.status for case in cases_of(found)] == ["scored", "scored", "scored", "failed"]
    assert [case.scores for case in cases_of(found)] == [
        {"score": 1.0, "other": 1.0}, {"score": 0.0, "other": 1.0}, {"other": 1.0}, {},
    ]  # fmt: skip
    assert [(one.position, one.trial, one.where) for one in found.evals[0].failures] == [
        (2, 1, "score"), (3, 0, "task"),
    ]  # fmt: skip
    assert "2 cases of 4 failed. They are in no mean: repair them first." in found.evals[0].notices


def test_a_scorer_that_crashes_fails_all_the_scores_that_it_gives_elsewhere() -> None:
    one = only(summary(table([[{"recall": 1.0}], [CRASH]], name="search"), n=2))
    assert (one.name, one.mean, one.n_failed) == ("search.recall", 1.0, 1)


@pytest.mark.parametrize("fails", [[], [(0, 0), (1, 0), (2, 0)]], ids=["scorer", "task"])
def test_where_everything_crashed_there_is_no_score(fails: list[tuple[int, int]]) -> None:
    found = summary(table([[CRASH]] * 3), n=3, fails=fails, threshold=50)
    one = only(found)
    assert (one.mean, one.low, one.n_scored, one.n_failed) == (None, None, 0, 3)
    assert (found.score, found.passed, found.n_failed) == (None, None, 3)
    assert found.latency_ms.p50 is None if fails else found.latency_ms.p50 is not None


def test_the_means_of_scorers_and_of_cases_agree_whatever_crashes() -> None:
    scores = [[0.2, 0.4, CRASH], [0.3, None, 0.5], ["good", "bad", "good"], [1.0, 1.0, 1.0], [0.9, 0.9, 0.9]]
    found = ran(table(scores), n=5, trials=3, fails=[(4, 2)])
    values = [case.scores["score"] for case in cases_of(found) if "score" in case.scores]
    one = only(found.evals[0])
    assert one.mean == pytest.approx(sum(values) / len(values))
    assert (one.n_scored, one.n_undefined, one.n_failed) == (2, 1, 2)
    assert one.n_scored == len(values)
    assert found.evals[0].score == one.mean


def test_labels_are_counted_over_trials_and_are_in_no_mean() -> None:
    one = only(summary(table([["good", "bad"], ["good", "ugly"], [1.0, None]]), n=3, trials=2))
    assert one.labels == {"good": 2, "bad": 1, "ugly": 1}
    assert list(one.labels) == ["good", "bad", "ugly"]
    assert (one.mean, one.n_scored, one.n_undefined) == (1.0, 1, 2)


def test_a_case_to_which_no_scorer_applies_is_undefined() -> None:
    found = ran(table([[None], [1.0]]), n=2)
    assert [case.status for case in cases_of(found)] == ["undefined", "scored"]
    assert cases_of(found)[0].trials[0].scores[0].reason is not None
    assert only(found.evals[0]).n_undefined == 1


@pytest.mark.parametrize(
    ("said", "measured"), [([None, None], False), ([None, 0.0], True), ([None, "good"], True)]
)
def test_where_no_scorer_applies_to_any_case_that_is_told(said: list[Any], measured: bool) -> None:
    found = summary(table([[one] for one in said]), n=2)
    assert ("No scorer applies to any case: nothing is measured." not in found.notices) is measured


@pytest.mark.parametrize(
    ("scores", "threshold", "passed"),
    [
        ([0.7], 70, True),
        ([0.6999], 70, False),
        ([0.1] * 7 + [1.0] * 9, 60.625, True),
        ([0.0], 0, True),
        ([1.0], 100, True),
        ([None], 50, None),
        ([0.9], None, None),
    ],
)
def test_a_threshold_is_reached_from_its_own_value_on(
    scores: list[float], threshold: float | None, passed: bool | None
) -> None:
    found = summary(table([[one] for one in scores]), n=len(scores), threshold=threshold)
    assert found.passed is passed
    assert found.threshold == threshold


def test_repeating_tells_how_much_trials_differ() -> None:
    scores = [[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    spread = only(summary(table(scores), n=3, trials=3)).trials
    expected = split_variance(scores)
    assert spread is not None
    assert expected.trial_variance is not None
    assert spread.n_trials == 9
    assert spread.sd == pytest.approx(expected.trial_variance**0.5)
    assert spread.share == expected.trial_share
    assert spread.pass_at_k == pytest.approx(2 / 3)
    assert spread.pass_all_k == pytest.approx(1 / 3)


def test_one_trial_a_case_tells_nothing_of_trials() -> None:
    assert only(summary(table([[1.0]]), n=1)).trials is None


def test_trials_that_were_never_scored_have_no_spread() -> None:
    spread = only(summary(table([[None, "label"]]), n=1, trials=2)).trials
    assert spread is not None
    assert (spread.n_trials, spread.sd, spread.pass_at_k) == (0, None, None)


@pytest.mark.parametrize(
    ("scores", "threshold", "fails", "flaky"),
    [
        ([0.6, 0.4], None, [], True),
        ([0.6, 0.5], None, [], False),
        ([0.6, 0.4], 30, [], False),
        ([0.6, 0.5], 55, [], True),
        ([1.0, 1.0], None, [(0, 1)], True),
        ([0.0, 0.0], None, [(0, 1)], False),
        ([1.0, None], None, [], False),
    ],
)
def test_a_case_is_flaky_where_some_trials_pass_and_others_do_not(
    scores: list[Any], threshold: float | None, fails: list[tuple[int, int]], flaky: bool
) -> None:
    found = ran(table([scores]), n=1, trials=2, threshold=threshold, fails=fails)
    assert cases_of(found)[0].flaky is flaky
    assert found.evals[0].n_flaky == flaky


def before(scores: Mapping[str, Sequence[float]], *, offset: int = 0) -> PreviousRun:
    """The run before, of cases by their place."""
    return PreviousRun(
        id="abc",
        created="2026-11-29T00:00:00Z",
        scores={
            name: {f"case-{place + offset:012x}": value for place, value in enumerate(values)}
            for name, values in scores.items()
        },
    )


def test_a_change_is_the_paired_difference_that_compare_gives() -> None:
    old, new = [0.5, 0.2, 0.4, 0.9, 0.1, 0.3, 0.6], [0.6, 0.2, 0.5, 0.8, 0.4, 0.5, 0.9]
    found = summary(table([[one] for one in new]), n=7, previous=before({"score": old}), seed=5)
    change = only(found).change
    expected = paired_test(old, new, seed=5)
    assert change is not None
    assert (change.n, change.before, change.now) == (7, expected.mean_a, expected.mean_b)
    assert (change.difference, change.low, change.high) == (expected.difference, expected.low, expected.high)
    assert change.p_value == expected.p_value
    assert found.previous is not None
    assert found.previous.id == "abc"


def test_an_unchanged_run_differs_by_nothing_from_what_it_was() -> None:
    values = [0.5, 0.25, 1.0]
    change = only(summary(table([[v] for v in values]), n=3, previous=before({"score": values}))).change
    assert change is not None
    assert (change.difference, change.before, change.now, change.p_value) == (
        0.0,
        change.now,
        change.before,
        1.0,
    )
    assert change.before == pytest.approx(1.75 / 3)


@pytest.mark.parametrize("n", [1, 5, 6, 20, 21, 60])
def test_an_unchanged_run_has_the_change_that_compare_gives(n: int) -> None:
    values = [place / n for place in range(n)]
    change = only(summary(table([[v] for v in values]), n=n, previous=before({"score": values}))).change
    expected = paired_test(values, values)
    assert change is not None
    assert (change.low, change.high) == (expected.low, expected.high)
    assert change.p_value == (expected.p_value if n > 1 else None)


def test_cases_are_compared_by_their_ids_and_only_those_that_both_scored() -> None:
    previous = before({"score": [0.0, 0.25, 1.0]}, offset=1)
    change = only(summary(table([[1.0], [0.5], [CRASH], [1.0]]), n=4, previous=previous)).change
    assert change is not None
    assert (change.n, change.before, change.now, change.difference) == (2, 0.5, 0.75, 0.25)


@pytest.mark.parametrize(
    "previous",
    [None, before({"another": [1.0]}), before({"score": [1.0]}, offset=50), before({})],
    ids=["no run", "no such scorer", "other cases", "no scores"],
)
def test_there_is_no_change_where_there_is_nothing_to_compare(previous: PreviousRun | None) -> None:
    assert only(summary(table([[1.0]]), n=1, previous=previous)).change is None


def test_a_change_of_one_case_has_no_interval_and_no_p() -> None:
    change = only(summary(table([[1.0]]), n=1, previous=before({"score": [0.5]}))).change
    assert change is not None
    assert (change.n, change.difference, change.low, change.high, change.p_value) == (
        1,
        0.5,
        None,
        None,
        None,
    )


def test_latency_is_that_of_the_task_by_nearest_rank() -> None:
    ticks = iter(range(10_000))
    found = summary(table([[1.0]] * 4), n=4, concurrency=1, clock=lambda: next(ticks) / 1000)
    assert found.latency_ms.p50 == pytest.approx(1.0)
    assert found.latency_ms.p95 == pytest.approx(1.0)


def test_failures_are_listed_up_to_a_hundred_in_the_order_of_the_data() -> None:
    found = summary(table([[CRASH, CRASH]] * 130), n=130, trials=2)
    assert found.n_failed == 130
    assert [(one.position, one.trial) for one in found.failures] == [(place, 0) for place in range(100)]


def test_few_cases_are_said_to_be_few() -> None:
    few = "are few: a change must be large to be told from chance."
    assert f"3 cases {few}" in summary(table([[1.0]] * 3), n=3).notices
    assert not any(few in one for one in summary(table([[1.0]] * 20), n=20).notices)


def test_what_was_known_before_running_stands_in_the_summary() -> None:
    one = prepared(inputs=[0], name="Vector search", tags=["smoke"], description="Searches", is_full=False)
    found = run(one).evals[0]
    assert (found.name, found.file, found.tags, found.description) == (
        "Vector search", "evals/echo_eval.py", ["smoke"], "Searches",
    )  # fmt: skip
    assert (found.data, found.n_in_data, found.is_full, found.trials) == ("rows", 1, False, 1)
    assert found.line is not None
