"""Every measure against figures that were worked out by hand."""

from math import log2

import numpy as np
import pytest

from rankle.core.errors import MeasureError
from rankle.metrics.engine import compute, depth_needed
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import parse_measure, parse_measures

# One query; results a b c d e; x y are judged and were not retrieved; d is unjudged.
RESULTS = ["a", "b", "c", "d", "e"]
GRADES = {"a": 0, "b": 2, "c": 0, "e": 1, "x": 3, "y": 0}
DCG = 2 / log2(3) + 1 / log2(6)
IDEAL = 3 / log2(2) + 2 / log2(3) + 1 / log2(4)


def score(name: str, results: list[str], grades: dict[str, int]) -> float:
    measure = parse_measure(name)
    return float(compute(JudgedRanks.from_lists([results], [grades]), [measure])[measure][0])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("P@1", 0 / 1),
        ("P@2", 1 / 2),
        ("P@5", 2 / 5),
        ("P@10", 2 / 10),  # five results at P@10: the divisor stays 10
        ("P(rel=2)@2", 1 / 2),
        ("P(rel=3)@5", 0.0),
        ("R@2", 1 / 3),
        ("R@5", 2 / 3),
        ("R(rel=2)@5", 1 / 2),
        ("R_cap@2", 1 / 2),
        ("R_cap@5", 2 / 3),
        ("F1@5", 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)),
        ("F1", 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)),
        ("F1@1", 0.0),
        ("Hit@1", 0.0),
        ("Hit@2", 1.0),
        ("Hit", 1.0),
        ("RR", 1 / 2),
        ("RR@1", 0.0),
        ("RR(rel=2)", 1 / 2),
        ("AP", (1 / 2 + 2 / 5) / 3),
        ("AP@2", (1 / 2) / 3),
        ("AP(rel=2)", (1 / 2) / 2),
        ("Rprec", 1 / 3),
        ("nDCG", DCG / IDEAL),
        ("nDCG@2", (2 / log2(3)) / (3 + 2 / log2(3))),
        ("nDCG@1", 0.0),
        ("nDCG(rel=2)@5", (2 / log2(3)) / (3 + 2 / log2(3))),
        ("nDCG(rel=3)", 0.0),
        ("nDCG(rel=2,gain=exp2)@5", (3 / log2(3)) / (7 + 3 / log2(3))),
        ("nDCG(gain=exp2)@5", (3 / log2(3) + 1 / log2(6)) / (7 + 3 / log2(3) + 1 / log2(4))),
        # above b stands a, above e stand a and c; R = 3, N = 3
        ("Bpref", ((1 - 1 / 3) + (1 - 2 / 3)) / 3),
        ("RBP(p=0.5)", 0.5 * (0.5**1 + 0.5**4)),
        ("RBP(p=0.5)@2", 0.5 * 0.5),
        ("RBP_resid(p=0.5)", 1 - 0.5 * (1 + 0.5 + 0.25 + 0.0625)),
        ("RBP_resid(p=0.5)@2", 1 - 0.5 * (1 + 0.5)),
        ("ERR", (1 / 2) * (3 / 16) + (1 / 5) * (13 / 16) * (1 / 16)),
        ("ERR@2", (1 / 2) * (3 / 16)),
        ("ERR(max=3)@2", (1 / 2) * (3 / 8)),
        ("Judged@5", 4 / 5),
        ("Judged@2", 1.0),
        ("Judged@10", 4 / 10),
        ("Judged", 4 / 5),
        ("SetP", 2 / 5),
        ("SetR", 2 / 3),
    ],
)
def test_figures_worked_by_hand(name: str, value: float) -> None:
    assert score(name, RESULTS, GRADES) == pytest.approx(value, rel=1e-12, abs=1e-15)


def test_inferred_ap_counts_pooled_but_unjudged_results_apart() -> None:
    # p was pooled and not judged (-1), n was judged not relevant, o was never pooled; r stands fourth
    e = 1e-5
    expected = 1 / 4 + 3 / 4 * (2 / 3) * (e / (1 + 2 * e))
    assert score("infAP", ["p", "n", "o", "r"], {"p": -1, "n": 0, "r": 1}) == pytest.approx(
        expected, rel=1e-12
    )
    assert score("AP", ["p", "n", "o", "r"], {"p": -1, "n": 0, "r": 1}) == 1 / 4


def test_bpref_is_a_number_where_nothing_was_judged_not_relevant() -> None:
    assert score("Bpref", ["o", "a"], {"a": 1, "b": 1}) == 0.5


def test_a_late_first_hit_is_beyond_the_cut_of_reciprocal_rank() -> None:
    results = [f"n{i}" for i in range(10)] + ["hit"]
    assert score("RR@10", results, {"hit": 1}) == 0
    assert score("RR@11", results, {"hit": 1}) == 1 / 11


def test_twenty_relevant_targets_at_ten() -> None:
    results, grades = [f"r{i}" for i in range(10)], {f"r{i}": 1 for i in range(20)}
    assert score("AP@10", results, grades) == 0.5  # over all 20, as trec_eval's map_cut
    assert score("R@10", results, grades) == 0.5
    assert score("R_cap@10", results, grades) == 1.0


def test_three_results_of_which_two_are_judged_at_ten() -> None:
    assert score("Judged@10", ["a", "b", "c"], {"a": 1, "b": 0}) == 0.2


def test_a_negative_grade_is_unjudged() -> None:
    assert score("Judged@2", ["a", "b"], {"a": -1, "b": 1}) == 0.5
    assert score("nDCG@2", ["a", "b"], {"a": -2, "b": 1}) == pytest.approx(1 / log2(3))
    assert score("R@2", ["a", "b"], {"a": -1, "b": 1}) == 1.0


def test_a_query_without_a_relevant_judgment_is_undefined_and_not_zero() -> None:
    measures = parse_measures("nDCG@10,R@10,P@5,RR,AP,Hit@5,Rprec,Bpref,infAP,ERR,RBP,F1@5,R_cap@5,SetP,SetR")
    judged = JudgedRanks.from_lists([["a"], ["a"]], [{"a": 0}, {}])
    for values in compute(judged, measures).values():
        assert np.isnan(values).all()
    for values in compute(judged, measures, undefined="zero").values():
        assert (values == 0).all()


def test_what_describes_the_judgments_is_defined_for_every_query() -> None:
    judged = JudgedRanks.from_lists([["a", "b"], []], [{"a": 0}, {}])
    values = compute(judged, parse_measures("Judged@1,RBP_resid(p=0.5)"))
    assert [list(v) for v in values.values()] == [[1, 0], [0.5, 1]]


def test_a_query_that_the_run_misses_scores_zero() -> None:
    judged = JudgedRanks.from_lists([[], ["a"]], [{"a": 1}, {"a": 1}])
    for values in compute(judged, parse_measures("nDCG@10,R@10,P@1,RR,AP,Hit@5,SetP,F1,ERR")).values():
        assert values[0] == 0
        assert values[1] > 0


def test_the_stated_relevant_set_rules_binary_measures_and_grades_rule_the_graded() -> None:
    results, grades = [["a", "b", "c"]], [{"a": 2, "b": 1, "c": 0}]
    judged = JudgedRanks.from_lists(results, grades, relevant=[frozenset({"c", "z"})])
    values = {
        str(m): v[0]
        for m, v in compute(judged, parse_measures("P@3,R@3,RR,nDCG@3,P(rel=2)@3,Judged@3")).items()
    }
    assert values == {
        "P@3": 1 / 3,
        "R@3": 1 / 2,
        "RR": 1 / 3,
        "nDCG@3": 1.0,
        "P(rel=2)@3": 1 / 3,  # asks for grades by name
        "Judged@3": 1.0,
    }


def test_a_stated_target_without_a_grade_is_judged_with_grade_zero() -> None:
    judged = JudgedRanks.from_lists([["z"]], [{}], relevant=[frozenset({"z"})])
    values = compute(judged, parse_measures("P@1,nDCG@1,Judged@1,Bpref"))
    assert [v[0] for v in values.values()][::2] == [1, 1]
    assert np.isnan(values[parse_measure("nDCG@1")][0])
    assert values[parse_measure("Bpref")][0] == 1


def test_without_a_stated_set_grades_rule_everything() -> None:
    given = JudgedRanks.from_lists([["a"]], [{"a": 1}], relevant=[None])
    assert compute(given, [parse_measure("P@1")])[parse_measure("P@1")][0] == 1


def test_binary_labels_make_ndcg_at_1_the_precision_at_1() -> None:
    judged = JudgedRanks.from_lists([["a"], ["b"], ["a"], []], [{"a": 1}, {"a": 1}, {"a": 0}, {"a": 1}])
    ndcg, precision = compute(judged, parse_measures("nDCG@1,P@1")).values()
    np.testing.assert_array_equal(ndcg, precision)


def test_err_refuses_a_grade_beyond_its_scale() -> None:
    with pytest.raises(MeasureError, match=r"ask for ERR\(max=5\)"):
        score("ERR@20", ["a"], {"a": 5})
    assert score("ERR(max=5)@20", ["a"], {"a": 5}) == 31 / 32


def test_the_exponential_gain_refuses_grades_that_are_no_exponents() -> None:
    assert score("nDCG(gain=exp2)", ["a"], {"a": 1000}) == 1.0
    with pytest.raises(MeasureError, match="takes grades up to 1000, the judgments go up to 1001"):
        score("nDCG(gain=exp2)", ["a"], {"a": 1001})


def test_no_query_and_no_judged_result_give_empty_columns() -> None:
    measures = parse_measures(
        "nDCG,R@1,P@1,RR,AP,Hit,F1,R_cap@1,Rprec,Bpref,infAP,RBP,RBP_resid,ERR,Judged,SetP,SetR"
    )
    for values in compute(JudgedRanks.from_lists([], []), measures).values():
        assert values.shape == (0,)
        assert values.dtype == np.float64
    for values in compute(JudgedRanks.from_lists([["o"]], [{"a": 1}]), measures).values():
        assert values.shape == (1,)


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry a query"):
        JudgedRanks.from_lists([["a"]], [])


@pytest.mark.parametrize(
    ("measures", "depth"),
    [("nDCG@10,R@100", 100), ("nDCG@10,RR", None), ("Rprec", None), ("P@3", 3)],
)
def test_the_depth_that_measures_need(measures: str, depth: int | None) -> None:
    assert depth_needed(parse_measures(measures)) == depth


def test_no_measures_need_no_depth() -> None:
    assert depth_needed([]) == 0
