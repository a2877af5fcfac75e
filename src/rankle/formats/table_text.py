"""CSV and TSV text as a table: its separator, quotes, comments and header."""

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rankle.core.errors import BadLinesError, Fault
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import is_known
from rankle.formats.json_text import shown
from rankle.formats.kinds import Quotes, ReadOptions
from rankle.formats.table_lines import Rows, is_excel_hint, read_quoted, split_lines
from rankle.formats.trec_lines import passed_over

SEPARATORS: Final = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}
_LOOKED_AT: Final = 50


@dataclass(frozen=True, slots=True)
class TextTable:
    """The cells of a text, all text."""

    names: tuple[str, ...]
    """Names of the columns; their numbers from 1 where there is no header."""
    rows: list[list[str]]
    lines: list[int]
    """The line on which each row begins."""
    separator: str
    header: bool
    notices: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    """Of rows of another width, which are not in `rows`."""


def find_separator(text: str) -> str | None:
    """The character that separates the columns of the first lines; None where none does throughout, or
    where spaces give more columns, as in a TREC run with decimal commas.

    A separator is one that the first line has and that gives most lines the same number of cells; where
    several do, the first of tab, comma, semicolon, bar whose first line names known columns, else the
    first.
    """
    lines = _first_lines(text)
    fitting = [separator for separator in SEPARATORS if _fits(lines, separator)]
    named = [s for s in fitting if sum(map(is_known, _cells(lines[0], s))) > 1]
    if fitting and not named and "\t" not in fitting:
        widths = {len(line.split()) for line in lines}
        spaced = len(widths) == 1 and widths.pop() > len(_cells(lines[0], fitting[0]))
        return None if spaced else fitting[0]
    return next(iter([*named, *fitting]), None)


def _first_lines(text: str) -> list[str]:
    lines: list[str] = []
    for number, line in enumerate(text.split("\n", _LOOKED_AT)[:_LOOKED_AT]):
        if line.strip() and not line.startswith("#") and not (number == 0 and is_excel_hint(line)):
            lines.append(line)
    return lines


def _fits(lines: Sequence[str], separator: str) -> bool:
    if not lines or separator not in lines[0]:
        return False
    header = _cells(lines[0], separator)
    if sum(map(is_known, header)) > 1:
        return True  # quoted line breaks below make the widths of single lines meaningless
    widths = Counter(len(_cells(line, separator)) for line in lines)
    width, n_lines = widths.most_common(1)[0]
    return width > 1 and n_lines * 2 > len(lines) and len(header) == width


def _cells(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], delimiter=separator), [])


def parse_table(text: str, separator: str | None, options: ReadOptions, *, path: object) -> TextTable:
    """The table of a text whose lines end in LF. separator: None for runs of white space.

    Raises BadLinesError where a quote is never closed, InputError where quotes or lines that begin with `#`
    can be read in two ways.
    """
    notices: list[str] = []
    found = _quoted(text, separator, options, path=path, notices=notices)
    if found.fault is not None:
        raise BadLinesError(path=str(path), faults=[found.fault])
    header = _find_header(found, options)
    _drop_hash_rows(found, header=header, path=path)
    notices += passed_over(n_comments=found.n_comments, n_blank=found.n_blank)
    width = len(found.rows[0]) if header else max(found.widths().items(), key=lambda item: item[1])[0]
    faults = [
        Fault(
            line,
            f"has {len(row)} columns where the {'header' if header else 'file'} has {width}: "
            f"{shown((separator or ' ').join(row))}. Quote cells that hold the separator, or complete the "
            "line",
        )
        for row, line in zip(found.rows, found.lines, strict=True)
        if len(row) != width
    ]
    if faults:
        found.keep([n for n, row in enumerate(found.rows) if len(row) == width])
    names = [cell.strip() for cell in found.rows[0]] if header else [str(n + 1) for n in range(width)]
    start = 1 if header else 0
    return TextTable(
        tuple(names),
        found.rows[start:],
        found.lines[start:],
        separator or " ",
        header,
        tuple(notices),
        tuple(faults),
    )


def _find_header(found: Rows, options: ReadOptions) -> bool:
    """Whether the first row that does not begin with `#` is a header; rows above it are comments."""
    hashed = set(found.hash_rows)
    place = next((n for n in range(len(found.rows)) if n not in hashed), 0)
    if not found.rows or place in hashed or not has_header(found.rows[place], options):
        return False
    found.rows, found.lines = found.rows[place:], found.lines[place:]
    found.hash_rows = [n - place for n in found.hash_rows if n > place]
    found.n_comments += place
    return True


def has_header(row: Sequence[str], options: ReadOptions) -> bool:
    """Whether the first row names columns: two by names that are common or that the user gave, or one and
    nothing that is a number.
    """
    named = set(options.columns.values())
    known = sum(is_known(cell) or (cell.strip() in named and not cell.strip().isdigit()) for cell in row)
    return known > 1 or (known == 1 and not any(_is_number(cell) for cell in row))


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _quoted(
    text: str, separator: str | None, options: ReadOptions, *, path: object, notices: list[str]
) -> Rows:
    """The rows under the reading of quotes that makes a table."""
    if separator is None or '"' not in text or options.quotes is Quotes.NONE:
        return split_lines(text, separator, hash_lines=options.hash_lines)
    quoted = read_quoted(text, separator, hash_lines=options.hash_lines)
    if options.quotes is Quotes.DOUBLE:
        return quoted
    broken = any("\n" in cell for row in quoted.rows for cell in row)
    if quoted.regular and not broken:
        return quoted
    plain = split_lines(text, separator, hash_lines=options.hash_lines)
    if not plain.regular:
        return quoted
    if quoted.regular and separator != "\t":
        return quoted  # as RFC 4180 has it; between tabs quotes are as often plain
    if quoted.regular:
        raise ambiguous(
            path,
            "a double quote begins a cell that ends lines later, yet each line is complete by itself",
            {"--quotes double": "cells hold line breaks", "--quotes none": "quotes are plain characters"},
        )
    notices.append("double quotes are plain characters here: as quotes they would break the table")
    return plain


def _drop_hash_rows(found: Rows, *, header: bool, path: object) -> None:
    """Rows that begin with `#` and have another width than the others are comments; else it is a question."""
    hashed = set(found.hash_rows)
    if not hashed or len(hashed) + header == len(found.rows):
        return
    plain = Counter(len(row) for n, row in enumerate(found.rows) if n not in hashed)
    width = plain.most_common(1)[0][0]
    alike = [n for n in found.hash_rows if len(found.rows[n]) == width]
    if alike:
        lines = ", ".join(str(found.lines[n]) for n in alike[:3])
        raise ambiguous(
            path,
            f"lines that begin with # and look like data: {len(alike)} (line {lines}); others do not",
            {"--hash-lines comment": "they are comments", "--hash-lines data": "their ids begin with #"},
        )
    found.n_comments += len(hashed)
    found.keep([n for n in range(len(found.rows)) if n not in hashed])
