"""Slices of a comparison."""

from typing import Any

import numpy as np
import pytest

from rankle.core.errors import InputError
from rankle.stats.corrections import holm
from rankle.stats.paired import paired_test
from rankle.stats.slices import paired_slices

RNG = np.random.default_rng(2)
LANGUAGE = np.array(["en", "de", "fr"])[RNG.integers(0, 3, 90)]
A = RNG.random(90)
B = A + np.select([LANGUAGE == "en", LANGUAGE == "de"], [0.1, -0.1], 0.0) + RNG.normal(0, 0.05, 90)
SLICES = {name: np.equal(LANGUAGE, name) for name in ("en", "de", "fr", "it")}


def test_the_slice_that_lost_most_comes_first_and_an_empty_one_last() -> None:
    found = paired_slices(A, B, SLICES)
    assert [one.name for one in found] == ["de", "fr", "en", "it"]
    assert (found[-1].n, found[-1].test, found[-1].p_adjusted) == (0, None, None)


def test_each_slice_has_the_paired_test_of_its_queries() -> None:
    de, fr, en, _ = paired_slices(A, B, SLICES, seed=3, method="t", level=0.9)
    for one in (de, fr, en):
        inside = SLICES[one.name]
        assert one.test == paired_test(A[inside], B[inside], seed=3, method="t", level=0.9)
        assert one.n == inside.sum()


def test_p_is_adjusted_over_the_slices_that_have_queries() -> None:
    found = paired_slices(A, B, SLICES)[:3]
    p_values = [one.test.p_value for one in found if one.test]
    assert [one.p_adjusted for one in found] == pytest.approx(holm(p_values))


def test_slices_may_overlap_and_ties_keep_their_order() -> None:
    everything = np.ones(90, dtype=bool)
    assert [one.name for one in paired_slices(A, A, {"z": everything, "a": SLICES["en"]})] == ["z", "a"]


def test_no_slices_give_no_results() -> None:
    assert paired_slices(A, B, {}) == ()


def test_a_row_of_the_frame_has_the_slice_and_its_test() -> None:
    row = paired_slices(A, B, SLICES)[0].to_polars().to_dicts()[0]
    assert (row["slice"], row["n"], row["wins"] + row["losses"] + row["ties"]) == ("de", row["n"], row["n"])


@pytest.mark.parametrize("chosen", [[0, 1], np.zeros(90), np.zeros(89, dtype=bool)])
def test_what_is_no_slice_is_refused(chosen: Any) -> None:
    with pytest.raises(InputError, match='slice "x" must say of each query, by a boolean'):
        paired_slices(A, B, {"x": chosen})
