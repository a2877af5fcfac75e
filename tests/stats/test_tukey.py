"""Randomised Tukey HSD: by hand, a textbook's data, two systems, and false alarms in simulation."""

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankle.core.errors import CannotMeasureError, InputError
from rankle.stats.paired import paired_test
from rankle.stats.tukey import tukey_hsd, tukey_tests

SAKAI = np.array(
    [
        [7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1],
        [5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2],
        [0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3],
    ]
).T
"""Three systems on twenty topics, in tenths: Sakai 2015, table 5.1 (in Japanese; Corona Publishing)."""

score_rows = st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=1, max_size=12)


def test_two_queries_by_hand() -> None:
    """Against (0, 1, 2), its six orders give the ranges 4, 3, 3, 2, 2, 0 of the sums."""
    found = tukey_hsd([[0, 1, 2], [0, 1, 2]], names=["x", "y", "z"], level=0.5)
    assert [(pair.a, pair.b, pair.difference) for pair in found.pairs] == [
        ("x", "y", 1),
        ("x", "z", 2),
        ("y", "z", 1),
    ]
    assert [pair.p_value for pair in found.pairs] == pytest.approx([5 / 6, 1 / 6, 5 / 6])
    assert (found.exact, found.n_shuffles, found.critical) == (True, 36, 1.0)
    assert (found.pairs[1].low, found.pairs[1].high) == (1.0, 3.0)


def test_sakais_textbook_case() -> None:
    """The effect sizes over the residual deviation are the book's; p is counted here over all shuffles."""
    found = tukey_hsd(SAKAI / 10, names=["A", "B", "C"], n_shuffles=20_000)
    residuals = SAKAI - SAKAI.mean(axis=0) - SAKAI.mean(axis=1, keepdims=True) + SAKAI.mean()
    deviation = math.sqrt((residuals**2).sum() / (19 * 2)) / 10
    sizes = [-pair.difference / deviation for pair in found.pairs]
    assert sizes == pytest.approx([0.5070, 0.6760, 0.1690], abs=5e-5)
    for pair in found.pairs:
        share = share_of_shuffles(SAKAI.tolist(), round(abs(pair.difference) * 200))
        assert pair.p_value == pytest.approx(share, abs=4 * math.sqrt(share / 20_000))


def share_of_shuffles(rows: list[list[int]], least: int) -> float:
    """The share of all 6^20 shuffles whose sums of columns span at least so much, by counting sums up."""
    counts: Counter[tuple[int, ...]] = Counter({(0, 0, 0): 1})
    for row in rows:
        after: Counter[tuple[int, ...]] = Counter()
        for order in itertools.permutations(row):
            for sums, count in counts.items():
                after[tuple(map(sum, zip(sums, order, strict=True)))] += count
        counts = after
    beyond = sum(count for sums, count in counts.items() if max(sums) - min(sums) >= least)
    return beyond / counts.total()


def test_many_shuffles_come_near_the_studentised_range() -> None:
    """Tukey's own test of randomised blocks, on scores without ties."""
    rng = np.random.default_rng(8)
    scores = rng.random((60, 1)) + rng.normal(0, 0.2, (60, 4)) + np.array([0, 0.03, 0.06, 0.12])
    residuals = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    error = math.sqrt((residuals**2).sum() / (59 * 3) / 60)
    pairs = tukey_hsd(scores).pairs
    assert len(pairs) == 6
    for pair in pairs:
        expected = stats.studentized_range.sf(abs(pair.difference) / error, 4, 59 * 3)
        assert pair.p_value == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("n", [1, 2, 9, 13])
def test_of_two_systems_it_is_the_paired_test(n: int) -> None:
    a, b = np.random.default_rng(n).random((2, n))
    [pair] = tukey_hsd(np.column_stack((a, b))).pairs
    alone = paired_test(a, b)
    assert pair.p_value == alone.p_value
    assert pair.difference == pytest.approx(alone.difference)


@settings(deadline=None)
@given(score_rows, st.sampled_from([0.5, 0.9, 0.95]))
def test_an_interval_holds_0_if_and_only_if_the_pair_does_not_differ(
    rows: list[list[int]], level: float
) -> None:
    for pair in tukey_hsd(np.array(rows) / 6, n_shuffles=199, level=level).pairs:
        inside = pair.low is None or pair.high is None or pair.low <= 0 <= pair.high
        assert inside == (pair.p_value > round(1 - level, 12))
        assert pair.low is None or pair.low <= pair.difference <= (pair.high or math.inf)


@settings(deadline=None)
@given(score_rows)
def test_the_order_of_systems_is_irrelevant_where_every_shuffle_is_tried(rows: list[list[int]]) -> None:
    scores = np.array(rows[:6])
    there = {frozenset((p.a, p.b)): p for p in tukey_hsd(scores, names="abc").pairs}
    back = {frozenset((p.a, p.b)): p for p in tukey_hsd(scores[:, ::-1], names="cba").pairs}
    for names, pair in there.items():
        assert pair.p_value == back[names].p_value
        assert abs(pair.difference) == pytest.approx(abs(back[names].difference))


def test_false_alarms_of_any_of_ten_pairs_stay_near_5_percent() -> None:
    """Five equal systems, 400 times: 5 % is 20, give or take 9 (two standard errors)."""
    rng = np.random.default_rng(5)
    found = 0
    for seed in range(400):
        scores = rng.beta(0.5, 2, (30, 5))
        found += any(pair.p_value <= 0.05 for pair in tukey_hsd(scores, n_shuffles=499, seed=seed).pairs)
    assert 11 <= found <= 29


@pytest.mark.parametrize("n", [1, 5, 30])
def test_equal_systems_have_p_1(n: int) -> None:
    column = np.random.default_rng(0).random((n, 1))
    found = tukey_hsd(np.repeat(column, 3, axis=1), n_shuffles=99)
    assert [(pair.p_value, pair.difference) for pair in found.pairs] == [(1.0, 0.0)] * 3


def test_one_query_has_no_interval() -> None:
    found = tukey_hsd([[0.1, 0.9, 0.4]])
    assert found.critical is None
    assert all((pair.p_value, pair.low, pair.high) == (1.0, None, None) for pair in found.pairs)


def test_the_seed_decides_and_the_chunks_do_not() -> None:
    scores = np.random.default_rng(0).random((400, 3))
    assert tukey_hsd(scores, seed=1) == tukey_hsd(scores, seed=1)
    assert tukey_hsd(scores, seed=1).pairs != tukey_hsd(scores, seed=2).pairs


@pytest.mark.parametrize("n_systems", [3, 4, 7])
def test_the_shuffles_are_those_of_shuffling_the_scores_themselves(n_systems: int) -> None:
    """The products of matrices give what a shuffled copy of all scores would; p to the last shuffle."""
    scores = np.round(np.random.default_rng(0).random((50, n_systems)), 1)
    shuffled = np.random.default_rng(3).permuted(np.broadcast_to(scores, (999, *scores.shape)), axis=2)
    ranges = np.ptp(shuffled.mean(axis=1), axis=1)
    pairs = tukey_hsd(scores, seed=3, n_shuffles=999).pairs
    assert len(pairs) == n_systems * (n_systems - 1) / 2
    for pair in pairs:
        beyond = np.count_nonzero(ranges >= abs(pair.difference) - 1e-9)
        assert pair.p_value == (beyond + 1) / 1000


@pytest.mark.parametrize("n", [3, 50])
def test_several_measures_are_each_as_alone(n: int) -> None:
    scores = np.random.default_rng(4).random((n, 3, 2))
    alone = tuple(tukey_hsd(scores[:, :, measure], seed=5, n_shuffles=99) for measure in (0, 1))
    together = tukey_tests(scores, seed=5, n_shuffles=99)
    for one, other in zip(together, alone, strict=True):
        assert [pair.p_value for pair in one.pairs] == [pair.p_value for pair in other.pairs]
        assert one.critical == pytest.approx(other.critical)
        assert (one.means, one.exact, one.n_shuffles) == (other.means, other.exact, other.n_shuffles)


def test_measures_stand_on_an_axis_of_their_own() -> None:
    with pytest.raises(InputError, match=r"\(queries, systems, measures\), got \(2, 2\)"):
        tukey_tests([[0.1, 0.2], [0.3, 0.4]])
    with pytest.raises(InputError, match=r"scores\[0, 1, 1\] is nan"):
        tukey_tests([[[0.1, 0.2], [0.3, math.nan]]])


def test_frames_have_a_row_of_each_pair() -> None:
    found = tukey_hsd(SAKAI, names="ABC", n_shuffles=99)
    assert found.to_polars().select("a", "b").rows() == [("A", "B"), ("A", "C"), ("B", "C")]
    assert "<td>A</td><td>C</td>" in found._repr_html_()


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([0.1, 0.2], {}, r"two or more systems\), got \(2,\)"),
        ([[0.1], [0.2]], {}, r"got \(2, 1\)"),
        ([[0.1, math.nan]], {}, r"scores\[0, 1\] is nan"),
        ([[0.1, 0.2]], {"names": ["a", "a"]}, "names must be 2 different ones"),
        ([[0.1, 0.2]], {"names": ["a"]}, "names must be 2 different ones"),
        ([[0.1, 0.2]], {"level": 95}, "level must be between 0 and 1"),
        ([[0.1, 0.2]], {"n_shuffles": 0}, "n_shuffles must be >= 1"),
    ],
)
def test_wrong_input_is_refused(scores: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tukey_hsd(scores, **options)


def test_no_queries_cannot_be_compared() -> None:
    with pytest.raises(CannotMeasureError, match="no queries to compare"):
        tukey_hsd(np.zeros((0, 3)))
