"""The careful reader of TREC lines: every fault with its line, whatever stands between the columns."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from rankle.core.errors import Fault
from rankle.formats.decimal_sign import Commas, Decimal
from rankle.formats.trec_layout import EXPECTED, Kind, Layout, split
from rankle.metrics.qrels import GREATEST_GRADE

_INTEGER: Final = re.compile(rb"[+-]?[0-9]+(\.0*)?")
_NUMBER: Final = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_FINITE: Final = rb"(?i)[+-]?(nan|inf|infinity)"
_PLAIN_BYTES: Final = 1 << 20
"""More at once would take much memory, and comes here only where it is not plain."""


class Hash(StrEnum):
    """What a line is that begins with `#` and has the shape of data."""

    AUTO = "auto"
    """A comment, unless all lines begin so; an error where the file has both."""
    COMMENT = "comment"
    DATA = "data"


class Rows:
    """What lines gave, as columns of one row a data line, and what was wrong with them."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.targets: list[str] = []
        self.values: list[float] = []
        self.lines: list[int] = []
        self.faults: list[Fault] = []
        self.hash_lines: list[int] = []
        """Lines that begin with `#` and have the shape of data, which `queries` includes."""
        self.n_plain = 0
        """Data lines that do not begin with `#`."""
        self.n_spaced_tags = self.n_comments = self.n_blank = 0


class LineRules(NamedTuple):
    """How lines are read."""

    kind: Kind
    layout: Layout
    commas: Commas
    """The commas of scores, which are counted here."""
    hash: Hash = Hash.AUTO
    gains: Mapping[str, int] | None = None
    """Grade as written to the integer that it means; grades that are not named must be integers."""
    decimal: Decimal = Decimal.AUTO
    met: set[str] | None = None
    """The gains that a grade was mapped by are added here."""


def read_rows(data: bytes, rules: LineRules, *, first_line: int, rows: Rows) -> None:
    """Add the lines of `data` to `rows`. first_line: the number of its first line, from 1."""
    if not _read_plain(data, rules, first_line=first_line, rows=rows):
        _read_each(data, rules, first_line=first_line, rows=rows)


def _read_plain(data: bytes, rules: LineRules, *, first_line: int, rows: Rows) -> bool:
    """Add all lines at once, column by column, three times as fast as line by line.

    False, with nothing added, where a line is not plain: blank, a comment, of another width, with a fault or
    with a number that is written in another way. Then each line must be looked at.
    """
    layout = rules.layout
    if len(data) > _PLAIN_BYTES or data.startswith(b"#") or b"\n#" in data:
        return False
    if layout.separator == b"\t" or layout.value is None or data.count(b"\r") != data.count(b"\r\n"):
        return False
    try:
        columns = list(zip(*map(bytes.split, data.removesuffix(b"\n").split(b"\n")), strict=True))
        if len(columns) != layout.width:
            return False
        queries, targets = (b"\n".join(columns[at]).decode().split("\n") for at in (0, layout.target))
    except ValueError:  # lines of several widths, or not UTF-8
        return False
    if layout.rank is not None and not all(map(bytes.isdigit, columns[layout.rank])):
        return False
    values = _plain_values(columns[layout.value], rules)
    if values is None:
        return False
    rows.queries += queries
    rows.targets += targets
    rows.values += values
    rows.lines += range(first_line, first_line + len(queries))
    rows.n_plain += len(queries)
    return True


def _plain_values(column: Sequence[bytes], rules: LineRules) -> Sequence[float] | None:
    """The grades or scores of a column; None where one of them must be looked at."""
    if rules.kind is Kind.QRELS:
        if rules.gains is not None or not all(map(bytes.isdigit, column)) or max(map(len, column)) > 9:
            return None
        return list(map(int, column))
    if not all(map(_NUMBER.fullmatch, column)):
        return None
    scores = list(map(float, column))
    return scores if all(map(math.isfinite, scores)) else None


def _read_each(data: bytes, rules: LineRules, *, first_line: int, rows: Rows) -> None:
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), start=first_line):
        stripped = line.strip()
        if not stripped:
            rows.n_blank += 1
            continue
        hashed = line.startswith(b"#")
        if hashed and (rules.hash is Hash.COMMENT or (rules.hash is Hash.AUTO and not _is_id(line))):
            rows.n_comments += 1
            continue
        try:
            query, target, value, spaced = _read_line(stripped, rules)
        except ValueError as error:
            if not hashed or rules.hash is Hash.DATA:
                rows.faults.append(Fault(number, str(error)))
            else:
                rows.n_comments += 1
            continue
        rows.queries.append(query)
        rows.targets.append(target)
        rows.values.append(value)
        rows.lines.append(number)
        rows.n_spaced_tags += spaced
        if hashed and rules.hash is Hash.AUTO:
            rows.hash_lines.append(number)
        else:
            rows.n_plain += 1


def passed_over(*, n_comments: int, n_blank: int) -> list[str]:
    """What must be said of lines that hold nothing to read."""
    found = {"comment": n_comments, "blank": n_blank}
    return [f"{what} lines, passed over: {count}" for what, count in found.items() if count > 0]


def unused_gains(gains: Mapping[str, int] | None, met: Collection[str]) -> list[str]:
    """What must be said of gains that map nothing, such as those of a misspelled label."""
    unused = [word for word in gains or {} if word not in met]
    return [f"--gain for grades that the file does not have: {', '.join(unused)}"] if unused else []


def _is_id(line: bytes) -> bool:
    """Whether a line that begins with `#` may begin with an id: a lone `#` is the sign of a comment."""
    return len(line) > 1 and not line[1:2].isspace()


def _read_line(line: bytes, rules: LineRules) -> tuple[str, str, float, bool]:
    layout = rules.layout
    if b"\r" in line:
        raise ValueError("holds a carriage return within the line; save the file with one kind of line ends")
    fields = split(line, b"\t" if layout.separator == b"\t" else None)
    if len(fields) != layout.width and len(by_space := line.split()) == layout.width:
        fields = by_space  # a line of its own kind in a file of tabs
    spaced = False
    if len(fields) != layout.width:
        spaced = rules.kind is Kind.RUN and layout.width == 6 and len(fields) > 6
        if not spaced and not (layout.width == 6 and len(fields) == 5 and rules.kind is Kind.RUN):
            raise ValueError(
                f"has {len(fields)} column{'' if len(fields) == 1 else 's'} where the file has "
                f"{layout.width}; expected {EXPECTED[rules.kind]}. Ids that hold spaces need tabs between"
                " the columns"
            )
    rank = b"" if layout.rank is None else fields[layout.rank]
    if rank and not _INTEGER.fullmatch(rank):
        raise ValueError(f"the rank must be an integer, got {_shown(rank)}")
    try:
        query, target = fields[0].decode(), fields[layout.target].decode()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"is not UTF-8 at byte 0x{error.object[error.start]:02x}; save the file as UTF-8"
        ) from None
    if not query or not target:
        raise ValueError(f"has an empty {'target' if query else 'query'} id; expected {EXPECTED[rules.kind]}")
    if layout.value is None:
        return query, target, 1, spaced
    read = _read_grade if rules.kind is Kind.QRELS else _read_score
    return query, target, read(fields[layout.value], rules), spaced


def _read_score(text: bytes, rules: LineRules) -> float:
    if _NUMBER.fullmatch(text):
        value = float(text)
        if math.isfinite(value):
            return value
    if b"," in text:
        number = rules.commas.number(text.decode(errors="replace"), rules.decimal)
        if number is not None:
            return number
    if _NUMBER.fullmatch(text) or re.fullmatch(_NOT_FINITE, text):
        raise ValueError(f"the score must be a finite number, got {_shown(text)}; drop or repair the result")
    raise ValueError(f"the score must be a number, got {_shown(text)}; expected {EXPECTED[Kind.RUN]}")


def _read_grade(text: bytes, rules: LineRules) -> int:
    word = text.decode(errors="replace")
    if rules.gains is not None and word in rules.gains:
        if rules.met is not None:
            rules.met.add(word)
        return rules.gains[word]
    if _INTEGER.fullmatch(text):
        grade = int(text.partition(b".")[0])
        if abs(grade) > GREATEST_GRADE:
            raise ValueError(f"the grade must be within {GREATEST_GRADE:,}, got {_shown(text)}")
        return grade
    raise ValueError(
        f"the grade must be an integer, got {_shown(text)}. Map grades with --gain {word.replace(',', '.')}=1"
    )


def _shown(text: bytes) -> str:
    word = text.decode(errors="replace")
    return f'"{word if len(word) <= 40 else word[:39] + "…"}"'
