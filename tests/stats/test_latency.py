"""Percentiles by nearest rank."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import InputError
from rankle.core.run import Latency
from rankle.stats.latency import latency_percentiles


@pytest.mark.parametrize(
    ("values_ms", "p50", "p95"),
    [
        ([7.0], 7.0, 7.0),
        ([9.0, 1.0], 1.0, 9.0),
        ([3.0, 1.0, 2.0], 2.0, 3.0),
        (list(range(10, 0, -1)), 5.0, 10.0),
        (list(range(1, 21)), 10.0, 19.0),
        (list(range(1, 101)), 50.0, 95.0),
    ],
)
def test_percentiles_by_hand(values_ms: list[float], p50: float, p95: float) -> None:
    assert latency_percentiles(values_ms) == Latency(p50=p50, p95=p95)


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_percentiles_equal_numpys_inverted_cdf(values_ms: list[float]) -> None:
    # Thousandths times n are whole at the steps; numpy's own 0.95 * n may round past one.
    found = latency_percentiles(values_ms)
    ordered = np.sort(values_ms)
    assert found.p50 == np.quantile(ordered, 0.5, method="inverted_cdf")
    assert found.p95 in ordered
    assert np.mean(ordered <= found.p95) >= 0.95 - 1e-12


def test_no_latencies_have_no_percentiles() -> None:
    assert latency_percentiles([]) == Latency(p50=None, p95=None)


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_what_is_no_latency_is_refused(wrong: float) -> None:
    with pytest.raises(InputError, match=r"values_ms\[1\] must be a latency"):
        latency_percentiles([1.0, wrong])
