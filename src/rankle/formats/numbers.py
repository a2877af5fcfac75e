"""Grades and scores as people write them in tables: decimal commas, scientific notation, words that map."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankle.formats.decimal_sign import COMMA, THOUSANDS, Decimal, decimal_notice
from rankle.formats.json_text import shown
from rankle.formats.trec_lines import unused_gains

_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+(\.0*)?")


@dataclass(slots=True)
class Numbers:
    """The numbers of a column, and what was wrong with its cells."""

    values: NDArray[np.float64]
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Row, from 0, and message."""
    notices: list[str] = field(default_factory=list)
    unclear: str | None = None
    """A number whose comma could be a decimal sign or group thousands, where no other number tells."""


def read_scores(cells: Sequence[str] | NDArray[np.float64], *, what: str, decimal: Decimal) -> Numbers:
    """Scores or ranks, finite. what: `score` or `rank`, for the messages."""
    if isinstance(cells, np.ndarray):
        bad = np.flatnonzero(~np.isfinite(cells)).tolist()
        return Numbers(cells, [(row, _not_finite(str(cells[row]), what)) for row in bad])
    quick = _quickly(cells)
    if quick is not None:
        return Numbers(quick)
    return _carefully(cells, what=what, decimal=decimal)


def _quickly(cells: Sequence[str]) -> NDArray[np.float64] | None:
    try:
        values = np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return None
    odd = not np.isfinite(values).all() or any("_" in cell for cell in cells)  # Python reads 1_000
    return None if odd else values


def _carefully(cells: Sequence[str], *, what: str, decimal: Decimal) -> Numbers:
    found = Numbers(np.zeros(len(cells)))
    commas = _commas(cells, decimal, found)
    for row, cell in enumerate(cells):
        text = cell.strip()
        if commas is Decimal.COMMA and re.fullmatch(COMMA, text):
            text = text.replace(",", ".")
        elif commas is Decimal.POINT and re.fullmatch(THOUSANDS, text):
            text = text.replace(",", "")
        if _NUMBER.fullmatch(text):
            found.values[row] = float(text)
            if not math.isfinite(found.values[row]):
                found.faults.append((row, _not_finite(cell, what)))
        elif text.casefold().lstrip("+-") in {"nan", "inf", "infinity"}:
            found.faults.append((row, _not_finite(cell, what)))
        else:
            empty = f"the {what} is empty; write it, or drop the row"
            other = f"the {what} must be a number, got {shown(cell)}"
            found.faults.append((row, other if text else empty))
    return found


def _commas(cells: Sequence[str], decimal: Decimal, found: Numbers) -> Decimal:
    """What the commas of a column are; `unclear` is set where nothing tells."""
    with_comma = [cell.strip() for cell in cells if "," in cell]
    if decimal is not Decimal.AUTO or not with_comma:
        return decimal
    if any(not re.fullmatch(THOUSANDS, cell) for cell in with_comma):
        found.notices.append(decimal_notice(len(with_comma)))
        return Decimal.COMMA
    if any("." in cell or cell.count(",") > 1 for cell in with_comma):
        found.notices.append(f"numbers with a comma between thousands: {len(with_comma)}")
        return Decimal.POINT
    found.unclear = with_comma[0]
    return Decimal.AUTO


def _not_finite(cell: str, what: str) -> str:
    return f"the {what} must be a finite number, got {shown(cell)}; drop or repair the result"


def read_grades(cells: Sequence[str] | NDArray[np.float64], *, gains: Mapping[str, int] | None) -> Numbers:
    """Grades, whole numbers. gains: grade as written to the integer that it means."""
    words = [f"{cell:g}" for cell in cells.tolist()] if isinstance(cells, np.ndarray) else cells
    found = Numbers(np.zeros(len(words)))
    known: dict[str, int | None] = {}
    for row, cell in enumerate(words):
        if cell not in known:
            known[cell] = _grade(cell.strip(), gains or {})
        grade = known[cell]
        if grade is None:
            found.faults.append((row, _no_grade(cell.strip())))
        else:
            found.values[row] = grade
    found.notices += unused_gains(gains, {cell.strip() for cell in known})
    return found


def _grade(text: str, gains: Mapping[str, int]) -> int | None:
    if text in gains:
        return gains[text]
    whole = _INTEGER.fullmatch(text)
    return int(text.partition(".")[0]) if whole and len(text) < 10 else None


def _no_grade(text: str) -> str:
    if not text:
        return "the grade is empty; write 0 for not relevant, or drop the row"
    return f"the grade must be an integer, got {shown(text)}. Map grades with --gain {text}=1"
