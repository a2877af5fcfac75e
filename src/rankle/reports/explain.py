"""Why a target is, or is not, on the first page, for people at a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from rankle.core.explanation import Explanation, Neighbour, StageStanding, TermStanding
from rankle.reports.layout import columns, one_line, pad, wrapped

_NAME_WIDTH: Final = 10
_CELL_WIDTH: Final = 13
_TERM_CELLS: Final = 24
_LEAST_SCORE: Final = 0.0001
_LATER_PAGES: Final = 100
"""A result within these can still be seen by asking for more."""


def render_explanation(found: Explanation, *, workspace: str, width: int) -> str:
    """The verdict first, then what it rests on; ends in a line break."""
    blocks = [
        _head(found, width),
        list(_verdict(found, width)),
        _stages(found, width) if any(stage.n_ranked for stage in found.stages) else [],
        list(_around(found, width)),
        list(_terms(found, width)),
        list(_advice(found, width)),
        list(_footer(found, workspace, width)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _head(found: Explanation, width: int) -> list[str]:
    title = "" if found.title == found.target else f", {one_line(found.title)}"
    what = f"{found.level} {one_line(found.target)}{title}"
    if found.level == "chunk":
        what = f"chunk {found.target} of {one_line(found.document)}{title}"
    return [
        *wrapped(one_line(found.query), first="Query:   ", rest=" " * 9, width=width),
        *wrapped(what, first="Target:  ", rest=" " * 9, width=width),
    ]


def _verdict(found: Explanation, width: int) -> Iterator[str]:
    lost = "On the first page" if found.lost_at is None else f"Lost: {found.lost_at}"
    yield from wrapped(f"{lost}. {one_line(found.verdict)}", width=width)


def _stages(found: Explanation, width: int) -> list[str]:
    """A table, or where it is too wide a line for each stage."""
    at_k = f"At rank {found.k}"
    heads = (f"Rank of {found.level}s", "Score", at_k, "Short by")
    rows = [(stage.stage, _standing(stage, found.k)) for stage in found.stages]
    cell = max(_CELL_WIDTH, len(at_k) + 2)
    table = [_row(name, cells, width=cell) for name, cells in (("Stage", heads), *rows)]
    if max(cell_len(line) for line in table) <= width:
        return table
    lines: list[str] = []
    for name, (rank, *others) in rows:
        pairs = zip(heads[1:], others, strict=True)
        named = [f"{head.lower()} {cell}" for head, cell in pairs if cell != "-"]
        lines += wrapped("; ".join([f"{name}: {rank}", *named]), rest="  ", width=width)
    return lines


def _standing(stage: StageStanding, k: int) -> tuple[str, str, str, str]:
    """Rank, score, the score at rank k, and by how much it falls short of that."""
    n_ranked = f"{stage.n_ranked:,}"
    rank = f"not in {n_ranked}" if stage.rank is None else f"{stage.rank:,} of {n_ranked}"
    return rank, _score(stage.score), _score(_last(stage)), _shortfall(stage, k)


def _row(name: str, cells: Sequence[str], *, width: int) -> str:
    first, *others = cells
    return columns(pad(name, _NAME_WIDTH) + pad(first, 22), others, name_width=32, cell_width=width)


def _last(stage: StageStanding) -> float | None:
    return stage.last_shown.score if stage.last_shown else None


def _shortfall(stage: StageStanding, k: int) -> str:
    last = _last(stage)
    if stage.rank is None or stage.score is None or last is None or stage.rank <= k:
        return "-"
    return _score(last - stage.score)


def _score(score: float | None) -> str:
    if score is None:
        return "-"
    return f"<{_LEAST_SCORE}" if 0 < score < _LEAST_SCORE else f"{score:.4f}"


def _around(found: Explanation, width: int) -> Iterator[str]:
    stage = found.stages[-1]
    above = {neighbour.rank: neighbour for neighbour in (stage.last_shown, stage.above) if neighbour}
    if stage.rank is not None and above:
        yield f"Above it in {stage.stage}, where it has {_score(stage.score)}:"
        for rank in sorted(above):
            if rank < stage.rank:
                yield from _neighbour(above[rank], found, width)
    chunks: dict[str, list[str]] = {}
    for each in found.stages:
        if each.chunk is not None:
            chunks.setdefault(each.chunk, []).append(each.stage)
    if found.level == "document":
        for chunk, names in chunks.items():
            words = f"Its best chunk in {', '.join(names)}: {chunk}"
            yield from wrapped(words, rest="  ", width=width)


def _neighbour(neighbour: Neighbour, found: Explanation, width: int) -> Iterator[str]:
    of = "" if found.level == "document" else f" of {one_line(neighbour.document)}"
    words = f"{neighbour.rank}. {one_line(neighbour.id)}{of} with {_score(neighbour.score)}"
    yield from wrapped(words, first="  ", rest="     ", width=width)


def _terms(found: Explanation, width: int) -> Iterator[str]:
    has_chunk = any(stage.chunk is not None for stage in found.stages) or found.level == "chunk"
    terms = found.terms
    if terms:
        yield "Terms"
    for term in terms:
        kind = "" if term.kind == "term" else f" ({term.kind})"
        name = pad(one_line(term.text, width=_TERM_CELLS - len(kind)) + kind, _TERM_CELLS)
        where = (
            f"in {term.n_chunks:,} {'chunk' if term.n_chunks == 1 else 'chunks'}"
            if term.n_chunks
            else "nowhere"
        )
        if term.weightless:
            where += ", too many to weigh"
        words = f"{_held(term, has_chunk=has_chunk)}; {where}"
        yield from wrapped(words, first=f"  {name}  ", rest=" " * (_TERM_CELLS + 4), width=width)


def _held(term: TermStanding, *, has_chunk: bool) -> str:
    if term.in_chunk or (term.in_document and not has_chunk):
        return "held"
    return "held by another chunk of the document" if term.in_document else "not held"


def _advice(found: Explanation, width: int) -> Iterator[str]:
    if found.lost_at is None:
        return
    if found.tries:
        yield "With one of these it stands on the first page:"
        for each in found.tries:
            yield f"  {pad(each.option, _TERM_CELLS)}  rank {each.rank}"
        yield from wrapped(
            "One query is no reason to change a default: measure it on many, with rankle eval.", width=width
        )
    elif found.method == "hybrid" and found.rank is not None:
        yield from wrapped("No setting of the fusion brings it onto the first page.", width=width)
    if found.rank is not None and found.rank <= _LATER_PAGES:
        yield f"Shown from -k {found.rank} on."


def _footer(found: Explanation, workspace: str, width: int) -> Iterator[str]:
    for notice in found.notices:
        yield from wrapped(f"Note: {one_line(notice)}", width=width)
    words = f"Method {found.method}, workspace {workspace}, {found.took_ms:.1f} ms"
    yield from wrapped(words, rest="  ", width=width)
