"""Why a target stands where it stands as JSON, `rankle.explain/1`: members that programs may rely on."""

from typing import Literal, cast

import msgspec

from rankle.core.explanation import Explanation, Loss, Neighbour, StageStanding
from rankle.core.run import Count, Milliseconds, Rank
from rankle.reports.json_text import json_text
from rankle.reports.search_json import Kind


class NeighbourRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Another result that the target is compared with."""

    id: str
    """At the target's level."""
    document: str
    """Id of the document that it is, or is a part of."""
    rank: Rank
    """In that stage, from 1."""
    score: float
    """In that stage."""


class ExplainStageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where the target stands in one stage, among all that the stage ranks."""

    name: str
    """Such as `fts5`, `vector` or `fusion`."""
    n_ranked: Count
    """Results at the target's level."""
    rank: Rank | None
    """From 1; null where the stage does not have it."""
    score: float | None
    """Of the target here; null where the stage does not have it."""
    chunk: str | None
    """The target's best chunk here."""
    chunk_rank: Rank | None
    """The rank of that chunk among chunks, which decides whether it is a candidate of the fusion."""
    above: NeighbourRecord | None
    """The result directly above; null at rank 1, and where the stage does not have the target."""
    last_shown: NeighbourRecord | None
    """The result at rank k; null where there are fewer."""
    took_ms: Milliseconds
    """Milliseconds."""


class ExplainTermRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One term of the query."""

    text: str
    """As it stands in the query."""
    kind: Kind
    """How it is looked up."""
    n_chunks: Count
    """How many chunks of the workspace hold it."""
    weightless: bool
    """Whether it stands in so many chunks that it moves no score."""
    in_chunk: bool
    """Whether the target's best chunk holds it."""
    in_document: bool
    """Whether any chunk of the target's document holds it."""


class TryRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A setting that would bring the target onto the first page."""

    option: str
    """As it is written on the command line."""
    rank: Rank
    """Where the target stands with it."""


class ExplainRecord(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.explain/1"):
    """Why one document or chunk is, or is not, on the first page: `rankle.explain/1`."""

    workspace: str
    """What was searched."""
    query: str
    """Its text."""
    method: str
    """`hybrid`, `vector` or `fts5`."""
    collection: str | None
    """The collection that was searched; null for all."""
    k: Rank
    """Results of the first page."""
    target: str
    """Id of the document or chunk that is asked about."""
    level: Literal["chunk", "document"]
    """What the target is, and so what is ranked."""
    document: str
    """Id of the document that it is, or is a part of."""
    title: str
    """Of that document; may be empty."""
    rank: Rank | None
    """In the final results; null where it is not among them."""
    lost_at: Loss | None
    """What keeps it off the first page; null where it is on it."""
    verdict: str
    """The same in a sentence."""
    stages: list[ExplainStageRecord]
    """In the order in which they ran; the last one decides."""
    terms: list[ExplainTermRecord]
    """Of the query, in its order; empty where full text takes no part."""
    tries: list[TryRecord]
    """Settings of the fusion that would bring it onto the first page, each tried out."""
    took_ms: Milliseconds
    """Milliseconds of the search and of what was tried."""
    notices: list[str]
    """What a reader must know of the search."""


def explain_record(found: Explanation, *, workspace: str) -> ExplainRecord:
    return ExplainRecord(
        workspace=workspace,
        query=found.query,
        method=found.method,
        collection=found.collection,
        k=found.k,
        target=found.target,
        level=cast("Literal['chunk', 'document']", found.level),
        document=found.document,
        title=found.title,
        rank=found.rank,
        lost_at=found.lost_at,
        verdict=found.verdict,
        stages=[_stage(stage) for stage in found.stages],
        terms=[
            ExplainTermRecord(
                text=term.text,
                kind=cast("Kind", term.kind),
                n_chunks=term.n_chunks,
                weightless=term.weightless,
                in_chunk=term.in_chunk,
                in_document=term.in_document,
            )
            for term in found.terms
        ],
        tries=[TryRecord(option=each.option, rank=each.rank) for each in found.tries],
        took_ms=found.took_ms,
        notices=list(found.notices),
    )


def render_explain_json(record: ExplainRecord) -> str:
    """Indented, ending in a line break."""
    return json_text(record)


def _stage(stage: StageStanding) -> ExplainStageRecord:
    return ExplainStageRecord(
        name=stage.stage,
        n_ranked=stage.n_ranked,
        rank=stage.rank,
        score=stage.score,
        chunk=stage.chunk,
        chunk_rank=stage.chunk_rank,
        above=_neighbour(stage.above),
        last_shown=_neighbour(stage.last_shown),
        took_ms=stage.took_ms,
    )


def _neighbour(found: Neighbour | None) -> NeighbourRecord | None:
    if found is None:
        return None
    return NeighbourRecord(id=found.id, document=found.document, rank=found.rank, score=found.score)
