"""Runs held against each other: figures worked out by hand, and equal to those of `rankle.stats`."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest

from fakes.compared import compared_run, results
from rankle import stats
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.core.run import RunReport
from rankle.reports.comparing import Request, compare_runs, labels_of
from rankle.reports.comparison import Comparison, MeasureDifference
from rankle.reports.differences import differences

M = "nDCG@10"
_RANDOM = np.random.default_rng(6)
A, B, C = (_RANDOM.uniform(size=30).round(3).tolist() for _ in range(3))


def compared(*runs: RunReport, **request: Any) -> Comparison:
    return compare_runs(runs, [run.system.method for run in runs], Request(**request))


def of(*scores: Sequence[float | None], **request: Any) -> Comparison:
    """Runs with the nDCG@10 of one query an entry; None where the run failed."""
    return compared(*(compared_run(f"m{n}", {M: values}) for n, values in enumerate(scores)), **request)


def only(found: Comparison) -> MeasureDifference:
    ((one,),) = (pair.measures for pair in found.pairs)
    return one


def test_the_figures_of_six_wins_are_those_of_the_hand() -> None:
    """Five of 0.1 and one of 0.4: mean 0.15, deviation 0.3 / √6; 2 of 64 flips are as extreme."""
    one = only(of([0.5] * 6, [0.6] * 5 + [0.9]))
    assert one.difference == pytest.approx(0.15)
    assert one.mean_a == pytest.approx(0.5)
    assert one.mean_b == pytest.approx(0.65)
    assert (one.p_value, one.p_adjusted) == (2 / 64, 2 / 64)
    assert (one.wins, one.ties, one.losses, one.n) == (6, 0, 0, 6)
    assert one.effect_size == pytest.approx(0.15 / (0.3 / 6**0.5))
    assert one.verdict == "better"


@pytest.mark.parametrize("method", ["randomisation", "t", "wilcoxon", "sign"])
def test_two_runs_by_one_measure_are_the_paired_test(method: Any) -> None:
    one = only(of(A, B, test=method, alpha=0.1, seed=3))
    test = stats.paired_test(A, B, method=method, seed=3, level=0.9)
    for name in ("n", "mean_a", "mean_b", "difference", "low", "high", "p_value", "wins", "ties", "losses",
                 "effect_size", "smallest_detectable"):  # fmt: skip
        assert getattr(one, name) == getattr(test, name), name
    assert one.p_adjusted == test.p_value


def test_several_measures_are_adjusted_by_holm_together() -> None:
    first, second = ({M: A, "AP": C, "RR": C}, {M: B, "AP": A, "RR": B})
    found = compared(compared_run("a", first), compared_run("b", second))
    tests = [stats.paired_test(first[name], second[name]) for name in first]
    assert (found.correction, found.n_tests) == ("holm", 3)
    figures = found.pairs[0].measures
    assert [one.p_value for one in figures] == [test.p_value for test in tests]
    assert [one.p_adjusted for one in figures] == list(stats.holm([test.p_value for test in tests]))
    spread = [np.subtract(second[name], first[name]) for name in first]
    assert [one.smallest_detectable for one in figures] == [
        pytest.approx(stats.smallest_detectable(values, alpha=0.05 / 3).effect) for values in spread
    ]


def test_against_the_first_the_figures_are_those_of_eval_with_several_methods() -> None:
    runs = [compared_run(f"m{n}", {M: values}) for n, values in enumerate((A, B, C))]
    found = compared(*runs, pairs="first")
    assert [(pair.a, pair.b) for pair in found.pairs] == [("A", "B"), ("A", "C")]
    for pair, one in zip(found.pairs, differences(runs, M), strict=True):
        figures = pair.measures[0]
        assert one.test is not None
        assert (figures.difference, figures.low, figures.high) == (
            one.test.difference,
            one.test.low,
            one.test.high,
        )
        assert (figures.p_value, figures.p_adjusted) == (one.test.p_value, one.p_holm)


def test_all_pairs_are_those_of_randomised_tukey() -> None:
    found = of(A, B, C, seed=2)
    whole = stats.tukey_hsd(np.column_stack([A, B, C]), names=["A", "B", "C"], seed=2)
    assert found.correction == "tukey"
    for pair, tukey in zip(found.pairs, whole.pairs, strict=True):
        (one,) = pair.measures
        assert (pair.a, pair.b) == (tukey.a, tukey.b)
        assert one.difference == pytest.approx(tukey.difference)
        assert (one.low, one.high, one.p_value, one.p_adjusted) == (
            tukey.low,
            tukey.high,
            tukey.p_value,
            tukey.p_value,
        )


def test_tukey_over_several_measures_is_multiplied_by_their_number() -> None:
    runs = [compared_run(f"m{n}", {M: values, "AP": A}) for n, values in enumerate((A, B, C))]
    one = compared(*runs).pairs[0].measures[0]
    assert one.p_value is not None
    assert one.p_adjusted == min(1.0, 2 * one.p_value)


def test_another_test_compares_several_runs_with_the_first() -> None:
    found = of(A, B, C, test="t")
    assert (found.correction, len(found.pairs)) == ("holm", 2)
    with pytest.raises(InputError, match="all pairs are compared by randomisation"):
        of(A, B, C, test="t", pairs="all")


def test_failed_queries_are_left_out_of_both_sides_and_told() -> None:
    found = of([0.5, None, 0.5, 0.2], [1.0, 1.0, None, 0.2])
    assert (only(found).n, only(found).mean_a, only(found).difference) == (2, 0.35, 0.25)
    assert found.notes == [
        "A failed on 1 query, left out of both sides: q1",
        "B failed on 1 query, left out of both sides: q2",
    ]
    assert [run.n_failed for run in found.runs] == [1, 1]


def test_with_tukey_a_query_that_one_failed_on_is_left_out_of_all() -> None:
    found = of([0.5] * 4, [0.6] * 4, [None, 0.1, 0.1, 0.1])
    assert [pair.measures[0].n for pair in found.pairs] == [3, 3, 3]


def test_equal_scores_are_no_difference() -> None:
    found = of(A, A)
    assert (only(found).p_value, only(found).difference, only(found).verdict) == (
        1.0,
        0.0,
        "no difference shown",
    )
    assert found.verdicts[0].sentence == "NDCG@10: no difference shown; all 30 queries score the same."
    assert found.pairs[0].moves == []


def test_one_query_shows_nothing_and_says_what_would() -> None:
    """Of 2^n flips two are the most extreme, so p can be 0.05 from six queries on, 0.025 from seven."""
    (said,) = of([0.0], [1.0]).verdicts
    assert said.sentence == (
        "NDCG@10: no difference shown; 1 query is too few to show any, which takes at least 6."
    )
    both = [compared_run(name, {M: [score], "AP": [score]}) for name, score in (("a", 0.0), ("b", 1.0))]
    assert "takes at least 7" in compared(*both).verdicts[0].sentence


def test_equal_differences_are_found_though_nothing_varies() -> None:
    one = only(of([0.25] * 8, [0.5] * 8))
    assert (one.p_value, one.effect_size, one.smallest_detectable) == (2 / 2**8, None, None)
    assert one.verdict == "better"
    with pytest.raises(CannotMeasureError, match=r"^of NDCG@10, all 8 differences are 0\.25"):
        of([0.25] * 8, [0.5] * 8, test="t")


def test_only_the_adjustment_may_decide_and_then_it_is_said() -> None:
    """p = 2/64 by itself, twice that for two measures."""
    runs = [
        compared_run(name, {M: [score] * 6, "AP": [0.0, 1.0] * 3}) for name, score in (("a", 0.0), ("b", 1.0))
    ]
    said = compared(*runs).verdicts[0].sentence
    assert said.endswith("p 0.0312 by itself, but 0.0625 adjusted for 2 tests.")
    assert compared(*runs, measures=(M,)).verdicts[0].sentence == (
        "NDCG@10: B is better (+1.000, 95% interval +1.000 to +1.000; p 0.0312)."
    )


def test_tests_of_ranks_that_contradict_the_mean_are_unclear() -> None:
    """Nineteen small wins and one loss that outweighs them."""
    found = of([0.5] * 20, [0.51] * 19 + [0.0], test="sign")
    assert only(found).verdict == "unclear"
    assert "do not point the same way" in found.verdicts[0].sentence
    assert found.notes[0].startswith("the sign test weighs wins against losses")


def test_no_query_that_both_scored_cannot_be_compared() -> None:
    with pytest.raises(CannotMeasureError, match="no query was scored by two of these runs"):
        of([None, 0.5], [0.5, None])
    undefined = [
        compared_run(name, {M: [0.5]}, queries=[{"status": "undefined", "scores": {}}]) for name in "ab"
    ]
    with pytest.raises(CannotMeasureError, match="the set has a relevant label for it"):
        compared(*undefined)


def test_a_measure_that_no_query_has_in_both_is_said_beside_the_others() -> None:
    a = compared_run("a", {M: [0.5], "AP": [0.5]})
    b = compared_run("b", {M: [0.5], "AP": [0.5]}, queries=[{"scores": {M: 0.5}}])
    found = compared(a, b)
    assert found.pairs[0].measures[1].verdict == "not compared"
    assert found.verdicts[1].sentence == "MAP: not compared, since no query was scored by both."


def test_of_each_kind_the_deepest_cut_is_compared() -> None:
    names = ("R@1", "R@10", "nDCG@5", "nDCG(gain=exp2)@5", "RR@10", "RR", "Judged@10")
    runs = [compared_run(name, dict.fromkeys(names, A)) for name in "ab"]
    found = compared(*runs)
    assert [one.measure for one in found.pairs[0].measures] == ["R@10", "nDCG@5", "nDCG(gain=exp2)@5", "RR"]
    assert found.main_measure == "nDCG@5"
    asked = compared(*runs, measures=("recall@1", "R@1", "mrr"))
    assert [one.measure for one in asked.pairs[0].measures] == ["R@1", "RR"]


def test_what_moved_is_in_order_of_its_change_with_both_first_ranks() -> None:
    ranks: list[list[int | None]] = [[1, 2, 3, None], [9, 2, 1, 4]]
    scores = [[1.0, 0.5, 0.3, 0.0], [0.1, 0.5, 0.9, 0.6]]
    runs = [
        compared_run(name, {M: own}, queries=[{"first_relevant_rank": rank} for rank in first])
        for name, own, first in zip("ab", scores, ranks, strict=True)
    ]
    moved = compared(*runs).pairs[0].moves
    assert [
        (move.id, move.first_relevant_rank_a, move.first_relevant_rank_b) for move in moved
    ] == [("q0", 1, 9), ("q2", 3, 1), ("q3", None, 4)]  # fmt: skip


def test_slices_are_those_of_paired_slices_worst_first() -> None:
    queries = [{"language": "de" if n % 3 else "en", "tags": ["x"] if n < 9 else []} for n in range(30)]
    runs = [compared_run(name, {M: scores}, queries=queries) for name, scores in (("a", A), ("b", B))]
    found = compared(*runs).pairs[0].slices
    en = np.arange(30) % 3 == 0
    expected = stats.paired_slices(A, B, {"de": ~en, "en": en, "x": np.arange(30) < 9})
    assert [(one.value, one.n, one.difference, one.p_adjusted) for one in found] == [
        (one.name, one.n, one.test.difference, one.p_adjusted) for one in expected if one.test
    ]
    assert {one.by for one in found} == {"language", "tag"}, "all texts are of two words"


def test_rankings_overlap_and_unjudged_results_of_one_run_alone_are_counted() -> None:
    """In the first two: x is unjudged in A only, y and z in B only; w stands below."""
    mine = [results(("a", 1), ("x", None), ("w", None)), results(("a", 1), ("u", None))]
    theirs = [results(("y", None), ("a", 1)), results(("u", None), ("z", None))]
    runs = [
        compared_run(name, {"nDCG@2": [1.0, 1.0]}, queries=[{"results": one} for one in own], k=[2])
        for name, own in (("a", mine), ("b", theirs))
    ]
    one = compared(*runs).pairs[0].overlap
    assert one is not None
    assert (one.n, one.k, one.unjudged_only_a, one.unjudged_only_b) == (2, 2, 1, 2)
    lists = [[[result.id for result in ranked] for ranked in own] for own in (mine, theirs)]
    assert one.rbo == pytest.approx(stats.rank_biased_overlap(*lists).mean())


def test_unjudged_results_count_only_where_they_count_against_a_run() -> None:
    """Nothing is relevant to the second query, so that whatever is found for it moves no score."""
    other = {"status": "undefined", "scores": {}, "results": results(("x", None), ("y", None))}
    none = {"status": "undefined", "scores": {}, "results": []}
    a = compared_run("a", {M: [1.0, 0.0]}, queries=[{"results": results(("t", 1), ("u", None))}, none])
    b = compared_run("b", {M: [1.0, 0.0]}, queries=[{"results": results(("t", 1))}, other])
    one = compared(a, b).pairs[0].overlap
    assert one is not None
    assert (one.n, one.unjudged_only_a, one.unjudged_only_b) == (2, 1, 0)


def test_records_without_results_have_no_overlap() -> None:
    assert of(A, B).pairs[0].overlap is None


def test_many_unjudged_results_of_one_run_are_warned_of() -> None:
    own = [results(*((f"{n}", None) for n in range(10)))]
    a = compared_run("a", {M: [1.0]}, queries=[{"results": results(("t", 1))}])
    b = compared_run("b", {M: [0.0]}, queries=[{"results": one} for one in own])
    (note,) = compared(a, b).notes
    assert note == (
        "B returns 10 unjudged results that A does not, against 0 the other way round; they count as not "
        "relevant, so B may be better than it looks"
    )


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"alpha": 0.0}, "alpha must be between 0 and 1, got 0"),
        ({"alpha": 5.0}, "alpha must be between 0 and 1, got 5"),
        ({"test": "welch"}, 'unknown test "welch"'),
        ({"pairs": "some"}, 'pairs must be "all" or "first"'),
        ({"seed": -1}, "the seed must be an integer >= 0"),
        ({"measures": ()}, "no measure is named"),
    ],
    ids=["alpha 0", "alpha 5", "test", "pairs", "seed", "measures"],
)
def test_a_request_that_means_nothing_is_refused(request_: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Request(**request_)


def test_a_measure_that_a_run_does_not_have_is_named_with_what_it_has() -> None:
    a, b = compared_run("a", {M: A, "AP": A}), compared_run("b", {M: B})
    with pytest.raises(
        UnknownNameError, match=r'unknown measure of run B "AP".*It has nDCG@10\. .*rescore RUN --measures AP'
    ):
        compared(a, b, measures=("map",))
    with pytest.raises(InputError, match="Judged@10 describes the judgments"):
        compared(a, b, measures=("Judged@10",))


def test_one_run_alone_is_no_comparison() -> None:
    with pytest.raises(InputError, match="takes two runs or more, got 1"):
        compared(compared_run("a", {M: A}))


def test_labels_go_on_behind_z() -> None:
    assert [labels_of(30)[place] for place in (0, 25, 26, 29)] == ["A", "Z", "A2", "D2"]


def test_the_order_of_the_queries_is_irrelevant() -> None:
    a, b = compared_run("a", {M: A}), compared_run("b", {M: B})
    turned = msgspec.structs.replace(b, queries=b.queries[::-1])
    other = msgspec.structs.replace(turned, set=msgspec.structs.replace(turned.set, fingerprint="1" * 64))
    assert compared(a, turned).pairs == compared(a, b).pairs
    with pytest.raises(CannotMeasureError, match="set differs"):  # these records keep no judgments
        compared(a, other)


def test_it_is_the_same_each_time() -> None:
    assert of(A, B, C) == of(A, B, C)


def test_it_shows_as_a_table_and_as_words() -> None:
    found = of(A, B)
    assert str(found).splitlines() == [
        "A is m0, B is m1; 30 queries in common.",
        found.verdicts[0].sentence,
    ]
    assert repr(found) == "<Comparison of m0, m1 over 30 queries>"
    assert found._repr_html_().count("<tr>") == 2
    assert found.to_polars()["measure"].to_list() == [M]
    assert found.to_pandas().shape == (1, len(found.to_rows()[0]))
    assert found.to_dict()["runs"][0]["set"]["name"] == "set"


def test_one_sentence_tells_of_all_pairs() -> None:
    """The one 0 of each query falls to the same run in 3 of 3^8 shuffles, and no other range is as large."""
    (verdict,) = of([0.0] * 8, [1.0] * 8, [1.0] * 8).verdicts
    assert verdict.sentence == (
        "NDCG@10: B is better than A (+1.000, p 0.0005); C is better than A (+1.000, p 0.0005); "
        "no difference shown between B and C."
    )
    (none,) = of(A, A, B, pairs="first").verdicts
    assert none.sentence.startswith("NDCG@10: no difference shown between A-B, A-C; one of ")
    (failed,) = of([0.5, 0.5], [0.5, 0.5], [None, None], pairs="first").verdicts
    assert failed.sentence == (
        "NDCG@10: no difference shown between A and B; 2 queries are too few to show any, which takes at "
        "least 7; no query of A and C was scored by both."
    )
