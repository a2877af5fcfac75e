"""Outcomes and reports as small blobs: MessagePack and JSON, packed by Zstandard.

What is kept of an outcome is what a report can be made from: results with their scores, nested chunks, the
rank of everything in every stage, times and errors. Scores within a stage and the texts of results are not.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec

from rankle.core.errors import RecordError
from rankle.core.outcome import Answer, Outcome
from rankle.core.run import QueryReport, ResultReport, RunReport
from rankle.core.search import Hit, Stage, StageRank

if TYPE_CHECKING:
    import zstandard

_T = TypeVar("_T")
_DOUBLE: Final = 8


class _Stage(msgspec.Struct, array_like=True, frozen=True):
    name: str
    took_ms: float
    exhausted: bool
    names: list[int]
    """Places in the names of the outcome, best first."""
    ranks: list[int]
    """Empty where they are 1, 2, 3, ..."""


class _Outcome(msgspec.Struct, array_like=True, frozen=True):
    answered: bool
    error: str | None
    took_ms: float | None
    batch_size: int | None
    crash_of_batch: str | None
    names: list[str] = []
    """Every id once; everything below names it by its place here."""
    hits: list[int] = []
    documents: list[int] = []
    """Empty where each is the hit itself."""
    scores: bytes = b""
    chunks: list[list[int]] = []
    """Empty where no hit has any."""
    stages: list[_Stage] = []
    n_duplicates: int = 0
    notices: list[str] = []


class _Report(msgspec.Struct, frozen=True):
    report: RunReport
    """Results left out where the outcome of the query gives them."""
    grades: list[list[int | None] | None]
    """For each query, the grades of its results; null where the report has the results."""


def pack_outcome(outcome: Outcome) -> bytes:
    """The blob of one case."""
    return _compressor().compress(msgspec.msgpack.encode(_packed(outcome)))


def unpack_outcome(blob: bytes) -> Outcome:
    """What was packed, without scores within stages (NaN) and texts. Raises RecordError on anything else."""
    packed = decode(unpack(blob), _Outcome)
    answer = _answer(packed) if packed.answered else None
    return Outcome(answer, packed.error, packed.took_ms, packed.batch_size, packed.crash_of_batch)


def pack_report(report: RunReport, outcomes: Sequence[bytes]) -> bytes:
    """The blob of a report, without the results that the outcomes of its queries give to the byte.

    outcomes: the blob of each query of the report, in its order.
    """
    queries: list[QueryReport] = []
    grades: list[list[int | None] | None] = []
    for query, outcome in zip(report.queries, outcomes, strict=True):
        own = [result.grade for result in query.results]
        if _same(_results(outcome, own), query.results):
            queries.append(msgspec.structs.replace(query, results=[]))
            grades.append(own)
        else:
            queries.append(query)
            grades.append(None)
    stored = _Report(msgspec.structs.replace(report, queries=queries), grades)
    return pack(msgspec.json.encode(stored))


def unpack_report(blob: bytes, outcomes: Sequence[bytes]) -> RunReport:
    """The report as it was packed. Raises RecordError where blob and outcomes do not fit together."""
    try:
        stored = msgspec.json.decode(unpack(blob), type=_Report)
        queries = [
            _with_results(query, outcome, own)
            for query, outcome, own in zip(stored.report.queries, outcomes, stored.grades, strict=True)
        ]
    except (msgspec.DecodeError, IndexError, ValueError, struct.error) as error:
        raise RecordError(f"a stored report cannot be read: {error}") from error
    return msgspec.structs.replace(stored.report, queries=queries)


def pack(data: bytes) -> bytes:
    return _compressor().compress(data)


def unpack(blob: bytes) -> bytes:
    """Raises RecordError on bytes that were not packed here."""
    import zstandard

    try:
        return zstandard.ZstdDecompressor().decompress(blob)
    except zstandard.ZstdError as error:
        raise RecordError(f"a stored value cannot be unpacked: {error}") from error


def decode(data: bytes, kind: type[_T]) -> _T:
    """The value of MessagePack. Raises RecordError where it is none of `kind`."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise RecordError(f"a stored value cannot be read: {error}") from error


@lru_cache(maxsize=1)
def _compressor() -> "zstandard.ZstdCompressor":
    import zstandard

    return zstandard.ZstdCompressor(level=6)


class _Names:
    """Gives each id a place."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))


def _packed(outcome: Outcome) -> _Outcome:
    answer, names = outcome.answer, _Names()
    rest: dict[str, Any] = {}
    if answer is not None:
        hits = [names(hit.id) for hit in answer.hits]
        documents = [names(hit.document) for hit in answer.hits]
        chunks = [[names(chunk) for chunk in hit.chunks] for hit in answer.hits]
        stages = [_packed_stage(stage, names) for stage in answer.stages]
        rest = {
            "names": list(names.places),
            "hits": hits,
            "documents": [] if documents == hits else documents,
            "scores": _pack_scores([hit.score for hit in answer.hits]),
            "chunks": chunks if any(chunks) else [],
            "stages": stages,
            "n_duplicates": answer.n_duplicates,
            "notices": list(answer.notices),
        }
    return _Outcome(
        answered=answer is not None,
        error=outcome.error,
        took_ms=outcome.took_ms,
        batch_size=outcome.batch_size,
        crash_of_batch=outcome.crash_of_batch,
        **rest,
    )


def _packed_stage(stage: Stage, names: _Names) -> _Stage:
    ranks = [place.rank for place in stage.ranks.values()]
    return _Stage(
        name=stage.name,
        took_ms=stage.took_ms,
        exhausted=stage.exhausted,
        names=[names(name) for name in stage.ranks],
        ranks=[] if ranks == list(range(1, len(ranks) + 1)) else ranks,
    )


def _answer(packed: _Outcome) -> Answer:
    try:
        hits = tuple(
            Hit(row.id, row.document, row.score, rank, tuple(row.chunks))
            for rank, row in enumerate(_rows(packed), start=1)
        )
        stages = tuple(_stage(stage, packed.names) for stage in packed.stages)
    except (IndexError, ValueError, struct.error) as error:
        raise RecordError(f"a stored value does not fit together: {error}") from error
    return Answer(hits, stages, packed.n_duplicates, tuple(packed.notices))


class _Row(NamedTuple):
    """One result."""

    id: str
    document: str
    score: float
    chunks: list[str]


def _rows(packed: _Outcome) -> Iterator[_Row]:
    """The results, best first; raises IndexError, ValueError or struct.error where parts do not fit."""
    names = packed.names
    columns = (
        packed.hits,
        packed.documents or packed.hits,
        _unpack_scores(packed.scores),
        packed.chunks or [[]] * len(packed.hits),
    )
    for hit, document, score, chunks in zip(*columns, strict=True):
        yield _Row(names[hit], names[document], score, [names[chunk] for chunk in chunks])


def _stage(stage: _Stage, names: Sequence[str]) -> Stage:
    ranks = stage.ranks or range(1, len(stage.names) + 1)
    return Stage(
        stage.name,
        stage.took_ms,
        {names[name]: StageRank(rank, math.nan) for name, rank in zip(stage.names, ranks, strict=True)},
        stage.exhausted,
    )


def _pack_scores(scores: Sequence[float]) -> bytes:
    """All first bytes, then all second ones and so on: neighbours are alike, which packs a fifth smaller."""
    raw = struct.pack(f"<{len(scores)}d", *scores)
    return b"".join(raw[place::_DOUBLE] for place in range(_DOUBLE))


def _unpack_scores(data: bytes) -> tuple[float, ...]:
    n = len(data) // _DOUBLE
    raw = bytearray(n * _DOUBLE)
    for place in range(_DOUBLE):
        raw[place::_DOUBLE] = data[place * n : (place + 1) * n]
    return struct.unpack(f"<{n}d", raw)


def _results(outcome: bytes, grades: Sequence[int | None]) -> list[ResultReport]:
    """The results that an outcome has, with these grades; none where there are more or fewer grades."""
    packed = decode(unpack(outcome), _Outcome)
    if len(packed.hits) != len(grades):
        return []
    return [
        ResultReport(
            rank=rank, id=row.id, document=row.document, score=row.score, grade=grade, chunks=row.chunks
        )
        for rank, (row, grade) in enumerate(zip(_rows(packed), grades, strict=True), start=1)
    ]


def _same(one: list[ResultReport], other: list[ResultReport]) -> bool:
    """Whether they are written alike, which is more than being equal: 0.0 equals -0.0."""
    return msgspec.json.encode(one) == msgspec.json.encode(other)


def _with_results(query: QueryReport, outcome: bytes, grades: list[int | None] | None) -> QueryReport:
    if grades is None:
        return query
    results = _results(outcome, grades)
    if len(results) != len(grades):
        raise ValueError(f'the results of query "{query.id}" are not those that it was scored by')
    return msgspec.structs.replace(query, results=results)
