"""The rows of CSV and TSV text, with and without quotes, and which lines are comments."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rankle.core.errors import Fault
from rankle.formats.json_text import MAX_LINE_CHARS
from rankle.formats.trec_lines import Hash


@dataclass(slots=True)
class Rows:
    """Rows as one reading of the text gives them."""

    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """The line on which each row begins, from 1."""
    hash_rows: list[int] = field(default_factory=list)
    """Places of rows that begin with `#` and could be data."""
    n_comments: int = 0
    n_blank: int = 0
    fault: Fault | None = None

    def keep(self, places: Sequence[int]) -> None:
        """Keep the rows at these places."""
        self.rows, self.lines = [self.rows[n] for n in places], [self.lines[n] for n in places]

    def widths(self) -> Counter[int]:
        return Counter(map(len, self.rows))

    @property
    def regular(self) -> bool:
        """Whether all rows have one width."""
        return self.fault is None and len(self.widths()) <= 1


def is_excel_hint(line: str) -> bool:
    """Whether a first line is Excel's `sep=;`."""
    return len(line.strip()) == 5 and line.casefold().startswith("sep=")


def split_lines(text: str, separator: str | None, *, hash_lines: Hash) -> Rows:
    """The rows where a line is a row and quotes are plain: four times as fast as the csv module.

    separator: None for runs of white space.
    """
    found = Rows()
    lines = text.split("\n")
    kept = [n for n, line in enumerate(lines) if line and not line.isspace()]
    if kept and kept[0] == 0 and is_excel_hint(lines[0]):
        kept = kept[1:]
    hashed = {n for n in kept if lines[n][0] == "#"} if hash_lines is not Hash.DATA else set()
    comments = {n for n in hashed if _is_comment(lines[n], hash_lines)}
    if hashed:
        kept = [n for n in kept if n not in comments]
        found.hash_rows = [row for row, n in enumerate(kept) if n in hashed]
    found.rows = [lines[n].split(separator) for n in kept]
    found.lines = [n + 1 for n in kept]
    found.n_comments = len(comments)
    found.n_blank = _blank(lines)
    return found


def _blank(lines: Sequence[str]) -> int:
    """How many lines are blank, without what follows the last line's end."""
    return sum(not line or line.isspace() for line in lines[:-1])


def _is_comment(line: str, hash_lines: Hash) -> bool:
    """Whether a line that begins with `#` is a comment beyond doubt."""
    return hash_lines is Hash.COMMENT or not line[1:2].strip()


def read_quoted(text: str, separator: str, *, hash_lines: Hash) -> Rows:
    """The rows where double quotes quote; `fault` tells where that ends in no row."""
    found = Rows()
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
    found.n_comments, found.n_blank = source.n_comments, source.n_blank
    return found


class _Lines:
    """The lines of a text, without blank and comment lines where a row may begin."""

    def __init__(self, text: str, hash_lines: Hash) -> None:
        self._lines = iter(text.removesuffix("\n").split("\n"))
        self._hash = hash_lines
        self._number = 0
        self.row_begins = True
        self.row_line = 0
        self.hashed = False
        self.n_comments = self.n_blank = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while True:
            line = next(self._lines)
            self._number += 1
            if not self.row_begins:
                return f"{line}\n"
            if not line.strip() or (self._number == 1 and is_excel_hint(line)):
                self.n_blank += not line.strip()
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
