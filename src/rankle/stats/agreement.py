"""Do judges agree beyond chance? Cohen's kappa of two, Krippendorff's alpha of any number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.tables import Tabular

Weights = Literal["none", "linear", "quadratic"]
Scale = Literal["nominal", "ordinal", "interval"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement(Tabular):
    """How far judges agree: 1 always, 0 as often as by chance, below 0 less often."""

    value: float | None
    """None where all judgments are one and the same grade: chance alone would agree as well."""
    method: str
    """`kappa`, or `kappa` and `alpha` with their weights or scale, as in `alpha (ordinal)`."""
    n_judges: int
    n_items: int
    """Items that at least two judges judged; the others say nothing of agreement."""
    observed: float
    """Observed disagreement; unweighted, the share of pairs of judgments that differ."""
    expected: float
    """Disagreement that chance would bring, on the same scale."""


def cohen_kappa(
    a: Sequence[float | None] | NDArray[np.float64],
    b: Sequence[float | None] | NDArray[np.float64],
    *,
    weights: Weights = "none",
) -> Agreement:
    """Cohen's kappa of two judges.

    a, b: grades of the same items in the same order, shape (n_items,); None or NaN where a judge gave none.
    weights: how much a disagreement counts: "none", all alike; "linear", by the distance of the grades;
        "quadratic", by its square.
    Raises InputError on other shapes and unknown weights; CannotMeasureError where no item has both grades.
    Sources: Cohen 1960, Educational and Psychological Measurement 20; weighted: Cohen 1968, Psychological
    Bulletin 70. Equals statsmodels' `cohens_kappa`.
    """
    _one_of("weights", weights, get_args(Weights))
    first, second = _grades(a, ndim=1, name="a"), _grades(b, ndim=1, name="b")
    if first.shape != second.shape:
        raise InputError(f"a and b must judge the same items, got {first.size} and {second.size}")
    both = ~(np.isnan(first) | np.isnan(second))
    if not both.any():
        raise CannotMeasureError("no item was judged by both judges, so nothing says whether they agree")
    first, second = first[both], second[both]
    observed = _distance(first, second, weights)
    expected = _distance(first[:, None], second[None, :], weights)
    method = "kappa" if weights == "none" else f"kappa ({weights})"
    return _agreement(method, 2, first.size, float(observed.mean()), float(expected.mean()))


def krippendorff_alpha(ratings: ArrayLike, *, scale: Scale = "nominal") -> Agreement:
    """Krippendorff's alpha of any number of judges, of whom none needs to have judged everything.

    ratings: grades, shape (n_judges, n_items); NaN where a judge gave none.
    scale: what a disagreement weighs: "nominal", all alike; "ordinal", by how many judgments lie between;
        "interval", by the square of the distance.
    Raises InputError on other shapes and scales; CannotMeasureError where no item has two grades.
    Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability.
    """
    _one_of("scale", scale, get_args(Scale))
    found = _grades(ratings, ndim=2, name="ratings")
    grades = np.unique(found[~np.isnan(found)])
    counts: Floats = (found[:, :, None] == grades).sum(axis=0).astype(np.float64)  # (n_items, n_grades)
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        raise CannotMeasureError("no item was judged by two judges, so nothing says whether they agree")
    per_item = counts.sum(axis=1, keepdims=True) - 1.0
    coincidences = (counts / per_item).T @ counts - np.diag((counts / per_item).sum(axis=0))
    totals = coincidences.sum(axis=1)
    n = totals.sum()
    squares = _squares(grades, totals, scale)
    observed = float((coincidences * squares).sum() / n)
    expected = float((np.outer(totals, totals) * squares).sum() / (n * (n - 1.0)))
    return _agreement(f"alpha ({scale})", len(found), len(counts), observed, expected)


def _agreement(method: str, n_judges: int, n_items: int, observed: float, expected: float) -> Agreement:
    value = 1.0 - observed / expected if expected > 0.0 else None
    return Agreement(value, method, n_judges, n_items, observed, expected)


def _distance(a: Floats, b: Floats, weights: Weights) -> Floats:
    apart: Floats = np.abs(a - b)
    if weights == "none":
        return np.sign(apart)
    return apart if weights == "linear" else apart**2


def _squares(grades: Floats, totals: Floats, scale: Scale) -> Floats:
    """Squared distances of all pairs of grades, shape (n_grades, n_grades)."""
    if scale == "nominal":
        return _distance(grades[:, None], grades[None, :], "none")
    # On an ordinal scale a grade stands in the middle of its own judgments.
    places = np.cumsum(totals) - totals / 2 if scale == "ordinal" else grades
    squares: Floats = (places[:, None] - places[None, :]) ** 2
    return squares


def _grades(values: object, *, ndim: int, name: str) -> Floats:
    found = np.array(values, dtype=np.float64)  # None becomes NaN
    if found.ndim != ndim:
        raise InputError(f"{name} must have {ndim} dimension(s), got shape {found.shape}")
    if np.isinf(found).any():
        raise InputError(f"{name} must hold finite grades, or None where there is none")
    return found


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        names = ", ".join(f'"{one}"' for one in allowed)
        raise InputError(f'{name} must be one of {names}, got "{value}"')
