"""Which column of a TREC qrels or run file is which: two to six columns, between spaces or tabs."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    QRELS = "qrels"
    RUN = "run"


class Layout(NamedTuple):
    """The columns of a file."""

    separator: bytes | None
    """The one byte between columns; None where columns stand between runs of white space."""
    width: int
    """Number of columns."""
    target: int
    value: int | None
    """Column of the grade or score; None where the file has none (the query is column 0)."""
    rank: int | None = None
    """Column of the rank, which is checked for being a number and otherwise ignored."""
    value_is_rank: bool = False
    """Whether the value is a rank, 1 the best, as MS MARCO has it; the layout alone never tells."""


EXPECTED: Final = {
    Kind.QRELS: "QUERY 0 TARGET GRADE (or QUERY TARGET GRADE, or QUERY TARGET)",
    Kind.RUN: "QUERY Q0 TARGET RANK SCORE TAG (or QUERY TARGET SCORE, or QUERY TARGET, best first)",
}
_LOOKED_AT: Final = 200
_WIDEST: Final = {Kind.QRELS: 4, Kind.RUN: 6}
_MOST: Final = {Kind.QRELS: 4, Kind.RUN: 100}
"""More columns than the widest are a tag that holds spaces, in a run."""


def sniff_layout(lines: Sequence[bytes], kind: Kind) -> Layout | None:
    """The layout of most of the first lines; None where none fits. Other lines are faults, told later.

    lines: the first data lines, without comments and blank lines. Tabs separate where the columns
    between them make sense; then ids may hold spaces.
    """
    head = lines[:_LOOKED_AT]
    separators = (None,) if is_mixed(head) else (b"\t", None)
    candidates = [found for separator in separators if (found := _candidate(head, separator, kind))]
    best = max(candidates, key=lambda found: (found[1], found[0].separator is not None), default=None)
    if best is None:
        return None
    layout = best[0]
    single = layout.separator or _single_space(head, layout.width)
    return layout._replace(separator=single)


def is_mixed(lines: Sequence[bytes]) -> bool:
    """Whether tabs and spaces separate columns alike: `QUERY Q0<tab>TARGET…`, where TREC's second column
    is found between all white space and not between tabs.
    """
    if not any(b"\t" in line for line in lines):
        return False
    spaced, tabbed = [line.split() for line in lines], [split(line, b"\t") for line in lines]
    return len(set(map(len, spaced))) == 1 and _has_iteration(spaced) and not _has_iteration(tabbed)


def _has_iteration(rows: Sequence[Sequence[bytes]]) -> bool:
    return all(len(row) >= 4 and row[1].upper() in (b"Q0", b"0") for row in rows)


def _candidate(lines: Sequence[bytes], separator: bytes | None, kind: Kind) -> tuple[Layout, bool] | None:
    """The layout under this separator, and whether most lines have a number where it has its value."""
    rows = [split(line, separator) for line in lines]
    widths = Counter(min(len(row), _WIDEST[kind]) for row in rows if len(row) <= _MOST[kind])
    width = max(widths, key=lambda width: (widths[width], width), default=0)
    rows = [row for row in rows if len(row) >= width]
    layout = _layout(rows, width, kind)
    if layout is None:
        return None
    numeric = 0 if layout.value is None else sum(is_number(row[layout.value]) for row in rows)
    return layout._replace(separator=separator), numeric * 2 > len(rows)


def is_number(text: bytes) -> bool:
    try:
        float(text.replace(b",", b"."))
    except ValueError:
        return False
    return True


def split(line: bytes, separator: bytes | None) -> list[bytes]:
    """The fields of a line. Between tabs a field may hold spaces, which are stripped at its ends."""
    if separator == b"\t":
        return [field.strip() for field in line.split(b"\t")]
    return line.split()


def _layout(rows: Sequence[Sequence[bytes]], width: int, kind: Kind) -> Layout | None:
    if kind is Kind.QRELS:
        return {
            4: Layout(None, 4, target=2, value=3),
            3: Layout(None, 3, target=1, value=2),
            2: Layout(None, 2, target=1, value=None),
        }.get(width)
    q0 = all(row[1].upper() == b"Q0" for row in rows) if width > 1 else False
    if width >= 6:
        return Layout(None, 6, target=2, value=4, rank=3)
    if width == 5:
        return Layout(None, 5, 2, 4, rank=3) if q0 else Layout(None, 5, 1, 3, rank=2)
    if width == 4:
        return Layout(None, 4, 2, 3) if q0 else Layout(None, 4, 1, 3, rank=2)
    if width == 3:
        return Layout(None, 3, 1, 2)
    return Layout(None, 2, 1, None) if width == 2 else None


def _single_space(lines: Sequence[bytes], width: int) -> bytes | None:
    """A single space, where it alone separates all columns."""
    single = all(b"\t" not in line and len(line.split(b" ")) == width for line in lines)
    return b" " if single else None
