"""CSV and TSV text as a table: its separator, quotes, comments and header."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from rankle.core.errors import BadLinesError, Fault
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import is_known
from rankle.formats.json_text import MAX_LINE_CHARS, shown
from rankle.formats.kinds import Quotes, ReadOptions
from rankle.formats.trec_lines import Hash

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


@dataclass(slots=True)
class _Rows:
    """Rows as one reading of the text gives them."""

    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    hash_rows: list[int] = field(default_factory=list)
    """Places of rows that begin with `#` and could be data."""
    n_comments: int = 0
    fault: Fault | None = None

    def keep(self, places: Sequence[int]) -> None:
        """Keep the rows at these places."""
        self.rows, self.lines = [self.rows[n] for n in places], [self.lines[n] for n in places]

    def widths(self) -> Counter[int]:
        return Counter(map(len, self.rows))

    @property
    def regular(self) -> bool:
        return self.fault is None and len(self.widths()) <= 1


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
        if line.strip() and not line.startswith("#") and not (number == 0 and _is_excel_hint(line)):
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


def _is_excel_hint(line: str) -> bool:
    return len(line.strip()) == 5 and line.casefold().startswith("sep=")


def parse_table(text: str, separator: str, options: ReadOptions, *, path: object) -> TextTable:
    """The table of a text whose lines end in LF.

    Raises BadLinesError where a quote is never closed, InputError where quotes or lines that begin with `#`
    can be read in two ways.
    """
    notices: list[str] = []
    found = _quoted(text, separator, options, path=path, notices=notices)
    if found.fault is not None:
        raise BadLinesError(path=str(path), faults=[found.fault])
    header = _find_header(found, options)
    _drop_hash_rows(found, header=header, path=path)
    if found.n_comments:
        notices.append(f"comment lines, passed over: {found.n_comments}")
    width = len(found.rows[0]) if header else max(found.widths().items(), key=lambda item: item[1])[0]
    faults = [
        Fault(
            line,
            f"has {len(row)} columns where the {'header' if header else 'file'} has {width}: "
            f"{shown(separator.join(row))}. Quote cells that hold the separator, or complete the line",
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
        separator,
        header,
        tuple(notices),
        tuple(faults),
    )


def _find_header(found: _Rows, options: ReadOptions) -> bool:
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
    """Whether the first row names columns, by common names or those that the user gave, and has no number."""
    named = set(options.columns.values())
    known = any(is_known(cell) or (cell.strip() in named and not cell.strip().isdigit()) for cell in row)
    return known and not any(_is_number(cell) for cell in row)


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _quoted(text: str, separator: str, options: ReadOptions, *, path: object, notices: list[str]) -> _Rows:
    """The rows under the reading of quotes that makes a table."""
    if '"' not in text or options.quotes is Quotes.NONE:
        return _split(text, separator, hash_lines=options.hash_lines)
    quoted = _read_quoted(text, separator, hash_lines=options.hash_lines)
    if options.quotes is Quotes.DOUBLE:
        return quoted
    broken = any("\n" in cell for row in quoted.rows for cell in row)
    if quoted.regular and not broken:
        return quoted
    plain = _split(text, separator, hash_lines=options.hash_lines)
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


def _split(text: str, separator: str, *, hash_lines: Hash) -> _Rows:
    """The rows where a line is a row and quotes are plain: four times as fast as the csv module."""
    found = _Rows()
    lines = text.split("\n")
    kept = [n for n, line in enumerate(lines) if line and not line.isspace()]
    if kept and kept[0] == 0 and _is_excel_hint(lines[0]):
        kept = kept[1:]
    hashed = {n for n in kept if lines[n][0] == "#"} if hash_lines is not Hash.DATA else set()
    comments = {n for n in hashed if _is_comment(lines[n], hash_lines)}
    if hashed:
        kept = [n for n in kept if n not in comments]
        found.hash_rows = [row for row, n in enumerate(kept) if n in hashed]
    found.rows = [lines[n].split(separator) for n in kept]
    found.lines = [n + 1 for n in kept]
    found.n_comments = len(comments)
    return found


def _is_comment(line: str, hash_lines: Hash) -> bool:
    """Whether a line that begins with `#` is a comment beyond doubt."""
    return hash_lines is Hash.COMMENT or not line[1:2].strip()


def _read_quoted(text: str, separator: str, *, hash_lines: Hash) -> _Rows:
    found = _Rows()
    source = _Lines(text, hash_lines)
    reader = csv.reader(source, delimiter=separator, strict=True)
    with _long_cells():
        while True:
            source.row_begins = True
            try:
                row = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                found.fault = Fault(
                    source.row_line, f"is not a row of a table: {error}. Close the quote, or: --quotes none"
                )
                break
            if source.hashed:
                found.hash_rows.append(len(found.rows))
            found.rows.append(row)
            found.lines.append(source.row_line)
    found.n_comments = source.n_comments
    return found


class _Lines:
    """The lines of a text, without blank and comment lines where a row may begin."""

    def __init__(self, text: str, hash_lines: Hash) -> None:
        self._lines = iter(text.split("\n"))
        self._hash = hash_lines
        self._number = 0
        self.row_begins = True
        self.row_line = 0
        self.hashed = False
        self.n_comments = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while True:
            line = next(self._lines)
            self._number += 1
            if not self.row_begins:
                return f"{line}\n"
            if not line.strip() or (self._number == 1 and _is_excel_hint(line)):
                continue
            self.hashed = line.startswith("#") and self._hash is not Hash.DATA
            if self.hashed and _is_comment(line, self._hash):
                self.n_comments += 1
                continue
            self.row_begins, self.row_line = False, self._number
            return f"{line}\n"


@contextmanager
def _long_cells() -> Iterator[None]:
    """The csv module's limit of a cell is for the whole process, so it is put back."""
    before = csv.field_size_limit(MAX_LINE_CHARS)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _drop_hash_rows(found: _Rows, *, header: bool, path: object) -> None:
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
