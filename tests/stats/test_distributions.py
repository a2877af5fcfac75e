"""The quantiles equal scipy's."""

import math

import pytest
from scipy import stats

from rankle.stats.distributions import (
    binomial_cdf,
    noncentral_t_cdf,
    normal_cdf,
    normal_quantile,
    t_cdf,
    t_quantile,
)

DEGREES = [1, 2, 3, 5, 19, 49, 199, 999, 1_000, 1_500, 10_000, 1_000_000]


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("probability", [0.0005, 0.025, 0.3, 0.6, 0.95, 0.975, 0.9995])
def test_t_quantile_equals_scipy(probability: float, df: int) -> None:
    assert t_quantile(probability, df=df) == pytest.approx(stats.t.ppf(probability, df), rel=1e-9)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("x", [-8.0, -1.0, 0.0, 0.5, 2.0, 40.0])
def test_t_cdf_equals_scipy(x: float, df: int) -> None:
    assert t_cdf(x, df=df) == pytest.approx(stats.t.cdf(x, df), rel=1e-8, abs=1e-14)


def test_the_median_of_t_is_zero() -> None:
    assert t_quantile(0.5, df=7) == 0.0


def test_normal_quantile_equals_scipy() -> None:
    assert normal_quantile(0.975) == pytest.approx(stats.norm.ppf(0.975), rel=1e-12)


@pytest.mark.parametrize("x", [-30.0, -8.0, -1.0, 0.0, 0.5, 5.0])
def test_normal_cdf_equals_scipy(x: float) -> None:
    assert normal_cdf(x) == pytest.approx(stats.norm.cdf(x), rel=1e-12)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.8, 8.0])
@pytest.mark.parametrize("x", [-2.0, 0.0, 2.0, 12.7])
def test_noncentral_t_cdf_equals_scipy(x: float, shift: float, df: int) -> None:
    assert noncentral_t_cdf(x, df=df, shift=shift) == pytest.approx(stats.nct.cdf(x, df, shift), abs=1e-9)


@pytest.mark.parametrize("n", [0, 1, 7, 1_000, 100_000])
@pytest.mark.parametrize("share", [-0.1, 0.0, 0.3, 0.499, 0.5, 1.0])
@pytest.mark.parametrize("probability", [0.2, 0.5])
def test_binomial_cdf_equals_scipy(n: int, share: float, probability: float) -> None:
    k = math.floor(share * n)
    expected = stats.binom.cdf(k, n, probability)
    assert binomial_cdf(k, n=n, probability=probability) == pytest.approx(expected, rel=1e-7, abs=1e-200)
