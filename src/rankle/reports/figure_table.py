"""A table with columns of their own widths, which becomes lines of words where the screen is too narrow."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from rankle.reports.layout import pad, wrapped
from rankle.reports.shortening import shortened

Row = tuple[str, Sequence[str]]
"""A name, and its cells; without cells, a heading over the rows below."""


def figure_table(
    corner: str, heads: Mapping[str, int], rows: Sequence[Row], *, name_width: int, width: int
) -> list[str]:
    """Head to the width of its column, at least; a column with longer cells is wider.

    Where that does not fit `width`, each row is a sentence that names the head of each figure.
    """
    places = range(len(heads))
    texts = list(heads)
    widths = [
        max(least, *(cell_len(row[1][place]) + 2 for row in rows if row[1]), cell_len(texts[place]) + 2)
        for place, least in zip(places, heads.values(), strict=True)
    ]
    if name_width + sum(widths) - 2 > width:
        return _as_words(texts, rows, width=width)
    lines = [_line(corner, texts, widths, name_width), "─" * min(width, name_width + sum(widths) - 2)]
    return lines + [_line(name, cells, widths, name_width) for name, cells in rows]


def _line(name: str, cells: Sequence[str], widths: Sequence[int], name_width: int) -> str:
    if not cells:
        return name
    figures = "".join(pad(cell, width) for cell, width in zip(cells, widths, strict=True)).rstrip()
    shown = name if cell_len(name) <= name_width - 2 else shortened(name, name_width - 2)
    return pad(shown, name_width) + figures


def _as_words(heads: Sequence[str], rows: Sequence[Row], *, width: int) -> list[str]:
    lines: list[str] = []
    for name, cells in rows:
        words = ", ".join(f"{head} {cell}" for head, cell in zip(heads, cells, strict=True)) if cells else ""
        text = f"{name}: {words}" if words else name
        lines += wrapped(text, rest="  ", width=width, breaking=True)
    return lines
