"""What a system answered, with texts and stages, in one file that is also a run for every other tool.

A row is a result: `query_id`, `doc_id`, `rank` and `system_score`, which no reader takes for what orders
them: the rank does. `recording` holds the rest as JSON: the first row of all what the file is of, the first
of each query what came of it. The rows are a Parquet table, or lines of JSON.
"""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.outcome import Outcome
from rankle.core.text_range import Range
from rankle.formats.byte_source import open_bytes
from rankle.formats.output import write_bytes

SCHEMA: Final = "rankle.recording/1"
PARQUET: Final = ".parquet"
LINES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
_COLUMN: Final = "recording"
_MAGIC: Final = b"PAR1"
_SIGN: Final = b'"recording":{"head":{"schema":"rankle.recording/'
_FIRST: Final = 2**16
"""Bytes of the first line in which that stands, whatever its ids are."""


class RecordedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """One query and what came of it."""

    id: str
    query: str
    collection: str | None
    outcome: Outcome


class RecordedSystem(msgspec.Struct, frozen=True, kw_only=True):
    """What answered."""

    name: str
    method: str
    fingerprint: str
    stages: list[str]
    settings: dict[str, Any]
    floor: float | None = None


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """What a file holds."""

    created: str
    rankle_version: str
    system: RecordedSystem
    set_name: str
    set_fingerprint: str
    level: str
    depth: int
    catalog: Catalog | None
    """What the system held, without the places of files on the machine; None where it could not tell."""
    queries: list[RecordedQuery]
    places: Mapping[str, Range] | None = None
    """Where each chunk of the system stands, so that passages can be scored; None where that is not known."""
    texts: Mapping[str, str] = {}
    """Document to its stored text, of those in which the passages that the set labels were looked for."""


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    schema: str
    recording: Recording
    """Its queries are those without a result, which have no row of their own."""


class _Cell(msgspec.Struct, frozen=True, kw_only=True):
    head: _Head | None = None
    query: RecordedQuery | None = None


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    recording: _Cell | None = None


class _Row(NamedTuple):
    query_id: str
    doc_id: str
    rank: int
    system_score: float
    cell: _Cell | None


def check_place(path: Path) -> None:
    """Raises InputError where a recording cannot be of that name."""
    if not path.name.lower().endswith((PARQUET, *LINES)):
        raise InputError(
            f"a recording is a Parquet table or lines of JSON, such as run{PARQUET}, run{LINES[0]} or "
            f'run{LINES[1]}; got "{path}"'
        )


def write_recording(path: Path, recording: Recording) -> None:
    """Write the file whole or not at all.

    Raises CannotMeasureError where no query has a result, InputError where the file cannot be written.
    """
    check_place(path)
    rows = _rows(recording)
    data = _as_table(rows) if path.name.lower().endswith(PARQUET) else _as_lines(rows)
    write_bytes(path, data)


def _rows(recording: Recording) -> list[_Row]:
    rows: list[_Row] = []
    without: list[RecordedQuery] = []
    for query in recording.queries:
        hits = query.outcome.answer.hits if query.outcome.answer is not None else ()
        if not hits:
            without.append(query)
        for place, hit in enumerate(hits, start=1):
            cell = _Cell(query=query) if place == 1 else None
            rows.append(_Row(query.id, hit.id, place, float(hit.score), cell))
    if not rows:
        raise CannotMeasureError("no query has a result, so there is nothing to record")
    head = _Head(schema=SCHEMA, recording=msgspec.structs.replace(recording, queries=without))
    first = rows[0].cell
    assert first is not None
    rows[0] = rows[0]._replace(cell=_Cell(head=head, query=first.query))
    return rows


def _as_table(rows: list[_Row]) -> bytes:
    import polars as pl

    names = {
        "query_id": pl.String, "doc_id": pl.String, "rank": pl.Int64, "system_score": pl.Float64,
        _COLUMN: pl.String,
    }  # fmt: skip
    texts = [
        (*row[:-1], None if row.cell is None else msgspec.json.encode(row.cell).decode()) for row in rows
    ]
    buffer = io.BytesIO()
    pl.DataFrame(texts, schema=names, orient="row").write_parquet(buffer)
    return buffer.getvalue()


def _as_lines(rows: list[_Row]) -> bytes:
    names = (*_Row._fields[:-1], _COLUMN)
    encoder = msgspec.json.Encoder()
    return b"".join(
        encoder.encode({name: value for name, value in zip(names, row, strict=True) if value is not None})
        + b"\n"
        for row in rows
    )


def read_recording(path: Path) -> Recording | None:
    """The recording of a file; None where it is another.

    Raises InputError on a recording of another version, or one that is damaged.
    """
    with path.open("rb") as file:
        is_table = file.read(len(_MAGIC)) == _MAGIC
    cells = _cells_of_table(path) if is_table else _cells_of_lines(path)
    if cells is None:
        return None
    head = cells[0].head if cells else None
    if head is None or head.schema != SCHEMA:
        found = head.schema if head is not None else "nothing"
        raise InputError(f"{path} is a recording of {found}; this version reads {SCHEMA}")
    queries = [cell.query for cell in cells if cell.query is not None]
    return msgspec.structs.replace(head.recording, queries=[*queries, *head.recording.queries])


def _cells_of_table(path: Path) -> list[_Cell] | None:
    import polars as pl

    try:
        if _COLUMN not in pl.read_parquet_schema(path):
            return None
        texts = pl.read_parquet(path, columns=[_COLUMN])[_COLUMN].drop_nulls().to_list()
        return [msgspec.json.decode(text, type=_Cell) for text in texts]
    except (pl.exceptions.PolarsError, msgspec.MsgspecError) as error:
        raise _damaged(path, error) from error


def _cells_of_lines(path: Path) -> list[_Cell] | None:
    """Packed ones too. None where the first line is none of ours."""
    if not _begins_as_ours(path):
        return None
    with open_bytes(path, what="a recording") as file:
        try:
            found = [msgspec.json.decode(line, type=_Line).recording for line in file if line.strip()]
        except msgspec.MsgspecError as error:
            raise _damaged(path, error) from error
    return [cell for cell in found if cell is not None]


def _begins_as_ours(path: Path) -> bool:
    try:
        with open_bytes(path, what="a recording") as file:
            first = file.readline(_FIRST)
    except InputError:  # what cannot be read, is told by those who read runs of all kinds
        return False
    return first.startswith(b"{") and _SIGN in first


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} is a recording that cannot be read: {str(error).splitlines()[0]}")
