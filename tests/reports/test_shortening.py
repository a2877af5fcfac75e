"""Text cut in the middle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rankle.reports.layout import one_line
from rankle.reports.shortening import shortened, shortened_apart


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("guide/setup.md", 14, "guide/setup.md"),
        ("guide/setup.md", 13, "guid…setup.md"),
        ("第二章の名前.md", 10, "第…名前.md"),
        ("a\nb", 10, "a b"),
    ],
)
def test_both_ends_stay(text: str, width: int, shown: str) -> None:
    assert shortened(text, width) == shown


@given(text=st.text(max_size=60), width=st.integers(3, 40))
def test_it_fits_and_what_fits_is_whole(text: str, width: int) -> None:
    shown = shortened(text, width)
    assert cell_len(shown) <= width
    assert (shown == one_line(text)) == (cell_len(one_line(text)) <= width) or "…" in text


def test_names_that_would_look_alike_are_numbered() -> None:
    names = ["run:d1/results.trec", "run:d2/results.trec", "bm25"]
    assert shortened_apart(names, 14) == ["1: run:…s.trec", "2: run:…s.trec", "bm25"]
    assert shortened_apart(names, 20) == names


@given(names=st.lists(st.text(max_size=60), unique_by=one_line, max_size=12), width=st.integers(8, 40))
def test_names_that_differ_are_shown_different(names: list[str], width: int) -> None:
    shown = shortened_apart(names, width)
    assert all(cell_len(name) <= width for name in shown)
    assert len(set(shown)) == len(names)
