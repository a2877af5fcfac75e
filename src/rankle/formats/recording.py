"""What a system answered, with texts and stages, in one Parquet file that is also a run for every other tool.

A row is a result: `query_id`, `doc_id`, `rank` and `system_score`, which no reader takes for what orders
them: the rank does. `recording` holds the rest as JSON: the first row of all what the file is of, the first
of each query what came of it.
"""

import io
from pathlib import Path
from typing import Any, Final

import msgspec

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.outcome import Outcome
from rankle.formats.output import write_bytes

SCHEMA: Final = "rankle.recording/1"
ENDING: Final = ".parquet"
_COLUMN: Final = "recording"
_MAGIC: Final = b"PAR1"


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


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    schema: str
    recording: Recording
    """Its queries are those without a result, which have no row of their own."""


class _Cell(msgspec.Struct, frozen=True, kw_only=True):
    head: _Head | None = None
    query: RecordedQuery | None = None


def check_place(path: Path) -> None:
    """Raises InputError where a recording cannot be of that name."""
    if path.suffix.lower() != ENDING:
        raise InputError(f'a recording is a Parquet file, such as run{ENDING}; got "{path}"')


def write_recording(path: Path, recording: Recording) -> None:
    """Write the file whole or not at all.

    Raises CannotMeasureError where no query has a result, InputError where the file cannot be written.
    """
    import polars as pl

    check_place(path)
    rows: list[tuple[str, str, int, float, str | None]] = []
    without: list[RecordedQuery] = []
    for query in recording.queries:
        hits = query.outcome.answer.hits if query.outcome.answer is not None else ()
        if not hits:
            without.append(query)
        for place, hit in enumerate(hits):
            cell = _text(_Cell(query=query)) if place == 0 else None
            rows.append((query.id, hit.id, place + 1, float(hit.score), cell))
    if not rows:
        raise CannotMeasureError("no query has a result, so there is nothing to record")
    head = _Head(schema=SCHEMA, recording=msgspec.structs.replace(recording, queries=without))
    first = msgspec.json.decode(rows[0][4] or "", type=_Cell)
    rows[0] = (*rows[0][:4], _text(_Cell(head=head, query=first.query)))
    names = {
        "query_id": pl.String, "doc_id": pl.String, "rank": pl.Int64, "system_score": pl.Float64,
        _COLUMN: pl.String,
    }  # fmt: skip
    buffer = io.BytesIO()
    pl.DataFrame(rows, schema=names, orient="row").write_parquet(buffer)
    write_bytes(path, buffer.getvalue())


def _text(cell: _Cell) -> str:
    return msgspec.json.encode(cell).decode()


def read_recording(path: Path) -> Recording | None:
    """The recording of a file; None where it is another.

    Raises InputError on a recording of another version, or one that is damaged.
    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            return None
    import polars as pl

    try:
        if _COLUMN not in pl.read_parquet_schema(path):
            return None
        texts = pl.read_parquet(path, columns=[_COLUMN])[_COLUMN].drop_nulls().to_list()
        cells = [msgspec.json.decode(text, type=_Cell) for text in texts]
    except (pl.exceptions.PolarsError, msgspec.MsgspecError) as error:
        raise InputError(
            f"{path} is a recording that cannot be read: {str(error).splitlines()[0]}"
        ) from error
    head = cells[0].head if cells else None
    if head is None or head.schema != SCHEMA:
        found = head.schema if head is not None else "nothing"
        raise InputError(f"{path} is a recording of {found}; this version reads {SCHEMA}")
    queries = [cell.query for cell in cells if cell.query is not None]
    return msgspec.structs.replace(head.recording, queries=[*queries, *head.recording.queries])
