"""TREC lines, block by block: the fast reader where it can, the careful one where it must."""

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.byte_source import open_bytes
from rankle.formats.decimal_sign import Commas, Decimal
from rankle.formats.trec_layout import EXPECTED, Kind, Layout, is_number, sniff_layout, split
from rankle.formats.trec_lines import Hash, LineRules, Rows, passed_over, read_rows, unused_gains

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

BLOCK_BYTES: Final = 1 << 23
"""A quarter of a million lines: enough for the fast reader, and little enough that memory is reused."""
_READERS: Final = 2
"""Blocks that are parsed at once; the fast reader uses one core for each."""
_SMALL_BYTES: Final = 1 << 20
"""Below this, reading line by line is quicker than importing the fast reader."""
_SNIFFED_BYTES: Final = 1 << 16
_SNIFFED_LINES: Final = 400
_HEADERS: Final = frozenset(
    {b"query", b"query-id", b"query_id", b"queryid", b"qid", b"q_id", b"topic", b"topic_id", b"topicid"}
)


class Block(NamedTuple):
    """Some lines of a file, as columns."""

    queries: "list[str] | pl.Series"
    targets: "list[str] | pl.Series"
    values: NDArray[np.float64] | NDArray[np.int64] | None
    """Grades or scores; None where the file has none."""
    lines: "list[int] | range"
    """Number of each row's line."""


class Reading:
    """How a file is read, and what reading it found beside its rows; complete once its blocks are used up."""

    def __init__(
        self,
        path: str,
        kind: Kind,
        *,
        hash: Hash = Hash.AUTO,  # noqa: A002 - as LineRules has it
        gains: Mapping[str, int] | None = None,
        decimal: Decimal = Decimal.AUTO,
        careful: bool = False,
        notices: Iterable[str] = (),
    ) -> None:
        """careful: every line goes to the careful reader."""
        self.path, self.kind = path, kind
        self.hash, self.gains, self.decimal, self.careful = hash, gains, decimal, careful
        self.layout: Layout | None = None
        self.tag = ""
        self.notices = list(notices)
        self.faults: list[Fault] = []
        self.hash_lines: list[int] = []
        self.n_plain = self.n_rows = self.n_spaced_tags = 0
        self.n_comments = self.n_blank = 0
        self.commas = Commas()
        self.gains_met: set[str] = set()
        self.next_line = 1


def read_blocks(path: "str | Path", reading: Reading, *, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """The rows of a file; blocks end where a query ends, unless the file returns to it later.

    Raises InputError on what is no such file, and at the end BadLinesError with all faults.
    """
    what = f"TREC {reading.kind.value}"
    with open_bytes(path, what=what) as stream:
        for data, frame in _parsed(_pieces(stream, reading, block_bytes), reading):
            block = _read_carefully(data, reading) if frame is None else _as_block(frame, reading)
            if block is not None:
                reading.n_rows += len(block.queries)
                yield block
    _conclude(reading, what)


def _pieces(stream: BinaryIO, reading: Reading, block_bytes: int) -> Iterator[bytes]:
    waiting = _sniff(stream.read(_SNIFFED_BYTES), reading)
    carried = b""
    while True:
        data, waiting = waiting[:block_bytes], waiting[block_bytes:]
        if len(data) < block_bytes:
            data += stream.read(block_bytes - len(data))
        ended = len(data) < block_bytes
        cut = len(data) if ended else _end_of_queries(data, reading.layout)
        if cut:
            yield b"".join((carried, memoryview(data)[:cut]))
            carried = data[cut:]
        else:
            carried += data
        if ended:
            if carried:
                yield carried
            return


def _sniff(data: bytes, reading: Reading) -> bytes:
    """Find the layout from the first lines; returns the data without a header line."""
    head = data.split(b"\n", _SNIFFED_LINES)
    cut = len(data) == _SNIFFED_BYTES or len(head) > _SNIFFED_LINES
    head = head[:-1] if cut and len(head) > 1 else head
    lines = [line.strip() for line in head if line.strip()]
    plain = [line for line in lines if not line.startswith(b"#")]
    hashed = [line for line in lines if line[:1] == b"#" and not line[1:2].isspace()]
    if not plain and reading.hash is not Hash.COMMENT and (layout := sniff_layout(hashed, reading.kind)):
        plain = hashed if layout.value is not None else []
    header: list[bytes] = []
    if len(plain) > 1 and _is_header(plain[0]):
        header = plain[0].lower().split()
        number = next(n for n, line in enumerate(head, start=1) if line.strip() == plain[0])
        reading.notices.append(
            f"line {number} is a header and was passed over: {plain[0].decode(errors='replace')}"
        )
        if number == 1:
            data, reading.next_line = data[len(head[0]) + 1 :], 2
        else:
            data = data.replace(plain[0], b"", 1)
            reading.n_blank = -1  # the line that held the header
        plain = plain[1:]
    layout = sniff_layout(plain, reading.kind)
    if layout is None and plain:
        raise InputError(
            f"{reading.path} is no TREC {reading.kind.value}: its first line is "
            f'"{plain[0][:60].decode(errors="replace")}"; expected {EXPECTED[reading.kind]}'
        )
    if layout is not None:
        _refuse_labels(plain, layout, reading)
        reading.layout = _with_ranks(plain, layout, header, reading)
        fields = split(plain[0], b"\t" if layout.separator == b"\t" else None)
        if reading.kind is Kind.RUN and layout.width == 6 and len(fields) >= 6:
            reading.tag = b" ".join(fields[5:]).decode(errors="replace")
    return data


def _is_header(line: bytes) -> bool:
    """Whether a line names columns: a query of such a name would have a number behind its target."""
    first, *others = line.split()
    return first.lower() in _HEADERS and not any(map(is_number, others[1:]))


def _with_ranks(lines: list[bytes], layout: Layout, header: list[bytes], reading: Reading) -> Layout:
    """The layout, knowing whether the numbers of a run without a column of ranks are ranks themselves.

    Raises InputError where neither the header nor the first lines tell.
    """
    if reading.kind is not Kind.RUN or layout.rank is not None or layout.value is None:
        return layout
    from rankle.formats.rank_or_score import RANK_NOTICE, Meaning, meaning, rank_question

    if len(header) == layout.width and header[layout.value] in (b"rank", b"position"):
        return layout._replace(value_is_rank=True)
    rows = [split(line, b"\t" if layout.separator == b"\t" else None) for line in lines[:_SNIFFED_LINES]]
    at = (0, layout.target, layout.value)
    cells = [[row[n].decode(errors="replace") for n in at] for row in rows if len(row) == layout.width]
    found = meaning((query, target, number) for query, target, number in cells)
    if len(header) == layout.width and header[layout.value] == b"score":
        found = Meaning.SCORES
    column = f"column {layout.value + 1}"
    if found is Meaning.UNCLEAR:
        raise rank_question(reading.path, column)
    if found is Meaning.RANKS:
        reading.notices.append(f"{column} {RANK_NOTICE}")
    return layout._replace(value_is_rank=found is Meaning.RANKS)


def _refuse_labels(lines: list[bytes], layout: Layout, reading: Reading) -> None:
    """NTCIREVAL's judgments of one query (`TARGET L2`) look like `QUERY TARGET`."""
    if reading.kind is Kind.QRELS and layout.width == 2:
        second = [line.split()[1] for line in lines if len(line.split()) == 2]
        if second and all(word[:1] == b"L" and word[1:].isdigit() for word in second):
            raise InputError(
                f"{reading.path} has a target and a label on each line (NTCIREVAL) and names no query; "
                f"expected {EXPECTED[Kind.QRELS]}"
            )


def _end_of_queries(data: bytes, layout: Layout | None) -> int:
    """Where the last query of the data begins, since more of it may follow; 0 where it is the only one.

    The first line of the data may be the rest of one that began before, and is not looked at.
    """
    separator = b"\t" if layout is not None and layout.separator == b"\t" else None
    end = data.rfind(b"\n") + 1
    last: bytes | None = None
    while (start := data.rfind(b"\n", 0, max(end - 1, 0)) + 1) > 0:
        query = data[start : end - 1].split(separator, 1)[:1]
        if query and last is not None and query[0].strip() != last:
            return end
        if query:
            last = query[0].strip()
        end = start
    return 0


def _parsed(pieces: Iterator[bytes], reading: Reading) -> "Iterator[tuple[bytes, pl.DataFrame | None]]":
    """Each piece with what the fast reader made of it, None where it refused or was not asked."""
    first = next(pieces, b"")
    layout = reading.layout
    # the fast reader is worth its import for large files, or where it is there already
    small = len(first) <= _SMALL_BYTES and "polars" not in sys.modules
    if reading.careful or reading.gains or small or layout is None:
        yield from ((piece, None) for piece in chain([first], pieces))
        return
    from rankle.formats.trec_fast import read_frame

    second = next(pieces, None)
    if second is None:  # threads cost more than they save
        yield first, read_frame(first, layout, reading.kind)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    with ThreadPoolExecutor(_READERS) as readers:
        ahead: deque[tuple[bytes, Future[pl.DataFrame | None]]] = deque()
        for piece in chain([first, second], pieces):
            ahead.append((piece, readers.submit(read_frame, piece, layout, reading.kind)))
            if len(ahead) > _READERS:
                data, frame = ahead.popleft()
                yield data, frame.result()
        for data, frame in ahead:
            yield data, frame.result()


def _as_block(frame: "pl.DataFrame", reading: Reading) -> Block:
    first = reading.next_line
    reading.next_line += frame.height
    reading.n_plain += frame.height
    values = frame["value"].to_numpy() if "value" in frame.columns else None
    if values is not None and reading.layout is not None and reading.layout.value_is_rank:
        values = -values
    return Block(frame["query"], frame["target"], values, range(first, first + frame.height))


def _read_carefully(data: bytes, reading: Reading) -> Block | None:
    if reading.layout is None:  # comments and blank lines only
        reading.next_line += data.count(b"\n")
        return None
    rules = LineRules(
        kind=reading.kind,
        layout=reading.layout,
        hash=reading.hash,
        gains=reading.gains,
        decimal=reading.decimal,
        commas=reading.commas,
        met=reading.gains_met,
    )
    rows = Rows()
    read_rows(data, rules, first_line=reading.next_line, rows=rows)
    reading.next_line += data.count(b"\n")
    reading.faults += rows.faults
    reading.hash_lines += rows.hash_lines
    reading.n_plain += rows.n_plain
    reading.n_spaced_tags += rows.n_spaced_tags
    reading.n_comments += rows.n_comments
    reading.n_blank += rows.n_blank
    values: NDArray[np.int64] | NDArray[np.float64] | None = None
    if reading.layout.value is not None:
        values = np.array(rows.values, dtype=np.float64)
        values = values.astype(np.int64) if reading.kind is Kind.QRELS else values
        values = -values if reading.layout.value_is_rank else values
    return Block(rows.queries, rows.targets, values, rows.lines) if rows.queries else None


def _conclude(reading: Reading, what: str) -> None:
    if reading.faults:
        raise BadLinesError(path=reading.path, faults=reading.faults)
    if reading.hash_lines and reading.n_plain:
        lines = ", ".join(map(str, reading.hash_lines[:3]))
        n_lines = len(reading.hash_lines)
        raise InputError(
            f"{reading.path}: {n_lines} {'line begins' if n_lines == 1 else 'lines begin'} with # and may be "
            f"data (line {lines}), others do not. Say which they are: --hash-lines comment, or "
            "--hash-lines data"
        )
    if not reading.n_rows:
        raise InputError(f"{reading.path} is empty; expected {what}: {EXPECTED[reading.kind]}")
    reading.notices += passed_over(n_comments=reading.n_comments, n_blank=reading.n_blank)
    reading.notices += unused_gains(reading.gains, reading.gains_met)
    if reading.n_spaced_tags:
        reading.notices.append(f"lines whose tag holds spaces: {reading.n_spaced_tags}")
    reading.notices += reading.commas.conclude(reading.path)
