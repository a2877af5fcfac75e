"""Text cut in the middle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rankle.reports.layout import one_line
from rankle.reports.shortening import shortened


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
