"""P-values of tests that are read together: the chance of any false alarm at all stays at the level."""

from collections.abc import Sequence

import numpy as np

from rankle.core.errors import InputError


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values by Holm's step-down method, in the order given; reject where one is at most alpha.

    p_values: those of the whole family that was asked for, whatever depends on what; a family of one is
    left as it is, an empty one stays empty. The smallest is multiplied by their number, the next by one
    less, and so on; none falls below a smaller one's, none exceeds 1. Uniformly better than Bonferroni.
    Raises InputError on a p-value outside [0, 1].
    Source: Holm 1979, Scandinavian Journal of Statistics 6. Equals statsmodels' `multipletests`.
    """
    found = np.asarray(p_values, dtype=np.float64)
    if found.ndim != 1:
        raise InputError(f"p_values must have one dimension, got shape {found.shape}")
    outside = ~((found >= 0.0) & (found <= 1.0))  # NaN is outside too
    if outside.any():
        first = int(np.argmax(outside))
        raise InputError(f"p_values[{first}] must be a probability in [0, 1], got {found[first]:g}")
    order = np.argsort(found, kind="stable")
    stepped = np.maximum.accumulate(found[order] * np.arange(found.size, 0, -1))
    adjusted = np.empty_like(found)
    adjusted[order] = np.minimum(stepped, 1.0)
    return tuple(adjusted.tolist())
