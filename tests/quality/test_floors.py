"""The quality that search must reach on public data: full text on all sets, hybrid on the small ones.

All documents are searched, for a spread of the questions; `make quality` asks every one.
"""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from bench.public_sets import SETS, PublicSet
from bench.quality import hybrid_misses, measure
from bench.quality_floors import FULL_TEXT

SMALL = ("xquad-de", "xquad-th")
"""Small enough to be embedded here; `make quality` measures the rest."""


def some_questions(public: PublicSet, *, at_most: int) -> PublicSet:
    """The middle one of every n questions, so that each article is asked about."""
    step = math.ceil(len(public.queries) / at_most)
    return replace(public, queries=public.queries[step // 2 :: step])


@pytest.mark.shared_data
@pytest.mark.parametrize("name", FULL_TEXT)
def test_full_text_reaches_its_floor(name: str, shared_data: Path, tmp_path: Path) -> None:
    public = some_questions(SETS[name](shared_data), at_most=1_200)
    (quality,) = measure(public, folder=tmp_path, methods=["fts5"])

    assert quality.misses == []


@pytest.mark.shared_data
@pytest.mark.needs_local
@pytest.mark.parametrize("name", SMALL)
def test_hybrid_reaches_its_floor_and_stays_with_the_better_of_its_parts(
    name: str, shared_data: Path, tmp_path: Path
) -> None:
    rows = measure(some_questions(SETS[name](shared_data), at_most=600), folder=tmp_path)

    assert [miss for row in rows for miss in row.misses] == []
    assert hybrid_misses(rows) == []
