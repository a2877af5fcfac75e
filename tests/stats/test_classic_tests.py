"""The tests that are options: equal to scipy's, and what they do at the edges."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from rankle.core.errors import CannotMeasureError, InputError
from rankle.stats.outcome import Alternative
from rankle.stats.paired import Method, PairedTest, paired_test, paired_tests

ALTERNATIVES: list[Alternative] = ["two-sided", "greater", "less"]
DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], dtype=np.float64)
"""Differences in height of 15 pairs of maize, in eighths of an inch: Fisher 1935, section 17."""

whole = st.lists(st.integers(-9, 9), min_size=2, max_size=40)


def of_differences(differences: Any, **options: Any) -> PairedTest:
    found = np.asarray(differences, dtype=np.float64)
    return paired_test(np.zeros_like(found), found, **options)


def sample(n: int, *, ties: bool = False) -> NDArray[np.float64]:
    found = np.random.default_rng(n).normal(0.3, 1, n)
    return np.round(found) if ties else found


def test_darwins_maize_by_fisher() -> None:
    """Fisher 1935, section 17: t = 2.148 on 14 degrees of freedom; P is just under 5 per cent."""
    found = of_differences(DARWIN, method="t")
    assert found.effect_size is not None
    assert found.effect_size * math.sqrt(15) == pytest.approx(2.148, abs=5e-4)
    assert found.p_value == pytest.approx(0.0497, abs=5e-5)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 15, 300])
def test_t_equals_scipys(n: int, alternative: Alternative) -> None:
    a, b = np.random.default_rng(n).random((2, n))
    found = paired_test(a, b, method="t", alternative=alternative, level=0.9)
    theirs = stats.ttest_rel(b, a, alternative=alternative)
    bounds = theirs.confidence_interval(0.9)
    assert found.p_value == pytest.approx(theirs.pvalue, rel=1e-7)
    for ours, other in ((found.low, bounds.low), (found.high, bounds.high)):
        assert ours == (None if math.isinf(other) else pytest.approx(other))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("differences", "options"),
    [
        (sample(5), {"method": "exact"}),
        (sample(50), {"method": "exact"}),
        (sample(12, ties=True), {"method": stats.PermutationMethod(n_resamples=np.inf)}),
        (sample(200), {"method": "approx", "correction": False}),
        (sample(200, ties=True), {"method": "approx", "correction": False}),
    ],
    ids=["5", "50", "12 with ties", "200", "200 with ties"],
)
def test_wilcoxon_equals_scipys(
    differences: NDArray[np.float64], options: dict[str, Any], alternative: Alternative
) -> None:
    found = of_differences(differences, method="wilcoxon", alternative=alternative)
    kept = differences[differences != 0]
    assert found.p_value == pytest.approx(stats.wilcoxon(kept, alternative=alternative, **options).pvalue)
    assert found.exact == (differences.size <= 50)


@pytest.mark.parametrize(("n", "critical"), [(6, 0), (8, 3), (10, 8), (15, 25), (20, 52), (25, 89)])
def test_the_table_of_critical_rank_sums_in_textbooks(n: int, critical: int) -> None:
    """The largest sum of the fewer ranks that is significant at 5 %, two-sided."""

    def p_value(negative: int) -> float:
        differences = np.arange(1.0, n + 1)
        for rank in range(n, 0, -1):  # greedily, every sum can be made
            if rank <= negative:
                differences[rank - 1] *= -1
                negative -= rank
        return of_differences(differences, method="wilcoxon").p_value

    assert p_value(critical) <= 0.05 < p_value(critical + 1)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(deadline=None)
@given(whole)
def test_the_sign_test_equals_scipys_binomial(alternative: Alternative, differences: list[int]) -> None:
    wins, losses = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    theirs = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue if wins + losses else 1.0
    found = of_differences(differences, method="sign", alternative=alternative)
    assert found.p_value == pytest.approx(theirs)
    assert (found.wins, found.losses) == (wins, losses)


def test_the_sign_test_of_many_queries_equals_scipys() -> None:
    differences = np.repeat([1.0, -1.0, 0.0], [51_000, 50_000, 7])
    expected = stats.binomtest(51_000, 101_000).pvalue
    assert of_differences(differences, method="sign").p_value == pytest.approx(expected, rel=1e-6)


@settings(deadline=None)
@given(whole, st.sampled_from(ALTERNATIVES), st.sampled_from([0.6, 0.9, 0.95]))
def test_the_t_interval_holds_0_if_and_only_if_t_does_not_reject(
    differences: list[int], alternative: Alternative, level: float
) -> None:
    if len(set(differences)) == 1:
        differences = [*differences, differences[0] + 1]
    found = of_differences(differences, method="t", alternative=alternative, level=level)
    inside = (found.low is None or found.low <= 0) and (found.high is None or found.high >= 0)
    assert inside == (found.p_value > round(1 - level, 12))


@pytest.mark.parametrize("method", ["wilcoxon", "sign"])
def test_methods_that_do_not_test_the_mean_say_so(method: Method) -> None:
    found = of_differences(sample(30), method=method)
    assert found.warning is not None
    assert "skewed" in found.warning
    assert (found.low, found.high, found.smallest_detectable) == (None, None, None)


@pytest.mark.parametrize("method", ["randomisation", "t"])
def test_methods_that_test_the_mean_have_no_warning(method: Method) -> None:
    found = of_differences(sample(30), method=method)
    assert found.warning is None
    assert None not in (found.low, found.high, found.smallest_detectable)


@pytest.mark.parametrize("method", ["t", "wilcoxon", "sign"])
@pytest.mark.parametrize("n", [1, 2, 60])
def test_equal_arrays_have_p_1_by_every_method(method: Method, n: int) -> None:
    found = of_differences(np.zeros(n), method=method)
    assert (found.p_value, found.difference, found.ties) == (1.0, 0.0, n)
    assert (found.effect_size, found.smallest_detectable) == (None, None)


@pytest.mark.parametrize("method", ["randomisation", "t", "wilcoxon", "sign"])
def test_one_query_proves_nothing_by_any_method(method: Method) -> None:
    found = of_differences([0.4], method=method)
    assert (found.p_value, found.low, found.high, found.effect_size) == (1.0, None, None, None)


def test_t_without_variance_is_no_test() -> None:
    with pytest.raises(CannotMeasureError, match=r"all 30 differences are 0\.5: without variance"):
        of_differences(np.full(30, 0.5), method="t")


def test_sizes_that_differ_by_rounding_share_a_rank() -> None:
    tenths = np.array([1, -1, 2, -1, 3, 1, 2], dtype=np.float64)
    start = np.array([2, 3, 1, 7, 4, 6, 5], dtype=np.float64)
    plain = paired_test(start, start + tenths, method="wilcoxon")
    rounded = paired_test(start / 10, (start + tenths) / 10, method="wilcoxon")
    assert rounded.p_value == plain.p_value


def test_columns_have_the_result_of_each_alone() -> None:
    a, b = np.random.default_rng(6).random((2, 30, 3))
    alone = [paired_test(a[:, column], b[:, column], method="wilcoxon") for column in range(3)]
    assert list(paired_tests(a, b, method="wilcoxon")) == alone


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InputError, match='"t", "wilcoxon", "sign", got "anova"'):
        of_differences(DARWIN, method="anova")


@pytest.mark.parametrize(("method", "most"), [("randomisation", 0.08), ("wilcoxon", 1.0), ("sign", 1.0)])
def test_only_wilcoxon_and_sign_call_skewed_differences_of_mean_0_significant(
    method: Method, most: float
) -> None:
    """Differences of Beta(1, 8) less its mean, 200 queries: the median is not 0, the mean is."""
    differences = np.random.default_rng(4).beta(1, 8, (200, 400)) - 1 / 9
    found = paired_tests(np.zeros_like(differences), differences, method=method, n_flips=999)
    rejected = np.mean([one.p_value <= 0.05 for one in found])
    assert (rejected <= most) if most < 1 else (rejected > 0.3)
