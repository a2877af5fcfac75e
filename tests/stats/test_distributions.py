"""The quantiles equal scipy's."""

import pytest
from scipy import stats

from rankle.stats.distributions import normal_quantile, t_cdf, t_quantile

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
