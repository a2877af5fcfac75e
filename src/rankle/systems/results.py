"""Makes hits of whatever a system answers: ids, pairs, mappings, or objects of the usual frameworks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.errors import SystemFailureError
from rankle.core.evalset import Level
from rankle.core.search import Hit, Passage, SearchResult, Stage, StageRank
from rankle.systems import parts
from rankle.systems.expression import Expression, parse_expression
from rankle.systems.options import Reading

_SHOWN: Final = 120
_TITLE: Final = ("title", "name", "heading")
_ALLOWED: Final = (
    "an answer must be a list, best first, of ids, of pairs (id, score), or of results with an id, or a "
    f"mapping with one of {', '.join(parts.LISTS)}"
)


@dataclass(frozen=True, slots=True)
class _Found:
    """One result as the system gave it."""

    id: str
    document: str
    score: float | None
    text: str | None
    title: str
    place: tuple[int, int] | None
    same: object
    """What makes it a duplicate of another; None where nothing does."""


class HitReader:
    """Reads the answers of one system."""

    def __init__(self, options: Reading, *, method: str) -> None:
        """Raises InputError on an expression that is none."""
        self._method = method
        self._stages = options.stages
        self._results = _parsed(options.results)
        self._id = _parsed(options.id)
        self._document = _parsed(options.document)
        self._score = _parsed(options.score)
        self._text = _parsed(options.text)
        self._same = _parsed(options.deduplicate)

    def read(
        self,
        answer: object,
        query: str,
        *,
        level: Level,
        took_ms: float,
        entries: Iterable[Any] | None = None,
    ) -> SearchResult:
        """The results of one query at a level, best first.

        entries: of the list, where they do not all stand in the answer.
        At document level, results that name a document beside their id are grouped by it.
        Raises SystemFailureError, with what was got, on an answer that ranks nothing.
        """
        if isinstance(answer, SearchResult):
            return answer
        hits = self.hits(self.entries(answer) if entries is None else entries, level=level)
        stages = self._read_stages(answer, level=level)
        return SearchResult(query, self._method, hits, stages, took_ms=took_ms)

    def entries(self, answer: object) -> list[Any]:
        """The entries of the list that an answer is or holds."""
        held = _held(answer) if self._results is None else self._results(answer)
        if self._results is not None and held is None:
            raise SystemFailureError(
                f"the answer has nothing where its results should be; it is {shown(answer)}"
            )
        if held is None or isinstance(held, str | bytes | Mapping | set | frozenset):
            raise SystemFailureError(f"{_ALLOWED}; got {shown(held)}{_hint(held)}")
        if not isinstance(held, Iterable):
            raise SystemFailureError(f"{_ALLOWED}; got {shown(held)}")
        return list(held)

    def hits(self, entries: Iterable[Any], *, level: Level) -> tuple[Hit, ...]:
        """Hits with ranks from 1. Where one has no score, all fall by rank."""
        found = [self._found(entry, place, level=level) for place, entry in enumerate(entries, start=1)]
        kept = _grouped(_distinct(found), level=level)
        scored = all(group[0].score is not None for group in kept)
        return tuple(
            _hit(group, rank, score=None if scored else float(len(kept) - rank + 1), level=level)
            for rank, group in enumerate(kept, start=1)
        )

    def _found(self, entry: Any, place: int, *, level: Level) -> _Found:
        if _is_pair(entry):
            inner = self._found(entry[0], place, level=level)
            return _Found(inner.id, inner.document, _number(entry[1], place), *_rest(inner))
        bare = parts.as_id(entry)
        if bare is not None and self._id is None:
            return _Found(bare, bare, None, None, "", None, None)
        document = self._document_of(entry, level=level)
        name = self._own_id(entry, document, level=level)
        if name is None:
            raise SystemFailureError(
                f"result {place} has no id; say where it stands, with the option id (or document); "
                f"it is {shown(entry)}"
            )
        text = parts.member(entry, parts.TEXT) if self._text is None else self._text(entry)
        return _Found(
            name,
            document or name,
            self._score_of(entry, place),
            text if isinstance(text, str) else None,
            str(parts.member(entry, _TITLE) or ""),
            _place(entry),
            None if self._same is None else self._same(entry),
        )

    def _document_of(self, entry: Any, *, level: Level) -> str | None:
        """None where the id stands for the document; an option counts for more than a usual name."""
        if self._document is not None:
            return parts.as_id(self._document(entry))
        return None if self._id is not None and level is Level.DOCUMENT else parts.document_of(entry)

    def _own_id(self, entry: Any, document: str | None, *, level: Level) -> str | None:
        if self._id is not None:
            return parts.as_id(self._id(entry))
        own = parts.chunk_of(entry) if level is Level.CHUNK else parts.id_of(entry)
        return own or document

    def _score_of(self, entry: Any, place: int) -> float | None:
        value = parts.member(entry, parts.SCORE) if self._score is None else self._score(entry)
        return None if value is None else _number(value, place)

    def _read_stages(self, answer: object, *, level: Level) -> tuple[Stage, ...]:
        """The lists of the stages that the options name. One that is not there did not run."""
        if not self._stages:
            return ()
        given = _named_stages(parts.member(answer, ("stages",)))
        absent = [name for name in self._stages if name not in given]
        if absent:
            raise SystemFailureError(
                f'the answer has no stage "{absent[0]}"; its stages: {", ".join(given) or "none"}'
            )
        return tuple(self._stage(name, given[name], level=level) for name in self._stages)

    def _stage(self, name: str, given: Any, *, level: Level) -> Stage:
        took = parts.member(given, ("took_ms",))
        held = parts.member(given, ("results", "hits", "ids", "documents"))
        ranked = self.hits(given if held is None else held, level=level)
        ranks = {hit.id: StageRank(hit.rank, hit.score) for hit in reversed(ranked)}
        return Stage(name, float(took or 0.0), ranks, exhausted=False)


def _parsed(text: str | None) -> Expression | None:
    return None if text is None else parse_expression(text)


def _held(answer: object) -> Any:
    """The list itself, or what the first of the usual members holds, as `hits` within `hits`."""
    if isinstance(answer, list | tuple):
        return answer
    held = parts.member(answer, parts.LISTS)
    if held is None:
        return answer
    inner = parts.member(held, parts.LISTS) if isinstance(held, Mapping) else None
    return held if inner is None else inner


def _hint(held: object) -> str:
    if isinstance(held, set | frozenset):
        return ", which has no order"
    if held is None:
        return "; nothing found is an empty list"
    if isinstance(held, Mapping):
        return "; say where the list stands, with the option results"
    return ""


def _is_pair(entry: Any) -> bool:
    if not isinstance(entry, tuple | list) or len(entry) != 2 or hasattr(entry, "_fields"):
        return False
    return not isinstance(entry[1], bool | str | bytes) and hasattr(entry[1], "__float__")


def _rest(found: _Found) -> tuple[str | None, str, tuple[int, int] | None, object]:
    return found.text, found.title, found.place, found.same


def _number(value: Any, place: int) -> float:
    try:
        if isinstance(value, bool):
            raise TypeError
        return float(value)
    except (TypeError, ValueError) as error:
        raise SystemFailureError(f"the score of result {place} is no number: {shown(value)}") from error


def _place(entry: object) -> tuple[int, int] | None:
    """The range of the document that a result says it stands at."""
    start, end = (
        parts.member(entry, ("start", "start_char_idx")),
        parts.member(entry, ("end", "end_char_idx")),
    )
    if isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
        return start, end
    return None


def _distinct(found: Iterable[_Found]) -> list[_Found]:
    seen: set[str] = set()
    kept = []
    for each in found:
        key = repr(each.same)  # what makes them equal may be a list or a mapping
        if each.same is not None and key in seen:
            continue
        seen.add(key)
        kept.append(each)
    return kept


def _grouped(found: Iterable[_Found], *, level: Level) -> list[list[_Found]]:
    """At document level, the chunks of one document together, where its best stands. A result that has no
    document beside its id stays by itself, so that one that occurs twice is counted as such."""
    groups: dict[object, list[_Found]] = {}
    for place, each in enumerate(found):
        nested = level is Level.DOCUMENT and each.document != each.id
        groups.setdefault(each.document if nested else (place,), []).append(each)
    return list(groups.values())


def _hit(group: list[_Found], rank: int, *, score: float | None, level: Level) -> Hit:
    best = group[0]
    by_document = level is Level.DOCUMENT
    own_chunk = by_document and best.document == best.id
    return Hit(
        id=best.document if by_document else best.id,
        document=best.document,
        score=(best.score or 0.0) if score is None else score,
        rank=rank,
        chunks=() if own_chunk else tuple(dict.fromkeys(each.id for each in group)),
        passage=None if best.text is None else _passage(best, best.text),
    )


def _passage(found: _Found, text: str) -> Passage:
    start, end = found.place or (0, len(text))
    return Passage(
        chunk=found.id,
        title=found.title,
        breadcrumb=(),
        text=text,
        start=start,
        end=end,
        line_start=1,
        line_end=text.count("\n") + 1,
    )


def _named_stages(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {str(name): held for name, held in given.items()}
    if not isinstance(given, list | tuple):
        return {}
    return {str(parts.member(stage, ("name", "stage"))): stage for stage in given}


def shown(value: object) -> str:
    """A value as an error shows it."""
    text = repr(value)
    kind = type(value).__name__
    return f"{kind} {text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}"
