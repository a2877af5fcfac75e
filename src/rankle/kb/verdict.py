"""What keeps a target off the first page of a search, in a word, in a sentence, and what would help."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rankle.core.evalset import Level
from rankle.core.explanation import Loss, StageStanding, TermStanding, Try
from rankle.core.product import NAME
from rankle.kb.candidates import CandidateList
from rankle.kb.fusion import KINDS, Fusion, fuse
from rankle.kb.methods import CUT, FULLTEXT, FUSION, HYBRID, VECTOR
from rankle.kb.picking import Target, targets
from rankle.kb.search_request import SearchRequest

_LOOKED_AT: Final = 1_000
"""Of each list, when a setting is tried: what stands further down comes onto no page."""
_CANDIDATES: Final = (200, 500, 1_000)


@dataclass(frozen=True, slots=True)
class Case:
    """A search, and where the target stands in it."""

    request: SearchRequest
    method: str
    has_terms: bool
    """Whether the query holds anything to search for."""
    target: str
    level: Level
    collection: str
    """The target's."""
    k: int
    lists: Sequence[CandidateList]
    """All that each stage ranks; the last one decides."""
    left: Sequence[Target]
    """What is left of the first results where some are taken out."""
    stages: Sequence[StageStanding]
    terms: Sequence[TermStanding]
    vectors_ready: bool
    """Whether the workspace could be searched by vectors."""

    @property
    def sources(self) -> list[StageStanding]:
        """The stages that find."""
        return [stage for stage in self.stages if stage.stage in (FULLTEXT, VECTOR)]

    @property
    def ranked(self) -> StageStanding:
        """The last stage that orders results, before any are taken out."""
        return [stage for stage in self.stages if stage.stage != CUT][-1]

    @property
    def folded_into(self) -> tuple[int, str] | None:
        """Rank and id of the better result that the target was folded into."""
        places = enumerate(self.left, start=1)
        return next(((rank, each.id) for rank, each in places if self.target in each.folded), None)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer to: why is it not on the first page?"""

    lost_at: Loss | None
    sentence: str
    tries: tuple[Try, ...]


def judge(case: Case) -> Judgement:
    """The first of the reasons in `Loss` that holds; None where the target is on the first page."""
    lost_at = _lost_at(case)
    if lost_at is None:
        return Judgement(None, _on_page(case), ())
    return Judgement(lost_at, _SENTENCES[lost_at](case), tuple(_tries(case)))


def _lost_at(case: Case) -> Loss | None:
    if _within(case.stages[-1].rank, case.k):
        return None
    if not case.has_terms:
        return Loss.NO_TERM
    if case.request.collection not in (None, case.collection):
        return Loss.ELSEWHERE
    if case.ranked.rank is None:
        holds_a_term = any(term.in_document for term in case.terms if term.kind != "exclude")
        return Loss.EXCLUDED if holds_a_term or case.method != FULLTEXT else Loss.NO_LIST
    if case.folded_into is not None:
        return Loss.FOLDED
    if _within(case.ranked.rank, case.k):
        return Loss.CUT
    return _lost_by_fusion(case) if case.method == HYBRID else Loss.BELOW_K


def _lost_by_fusion(case: Case) -> Loss:
    if any(_within(stage.rank, case.k) for stage in case.sources):
        return Loss.FUSED_OUT
    candidates = case.request.settings.fusion.candidates
    is_candidate = any(_within(stage.chunk_rank, candidates) for stage in case.sources)
    return Loss.BELOW_K if is_candidate else Loss.CANDIDATES


def _within(rank: int | None, k: int) -> bool:
    return rank is not None and rank <= k


def _on_page(case: Case) -> str:
    rank = case.stages[-1].rank
    return f"It stands at rank {rank}; the first {case.k} are shown." if case.k > 1 else "It stands first."


def _no_term(_case: Case) -> str:
    return "The query holds no letter or digit to search for, so nothing is found. Ask with words."


def _elsewhere(case: Case) -> str:
    return (
        f'It lies in the collection "{case.collection}", and only "{case.request.collection}" was searched. '
        f"Try --collection {case.collection}, or without."
    )


def _excluded(case: Case) -> str:
    words = ", ".join(term.text for term in case.terms if term.kind == "exclude" and term.in_document)
    return f"It holds what the query excludes: {words}. Try without that."


def _no_list(case: Case) -> str:
    method = f"--method {HYBRID}" if case.vectors_ready else f"{NAME} embed, then --method {HYBRID}"
    return (
        "None of the query's words stands in it, so full text cannot find it. Try words of the document, or "
        f"search by meaning: {method}."
    )


def _candidates(case: Case) -> str:
    n = case.request.settings.fusion.candidates
    return (
        f"No list has it among the {n:,} candidates that are fused ({_standings(case, chunks=True)}), so it "
        f"stands behind all of them, at rank {case.ranked.rank:,}."
    )


def _fused_out(case: Case) -> str:
    fusion = case.request.settings.fusion
    how = f"{fusion.kind}, vector weight {fusion.weight:g}"
    return (
        f"The fusion lost it: {_standings(case)}; fused ({how}), that makes rank {case.ranked.rank:,}, "
        f"beyond the first {case.k}."
    )


def _folded(case: Case) -> str:
    assert case.folded_into is not None
    rank, into = case.folded_into
    return (
        f"It nearly repeats {into} at rank {rank}, and was folded into it. Without --collapse it stands at "
        f"rank {case.ranked.rank:,}."
    )


def _cut(case: Case) -> str:
    return (
        f"It is ranked {case.ranked.rank:,}, but better chunks of its document fill the "
        f"{case.request.settings.per_document} that --per-document leaves. Try a larger number."
    )


def _below_k(case: Case) -> str:
    ranked = case.ranked
    assert ranked.rank is not None
    if case.method == HYBRID:
        first = f"has it within the first {case.k}" if case.k > 1 else "ranks it first"
        return (
            f"No stage {first}: {_standings(case)}, fused {ranked.rank:,}. "
            f"{_counted(ranked.rank - 1)} above it.{_lacking(case)}"
        )
    return f"{ranked.stage} ranks it {ranked.rank:,}: {_counted(ranked.rank - 1)} above it.{_lacking(case)}"


def _lacking(case: Case) -> str:
    wanted = [term for term in case.terms if term.kind != "exclude" and not term.weightless]
    missing = list(dict.fromkeys(term.text for term in wanted if not term.in_chunk))
    return f" Its best chunk lacks {', '.join(missing)}." if missing else ""


def _counted(n: int) -> str:
    return f"{n:,} result stands" if n == 1 else f"{n:,} results stand"


def _standings(case: Case, *, chunks: bool = False) -> str:
    """Such as `fts5 ranks it 45, vector 3`. chunks: ranks among chunks, as candidates are counted."""
    words = []
    for stage in case.sources:
        rank = stage.chunk_rank if chunks else stage.rank
        words.append(
            f"{stage.stage} does not find it" if rank is None else f"{stage.stage} ranks it {rank:,}"
        )
    return ", ".join(words)


_SENTENCES: Final = {
    Loss.NO_TERM: _no_term,
    Loss.ELSEWHERE: _elsewhere,
    Loss.EXCLUDED: _excluded,
    Loss.NO_LIST: _no_list,
    Loss.CANDIDATES: _candidates,
    Loss.FUSED_OUT: _fused_out,
    Loss.FOLDED: _folded,
    Loss.CUT: _cut,
    Loss.BELOW_K: _below_k,
}


def _tries(case: Case) -> Iterator[Try]:
    """The settings of the fusion that would bring the target onto the first page, each tried out."""
    if case.method != HYBRID or case.ranked.rank is None or _within(case.ranked.rank, case.k):
        return
    for stage in case.sources:
        if stage.rank is not None and stage.rank <= case.k:
            yield Try(f"--method {stage.stage}", stage.rank)
    fusion = case.request.settings.fusion
    weights = sorted((n / 10 for n in range(11)), key=lambda weight: abs(weight - fusion.weight))
    groups = (
        [(f"--vector-weight {weight:g}", replace(fusion, vector_weight=weight)) for weight in weights],
        [
            (f"--fusion {kind}", replace(fusion, kind=kind, vector_weight=None))
            for kind in KINDS
            if kind != fusion.kind
        ],
        [(f"--candidates {n}", replace(fusion, candidates=n)) for n in _CANDIDATES if n > fusion.candidates],
    )
    for group in groups:
        ranked = ((option, _rank_with(case, setting)) for option, setting in group)
        helping = next(((option, rank) for option, rank in ranked if rank is not None), None)
        if helping is not None:
            yield Try(*helping)


def _rank_with(case: Case, fusion: Fusion) -> int | None:
    """Where the target would stand; None beyond the first page."""
    n_rows = max(_LOOKED_AT, fusion.candidates, 10 * case.k)
    fulltext, vector = (each.rows[:n_rows] for each in case.lists if each.stage != FUSION)
    first = targets(fuse(fulltext, vector, fusion), case.level)[: case.k]
    return next((rank for rank, each in enumerate(first, start=1) if each.id == case.target), None)
