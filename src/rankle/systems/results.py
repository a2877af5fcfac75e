"""Makes hits of whatever a system answers: ids, pairs, mappings, or objects of the usual frameworks."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rankle.core.errors import SystemFailureError
from rankle.core.evalset import Level
from rankle.core.search import Hit, SearchResult, Stage, StageRank
from rankle.systems import parts
from rankle.systems.expression import Expression, parse_expression
from rankle.systems.found import Found, hits_of
from rankle.systems.options import Reading

_SHOWN: Final = 120
EVERYWHERE: Final = "it was searched in all collections, since the system is not told which one"
"""Of a query of one collection, where nothing of what the system is given holds it."""
_TITLE: Final = ("title", "name", "heading")
_ALLOWED: Final = (
    "an answer must be a list, best first, of ids, of pairs (id, score), or of results with an id, or a "
    f"mapping with one of {', '.join(parts.LISTS)}"
)


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
        notices: tuple[str, ...] = (),
    ) -> SearchResult:
        """The results of one query at a level, best first.

        entries: of the list, where they do not all stand in the answer. notices: of this search.
        At document level, results that name a document beside their id are grouped by it.
        Raises SystemFailureError, with what was got, on an answer that ranks nothing.
        """
        if isinstance(answer, SearchResult):
            return answer
        hits = self.hits(self.entries(answer) if entries is None else entries, level=level)
        stages = self._read_stages(answer, level=level)
        return SearchResult(query, self._method, hits, stages, took_ms=took_ms, notices=notices)

    def check(self, answer: object) -> None:
        """Raises SystemFailureError on an answer that can be read at no level, as `read` does."""
        try:
            self.read(answer, "", level=Level.DOCUMENT, took_ms=0.0)
        except SystemFailureError as error:
            try:
                self.read(answer, "", level=Level.CHUNK, took_ms=0.0)
            except SystemFailureError:
                raise error from None

    def entries(self, answer: object) -> list[Any]:
        """The entries of the list that an answer is or holds."""
        held = _held(answer) if self._results is None else self._results(answer)
        if self._results is not None and held is None:
            raise SystemFailureError(
                "the answer has nothing where its results should be, which the option results says; it is "
                f"{shown(answer)}"
            )
        if held is None or isinstance(held, str | bytes | Mapping | set | frozenset):
            raise SystemFailureError(f"{_ALLOWED}; got {shown(held)}{_hint(held)}")
        if not isinstance(held, Iterable):
            raise SystemFailureError(f"{_ALLOWED}; got {shown(held)}")
        return list(held)

    def hits(self, entries: Iterable[Any], *, level: Level) -> tuple[Hit, ...]:
        """Hits with ranks from 1. Where one has no score, all fall by rank."""
        results = [self._found(entry, place, level=level) for place, entry in enumerate(entries, start=1)]
        return hits_of(results, level=level)

    def _found(self, entry: Any, place: int, *, level: Level) -> Found:
        if _is_pair(entry):
            inner = self._found(entry[0], place, level=level)
            score = None if entry[1] is None else _number(entry[1], place)
            return Found(inner.id, inner.document, score, *_rest(inner))
        bare = parts.as_id(entry)
        if bare is not None and self._id is None:
            return Found(bare, bare, None, None, "", None, None)
        document = self._document_of(entry, level=level)
        name = self._own_id(entry, document, level=level)
        if name is None:
            raise SystemFailureError(
                f"result {place} has no id; say where it stands, with the option id (or document); "
                f"it is {shown(entry)}"
            )
        text = parts.member(entry, parts.TEXT) if self._text is None else self._text(entry)
        return Found(
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
        is_chunk = level is Level.CHUNK or document is not None
        own = parts.chunk_of(entry) if is_chunk else parts.id_of(entry)
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
    rows = _rows(answer)
    if rows is not None:
        return rows
    held = parts.member(answer, parts.LISTS)
    if held is None:
        return answer
    inner = parts.member(held, parts.LISTS) if isinstance(held, Mapping) else None
    return held if inner is None else inner


def _rows(answer: object) -> Any:
    """The rows of a table or array of pandas, Polars or NumPy, whose other members are no results."""
    if callable(getattr(answer, "collect_schema", None)) and callable(
        collect := getattr(answer, "collect", None)
    ):
        answer = collect()  # a table of Polars that is not made yet
    if hasattr(answer, "columns"):
        for name, arguments in (("to_dicts", ()), ("to_dict", ("records",))):
            if callable(to_rows := getattr(answer, name, None)):
                return to_rows(*arguments)
    to_list = getattr(answer, "tolist", None)
    return to_list() if callable(to_list) else None


def _hint(held: object) -> str:
    if isinstance(held, set | frozenset):
        return ", which has no order"
    if held is None:
        return "; nothing found is an empty list"
    if isinstance(held, Mapping):
        scored = bool(held) and all(isinstance(each, int | float) for each in held.values())
        pairs = ", or give pairs: list(answer.items()), best first" if scored else ""
        return f"; say where the list stands, with the option results{pairs}"
    return ""


def _is_pair(entry: Any) -> bool:
    if not isinstance(entry, tuple | list) or len(entry) != 2 or hasattr(entry, "_fields"):
        return False
    score = entry[1]  # of which there may be none, as of a mapping
    return score is None or (not isinstance(score, bool | str | bytes) and hasattr(score, "__float__"))


def _rest(found: Found) -> tuple[str | None, str, tuple[int, int] | None, object]:
    return found.text, found.title, found.place, found.same


def _number(value: Any, place: int) -> float:
    try:
        if isinstance(value, bool):
            raise TypeError
        return float(value)
    except (TypeError, ValueError) as error:
        raise SystemFailureError(f"the score of result {place} is no number: {shown(value)}") from error


def _place(entry: object) -> tuple[int, int] | None:
    """The range of the document that a result, or the node that it is made of, says it stands at."""
    for each in (entry, parts.member(entry, parts.NODE)):
        start = parts.member(each, ("start", "start_char_idx"))
        end = parts.member(each, ("end", "end_char_idx"))
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
            return start, end
    return None


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
