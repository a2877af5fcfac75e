"""Intervals of differences of shares, against the table of the paper that they are from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import InputError
from rankle.stats.share_difference import share_difference_interval


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [  # Newcombe 1998, table II, method 10
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0),
    ],
)
def test_bounds_are_those_of_the_paper(counts: tuple[int, int, int, int], low: float, high: float) -> None:
    found = share_difference_interval(*counts)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("counts", [(0, 0, 3, 9), (1, 1, 3, 9), (3, 9, 1, 1)])
def test_a_sample_of_fewer_than_two_has_no_interval(counts: tuple[int, int, int, int]) -> None:
    found = share_difference_interval(*counts)
    assert (found.low, found.high) == (None, None)


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="from 0 to n"):
        share_difference_interval(4, 3, 1, 2)


@st.composite
def samples(draw: st.DrawFn) -> tuple[int, int]:
    n_of = draw(st.integers(2, 200))
    return draw(st.integers(0, n_of)), n_of


@given(samples(), samples())
def test_it_holds_the_difference_stays_in_range_and_turns_round_with_the_samples(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    one, other = share_difference_interval(*a, *b), share_difference_interval(*b, *a)
    assert one.low is not None
    assert one.high is not None
    difference = a[0] / a[1] - b[0] / b[1]
    assert -1 - 1e-12 <= one.low <= difference <= one.high <= 1 + 1e-12
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-12)
