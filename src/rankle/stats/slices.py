"""Where did it get worse? The paired test of every slice of the queries, worst first."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankle.core.errors import InputError
from rankle.core.tables import Tabular
from rankle.stats.corrections import holm
from rankle.stats.outcome import Alternative
from rankle.stats.paired import Method, PairedTest, paired_test


@dataclass(frozen=True, slots=True)
class SliceTest(Tabular):
    """One slice of the queries under both systems."""

    name: str
    n: int
    test: PairedTest | None
    """None for a slice without queries."""
    p_adjusted: float | None
    """p by Holm over all slices that were asked for."""

    def to_rows(self) -> list[dict[str, Any]]:
        """One row, with the fields of the test beside the slice's."""
        test = {} if self.test is None else self.test.to_dict()
        return [{"slice": self.name, "n": self.n, "p_adjusted": self.p_adjusted, **test}]


def paired_slices(
    a: ArrayLike,
    b: ArrayLike,
    slices: Mapping[str, ArrayLike],
    *,
    seed: int = 0,
    method: Method = "randomisation",
    n_flips: int = 10_000,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> tuple[SliceTest, ...]:
    """`paired_test` of every slice, the one that lost most first; slices without queries come last.

    a, b: scores of the same queries in the same order, shape (n,).
    slices: name to whether each query is in it, shape (n,), booleans; slices may overlap.
    Slices with the same difference keep the order in which they were given.
    Raises InputError on a slice that is no row of n booleans, and as `paired_test` does.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    members = {name: _members(name, chosen, first.shape) for name, chosen in slices.items()}
    tests = {
        name: paired_test(
            first[inside],
            second[inside],
            seed=seed,
            method=method,
            n_flips=n_flips,
            alternative=alternative,
            level=level,
        )
        for name, inside in members.items()
        if inside.any()
    }
    adjusted = dict(zip(tests, holm([test.p_value for test in tests.values()]), strict=True))
    worst_first = sorted(tests, key=lambda name: tests[name].difference)
    empty = [name for name in members if name not in tests]
    return (
        *(SliceTest(name, tests[name].n, tests[name], adjusted[name]) for name in worst_first),
        *(SliceTest(name, 0, None, None) for name in empty),
    )


def _members(name: str, chosen: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    inside = np.asarray(chosen)
    if inside.dtype != np.bool_ or inside.shape != shape:
        raise InputError(
            f'slice "{name}" must say of each query, by a boolean, whether it is inside: '
            f"shape {shape}, got {inside.dtype} of shape {inside.shape}"
        )
    return inside
