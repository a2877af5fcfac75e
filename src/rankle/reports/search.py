"""Search results for people at a terminal: where each stands, and the passage that matched."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from rankle.core.product import NAME
from rankle.core.search import Hit, Passage, SearchResult, TermInfo
from rankle.reports.excerpt import Marking, excerpt
from rankle.reports.layout import one_line, pad, wrapped

_LINES: Final = 4
"""Of a passage, at most."""
_INDENT: Final = "   "
_LEAST_SCORE: Final = 0.01
_RECIPROCAL: Final = 0.1
_BM25: Final = "fts5"
_QUERY_CELLS: Final = 60
_TERM_CELLS: Final = 24


@dataclass(frozen=True, slots=True)
class SearchView:
    """What a search was asked for, and how its results are drawn."""

    workspace: str
    collection: str | None
    explain: bool
    depth: int
    """How many results were ranked, unless there were fewer."""
    width: int
    marking: Marking


def render_search(result: SearchResult, view: SearchView) -> str:
    """The results, ending in a line break; where there are none, why, and what to try."""
    blocks = [_explained(result, view)] if view.explain else []
    if result.hits:
        ranks = {stage.name: stage.ranks for stage in result.stages}
        blocks += [list(_hit_lines(hit, result, view, ranks)) for hit in result.hits]
    else:
        blocks.append(list(_nothing(result, view)))
    blocks.append(_footer(result, view))
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def render_hit(hit: Hit, result: SearchResult, view: SearchView) -> list[str]:
    """The lines of one result alone."""
    return list(_hit_lines(hit, result, view, {stage.name: stage.ranks for stage in result.stages}))


def _hit_lines(
    hit: Hit, result: SearchResult, view: SearchView, ranks: Mapping[str, Mapping[str, tuple[int, float]]]
) -> Iterator[str]:
    passage = hit.passage
    number = pad(f"{hit.rank}.", len(_INDENT))
    if not number.endswith(" "):
        number += " "
    score = _score(hit, result)
    room = view.width - len(number) - len(score) - 2
    title = one_line(passage.title if passage else hit.document, width=room)
    yield f"{number}{pad(title, room)}  {score}"
    yield from wrapped(_place(hit), first=_INDENT, rest=_INDENT, width=view.width)
    if passage is None:
        return
    above = _headings(passage)
    if above:
        yield _INDENT + one_line(" › ".join(above), width=view.width - len(_INDENT))
    if view.explain:
        yield from _why(hit, result, view, ranks)
    if hit.folded:
        names = f": {', '.join(hit.folded)}" if view.explain else ""
        words = f"{_counted(len(hit.folded), 'result')} that nearly repeat it folded in{names}"
        yield from wrapped(words, first=_INDENT, rest=_INDENT + "  ", width=view.width)
    inside = _INDENT + "  "
    for line in excerpt(passage, width=view.width - len(inside), n_lines=_LINES, marking=view.marking):
        yield inside + line


def _score(hit: Hit, result: SearchResult) -> str:
    """BM25 has no upper end; all other scores lie within 1, those of reciprocal ranks below a tenth."""
    if result.method != _BM25:
        return f"{hit.score:.{4 if result.hits[0].score < _RECIPROCAL else 3}f}"
    return f"{hit.score:.2f}" if hit.score >= _LEAST_SCORE else f"<{_LEAST_SCORE}"


def _place(hit: Hit) -> str:
    passage = hit.passage
    if passage is None:
        return one_line(hit.id)
    lines = f"{passage.line_start}-{passage.line_end}"
    where = (
        f"{one_line(hit.document)}:{lines if passage.line_end > passage.line_start else passage.line_start}"
    )
    if passage.page is not None:
        where += f" page {passage.page}"
    more = len(hit.chunks) - 1
    nested = f" and {more} more" if more > 0 else ""
    return f"{where} {passage.chunk}{nested}"


def _headings(passage: Passage) -> tuple[str, ...]:
    """The headings above, without the one that repeats the title."""
    above = passage.breadcrumb
    return above[1:] if above and above[0] == passage.title else above


def _why(
    hit: Hit, result: SearchResult, view: SearchView, ranks: Mapping[str, Mapping[str, tuple[int, float]]]
) -> Iterator[str]:
    stood = [
        f"{stage} rank {own[hit.id][0]} ({own[hit.id][1]:.4f})" if hit.id in own else f"{stage} not found"
        for stage, own in ranks.items()
    ]
    yield from wrapped(", ".join(stood), first=_INDENT, rest=_INDENT + "  ", width=view.width)
    assert hit.passage is not None
    wanted = [term.text for term in result.terms if term.kind != "exclude"]
    missing = [one_line(term) for term in dict.fromkeys(wanted) if term not in hit.passage.terms]
    held = ", ".join(one_line(term) for term in dict.fromkeys(hit.passage.terms)) or "nothing"
    words = f"holds {held}" + (f"; not {', '.join(missing)}" if missing else "")
    yield from wrapped(words, first=_INDENT, rest=_INDENT + "  ", width=view.width)


def _explained(result: SearchResult, view: SearchView) -> list[str]:
    stems = any(token.startswith("≈") for term in result.terms for token in term.tokens)
    lines = [f"Terms: {len(result.terms)}{' (≈ is a stem)' if stems else ''}"]
    for term in result.terms:
        lines += _term_lines(term, view)
    lines.append("Stages:")
    for stage in result.stages:
        lines.append(f"  {stage.name}: {_counted(len(stage.ranks), 'candidate')}, {stage.took_ms:.1f} ms")
    return lines


def _term_lines(term: TermInfo, view: SearchView) -> list[str]:
    kind = "" if term.kind == "term" else f" ({term.kind})"
    name = pad(one_line(term.text, width=_TERM_CELLS - len(kind)) + kind, _TERM_CELLS)
    tokens = ", ".join(one_line(token) for token in term.tokens)
    where = f"in {_counted(term.n_chunks, 'chunk')}" if term.n_chunks else "nowhere"
    if term.weightless:
        where += ", too many to weigh"
    return wrapped(f"{where}: {tokens}", first=f"  {name}  ", rest=" " * (_TERM_CELLS + 4), width=view.width)


def _nothing(result: SearchResult, view: SearchView) -> Iterator[str]:
    yield f'No results for "{one_line(result.query, width=_QUERY_CELLS)}".'
    for line in _advice(result, view):
        yield from wrapped(line, width=view.width)


def _advice(result: SearchResult, view: SearchView) -> Iterator[str]:
    wanted = [term for term in result.terms if term.kind != "exclude"]
    excluded = [term for term in result.terms if term.kind == "exclude" and term.n_chunks]
    nowhere = [term for term in wanted if not term.n_chunks]
    somewhere = [term for term in wanted if term.n_chunks]
    if nowhere:
        yield f"Nowhere in the workspace: {_named(nowhere)}."
    if somewhere and excluded:
        yield f"Every match was excluded by {_named(excluded)}. Try without."
    elif somewhere and view.collection is not None:
        yield f'Outside of "{one_line(view.collection)}": {_named(somewhere)}. Try without --collection.'
    if wanted and not somewhere:
        yield f"Try other words{_beginning(wanted)}."
        yield f"What there is to find: {NAME} docs list"


def _named(terms: Sequence[TermInfo]) -> str:
    names = list(dict.fromkeys(one_line(term.text, width=_TERM_CELLS) for term in terms))
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _beginning(wanted: Sequence[TermInfo]) -> str:
    """Advice for words of letters that are long enough to have endings."""
    word = next((term.text for term in wanted if term.kind == "term" and _has_endings(term.text)), None)
    return f", or the beginning of one, such as {one_line(word[: -(-3 * len(word) // 5)])}*" if word else ""


def _has_endings(word: str) -> bool:
    return 5 < len(word) <= _TERM_CELLS and word.isalpha() and cell_len(word) == len(word)


def _footer(result: SearchResult, view: SearchView) -> list[str]:
    ranked = len(result.stages[-1].ranks) if result.stages else len(result.hits)
    found = f"{ranked:,} or more results" if ranked >= view.depth else _counted(ranked, "result")
    shown = f"{len(result.hits)} of {found}" if result.hits else "0 results"
    words = f"{shown}, method {result.method}, workspace {view.workspace}, {result.took_ms:.1f} ms"
    notes = [f"Note: {one_line(notice)}" for notice in result.notices]
    return [line for text in (*notes, words) for line in wrapped(text, rest="  ", width=view.width)]


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
