"""Holm's correction: by hand, against statsmodels, and its laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from rankle.core.errors import InputError
from rankle.stats.corrections import holm

families = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_four_p_values_by_hand() -> None:
    """0.005 times 4; 0.01 times 3; 0.03 times 2; and 0.04 times 1 would fall below its predecessor."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@settings(deadline=None, max_examples=30)
@given(families)
def test_it_equals_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


@settings(deadline=None)
@given(families)
def test_no_p_falls_and_the_order_stays(p_values: list[float]) -> None:
    adjusted = np.array(holm(p_values))
    assert np.all(adjusted >= p_values)
    assert np.all(adjusted <= np.minimum(np.array(p_values) * len(p_values), 1.0) + 1e-15)
    assert np.all(np.diff(adjusted[np.argsort(p_values, kind="stable")]) >= 0)


@pytest.mark.parametrize("p_values", [[], [0.03]])
def test_none_and_one_stay_as_they_are(p_values: list[float]) -> None:
    assert holm(p_values) == tuple(p_values)


@pytest.mark.parametrize(
    ("p_values", "message"),
    [
        ([0.1, 1.2], r"p_values\[1\] must be a probability in \[0, 1\], got 1.2"),
        ([math.nan], r"p_values\[0\].*got nan"),
        ([[0.1]], "one dimension"),
    ],
)
def test_what_is_no_p_value_is_refused(p_values: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        holm(p_values)


def test_false_alarms_in_a_family_stay_at_5_percent() -> None:
    """Eight true hypotheses, 4,000 families: the chance of any rejection is 1 - 0.99375^8 = 4.9 %."""
    families = np.random.default_rng(0).random((4_000, 8))
    assert np.mean([min(holm(family)) <= 0.05 for family in families]) == pytest.approx(0.049, abs=0.01)
