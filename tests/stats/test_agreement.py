"""Agreement of judges: textbook cases, statsmodels, laws."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa, to_table

from rankle.core.errors import CannotMeasureError, InputError
from rankle.stats.agreement import Scale, Weights, cohen_kappa, krippendorff_alpha

NA = math.nan
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NA, NA, NA],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NA, 3],
    [NA, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NA],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NA],
]
"""Krippendorff 2011, section C: four observers, twelve units, values missing."""

grades = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=40)


def of_table(table: list[list[int]]) -> tuple[list[int], list[int]]:
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize(("scale", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_own_worked_case(scale: Scale, expected: float) -> None:
    found = krippendorff_alpha(FOUR_OBSERVERS, scale=scale)
    assert found.value == pytest.approx(expected, abs=5e-4)
    assert (found.n_judges, found.n_items, found.method) == (4, 11, f"alpha ({scale})")


def test_alpha_of_two_observers_and_two_values_by_krippendorff() -> None:
    """Krippendorff 2011, section A: ten units, alpha is 0.095."""
    found = krippendorff_alpha([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]])
    assert found.value == pytest.approx(0.095, abs=5e-4)


def test_kappa_by_hand() -> None:
    """Of 50 applications 35 are judged alike; chance alone would bring 0.5 x 0.6 + 0.5 x 0.4 = 0.5."""
    found = cohen_kappa(*of_table([[20, 5], [10, 15]]))
    assert found.value == pytest.approx(0.4)
    assert [found.observed, found.expected, found.n_items] == pytest.approx([0.3, 0.5, 50])


@pytest.mark.parametrize(
    ("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")]
)
@settings(deadline=None, max_examples=25)
@given(grades)
def test_kappa_equals_statsmodels(weights: Weights, theirs: str | None, pairs: list[tuple[int, int]]) -> None:
    every_grade = [*pairs, (0, 1), (2, 3), (3, 2)]  # statsmodels numbers the grades that occur
    table, _ = to_table(np.array(every_grade), 4)
    expected = cohens_kappa(table, wt=theirs, return_results=False)
    a, b = zip(*every_grade, strict=True)
    assert cohen_kappa(a, b, weights=weights).value == pytest.approx(expected)


def test_quadratic_kappa_of_many_items_is_near_alpha_of_intervals() -> None:
    """Alpha takes all judges for one pool; with the same margins only the size of the sample parts them."""
    a, b = np.random.default_rng(0).integers(0, 4, (2, 4_000))
    a[:2_000] = b[:2_000]
    kappa = cohen_kappa([*a, *b], [*b, *a], weights="quadratic").value
    assert kappa == pytest.approx(0.5, abs=0.05)
    assert kappa == pytest.approx(krippendorff_alpha([[*a, *b], [*b, *a]], scale="interval").value, abs=1e-3)


@settings(deadline=None)
@given(grades)
def test_judges_that_change_places_agree_as_well(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    for there, back in (
        (cohen_kappa(a, b), cohen_kappa(b, a)),
        (krippendorff_alpha([a, b], scale="ordinal"), krippendorff_alpha([b, a], scale="ordinal")),
    ):
        assert (there.value is None) == (back.value is None)
        assert there.value is None or there.value == pytest.approx(back.value)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_perfect_agreement_is_1(scale: Scale) -> None:
    assert krippendorff_alpha([[0, 1, 3, 1]] * 3, scale=scale).value == pytest.approx(1.0)
    assert cohen_kappa([0, 1, 3, 1], [0, 1, 3, 1], weights="linear").value == 1.0


def test_a_far_grade_weighs_more_than_a_near_one() -> None:
    near, far = ([0, 1, 2, 3], [0, 1, 2, 2]), ([0, 1, 2, 3], [0, 1, 2, 0])
    assert cohen_kappa(*near, weights="quadratic").value > cohen_kappa(*far, weights="quadratic").value  # type: ignore[operator]


def test_one_grade_throughout_says_nothing() -> None:
    assert cohen_kappa([1, 1, 1], [1, 1, 1]).value is None
    assert krippendorff_alpha([[2, 2], [2, 2]]).value is None


def test_items_that_one_judge_left_out_are_left_out() -> None:
    with_gaps = cohen_kappa([1, None, 0, 1, 0], [1, 1, 0, 0, None])
    assert with_gaps == cohen_kappa([1, 0, 1], [1, 0, 0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cohen_kappa([1, 2], [1]), "the same items, got 2 and 1"),
        (lambda: cohen_kappa([[1]], [1]), r"a must have 1 dimension"),  # type: ignore[list-item]
        (lambda: cohen_kappa([math.inf], [1]), "a must hold finite grades"),
        (lambda: cohen_kappa([1], [1], weights="cubic"), '"none", "linear", "quadratic", got "cubic"'),  # type: ignore[arg-type]
        (lambda: krippendorff_alpha([1, 2]), r"ratings must have 2 dimension"),
        (lambda: krippendorff_alpha([[1], [2]], scale="ratio"), 'scale must be one of.*got "ratio"'),  # type: ignore[arg-type]
    ],
    ids=["lengths", "shape", "infinite", "weights", "dimensions", "scale"],
)
def test_wrong_input_is_refused(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [lambda: cohen_kappa([1, None], [None, 1]), lambda: krippendorff_alpha([[1, NA], [NA, 1]])],
    ids=["kappa", "alpha"],
)
def test_judges_without_a_common_item_cannot_be_compared(call: Any) -> None:
    with pytest.raises(CannotMeasureError, match="nothing says whether they agree"):
        call()
