"""The variance of trials: a textbook case, the simulation of known parts, and the edges."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.core.errors import CannotMeasureError, InputError
from rankle.stats.trials import case_means, split_variance

TURNIPS = [
    [3.28, 3.09, 3.03, 3.03],
    [3.52, 3.48, 3.38, 3.38],
    [2.88, 2.80, 2.81, 2.76],
    [3.34, 3.38, 3.23, 3.26],
]
"""Calcium in four turnip leaves, four times each: Snedecor and Cochran, Statistical Methods, chapter 13."""


def test_snedecor_and_cochrans_turnip_leaves() -> None:
    """Mean squares 0.2961 between and 0.0066 within leaves; 0.2961 = 0.0066 + 4 x 0.0724."""
    found = split_variance(TURNIPS)
    assert found.trial_variance == pytest.approx(0.0066, abs=5e-5)
    assert found.case_variance == pytest.approx(0.0724, abs=5e-5)
    assert found.standard_error == pytest.approx(math.sqrt(0.2961 / 16), abs=5e-5)
    assert found.trial_share == pytest.approx(0.0066 / 0.2961, abs=5e-4)
    assert (found.n_cases, found.n_trials) == (4, 16)


@pytest.mark.parametrize("missing", [0.0, 0.4], ids=["balanced", "trials missing"])
def test_the_parts_are_found_again_in_simulation(missing: float) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(0.5, 0.3, (4_000, 1)) + rng.normal(0, 0.2, (4_000, 5))
    values[rng.random(values.shape) < missing] = math.nan
    found = split_variance(values)
    assert found.case_variance == pytest.approx(0.09, abs=0.005)
    assert found.trial_variance == pytest.approx(0.04, abs=0.002)


def test_the_mean_is_taken_within_cases_first() -> None:
    """Nine failures of one case are one failed case."""
    found = split_variance([[0.0] * 9, [1.0]])
    assert (found.mean, found.n_cases, found.n_trials) == (0.5, 2, 10)


def test_trials_without_a_score_and_cases_without_trials_are_in_no_figure() -> None:
    values = [[1.0, math.nan], [], [math.nan], [0.0, 0.5]]
    assert split_variance(values) == split_variance([[1.0], [0.0, 0.5]])
    assert case_means(values).tolist() == pytest.approx([1.0, math.nan, math.nan, 0.25], nan_ok=True)


def test_one_trial_of_each_case_cannot_be_split() -> None:
    found = split_variance([[0.2], [0.4], [0.9]])
    assert (found.case_variance, found.trial_variance, found.trial_share) == (None, None, None)
    assert found.standard_error == pytest.approx(np.std([0.2, 0.4, 0.9], ddof=1) / math.sqrt(3))


def test_one_case_has_no_error() -> None:
    found = split_variance([[0.2, 0.4]])
    assert (found.case_variance, found.standard_error, found.trial_share) == (None, None, None)
    assert found.trial_variance == pytest.approx(0.02)


def test_a_system_that_repeats_itself_has_no_trial_part() -> None:
    found = split_variance([[0.2, 0.2], [0.6, 0.6]])
    assert (found.trial_variance, found.trial_share) == (0.0, 0.0)
    assert split_variance([[0.2, 0.2], [0.2, 0.2]]).trial_share is None


def test_cases_that_differ_less_than_their_trials_have_no_part_below_0() -> None:
    found = split_variance([[0.0, 1.0], [1.0, 0.0], [0.4, 0.6]])
    assert (found.case_variance, found.trial_share) == (0.0, None)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=4), min_size=2, max_size=12))
def test_the_order_of_cases_and_trials_is_irrelevant(values: list[list[int]]) -> None:
    there, back = split_variance(values), split_variance([row[::-1] for row in values[::-1]])
    for name, value in there.to_dict().items():
        assert value == (None if value is None else pytest.approx(getattr(back, name)))


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([[0.1, math.inf]], InputError, r"values\[0, 1\] is infinite"),
        ([0.1, 0.2], InputError, r"values\[0\] must be a row"),
        ([], CannotMeasureError, "no trial has a score"),
        ([[math.nan]], CannotMeasureError, "no trial has a score"),
    ],
)
def test_what_cannot_be_split_is_refused(values: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        split_variance(values)
