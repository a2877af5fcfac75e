"""Add a query with its labels to a set, each label checked against a workspace."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rankle.app.rate import check_collection, printable
from rankle.app.wiring.knowledge_base import open_knowledge_base, passage_source
from rankle.app.wiring.settings import Settings
from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.core.rating import query_key
from rankle.formats.eval_set import read_eval_set
from rankle.formats.set_append import append_query
from rankle.labels.finding import find_label
from rankle.labels.level import Mentioned, choose_level
from rankle.labels.placing import Placed, Why, ambiguity, place_span
from rankle.labels.quotes import How
from rankle.labels.stored import Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What is to be added."""

    query: str
    relevant: tuple[str, ...]
    """Names of documents and ids of chunks; none where nothing should be found."""
    grade: int = 1
    quotes: tuple[str, ...] = ()
    """Passages of the one document that is named."""
    occurrence: int | None = None
    """Which of the places that hold the quote is meant, from 1."""
    id: str | None = None
    collection: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """The query as it was written."""

    query: EvalQuery
    mixed: str | None
    """What is to be said where the set's labels now point at things of several kinds."""


def add_query(path: Path, addition: Addition, *, settings: Settings) -> Added:
    """Add one line; the file is made where there is none.

    A chunk becomes the passage that it holds, with its id beside. Raises InputError for a name that nothing
    fits, or several do, for a quote that its document does not hold, and for a query that the set has.
    """
    _check(addition)
    existing = read_eval_set(path) if path.exists() and path.stat().st_size else None
    text = printable(addition.query)
    _refuse_twice(existing, text, addition.collection, path=path)
    with open_knowledge_base(settings) as kb:
        check_collection(kb, addition.collection)
        folder = str(path.absolute().parent)
        stored = Stored(kb.catalog(), passage_source(kb), folder=folder)
        labels = tuple(dict.fromkeys(_labels(addition, stored)))
    key = query_key(text, addition.collection)
    query = EvalQuery(
        id=addition.id or f"added-{fingerprint(list(key))[:8]}",
        text=text,
        labels=labels,
        answerable=bool(labels),
        collection=addition.collection,
        note=None if addition.note is None else printable(addition.note),
    )
    append_query(path, query)
    return Added(query, _mixed([*(existing.queries if existing else ()), query], stored))


def _check(addition: Addition) -> None:
    if not addition.query.strip():
        raise InputError("the query must be text that is not blank")
    if addition.quotes and len(addition.relevant) != 1:
        raise InputError(
            f"a quote is of one document, and {len(addition.relevant)} are named; add the passages of each "
            "by a line of its own in the set"
        )
    if addition.occurrence is not None and len(addition.quotes) != 1:
        raise InputError("an occurrence counts the places of one quote; give one with it")


def _refuse_twice(existing: EvalSet | None, text: str, collection: str | None, *, path: Path) -> None:
    for query in existing.queries if existing else ():
        if query_key(query.text, query.collection) == query_key(text, collection):
            where = f":{query.line}" if query.line else ""
            raise InputError(
                f"{path}{where} has this query already, with id {query.id}; two lines would be scored as two "
                "queries. Add its labels there"
            )


def _labels(addition: Addition, stored: Stored) -> Iterator[Label]:
    for name in addition.relevant:
        named = find_label(Label(name), stored.names)
        if not named.indexed:
            raise _unknown(name, stored)
        if named.level is Level.CHUNK:
            document = stored.places[name].document
            if not addition.quotes:
                yield _of_chunk(name, addition.grade, stored)
        elif len(named.documents) > 1:
            fitting = ", ".join(named.documents)
            raise InputError(f'"{name}" fits several documents: {fitting}. Use the full id')
        else:
            (document,) = named.documents
            if not addition.quotes:
                yield Label(document, None, addition.grade)
        for quote in addition.quotes:
            yield _of_quote(document, quote, addition, stored)


def _unknown(name: str, stored: Stored) -> UnknownNameError:
    known = [document.id for document in stored.catalog.documents]
    return UnknownNameError(
        what="document or chunk",
        name=name,
        known=[*known, *stored.catalog.chunks],
        hint="See: rankle docs list",
    )


def _of_chunk(name: str, grade: int, stored: Stored) -> Label:
    place = stored.places[name]
    text = stored.text(place.document).text[place.start : place.end]
    return Label(place.document, Level.SPAN, grade, span=Span(text, place.start, place.end), chunk=name)


def _of_quote(document: str, quote: str, addition: Addition, stored: Stored) -> Label:
    """The passage as the document has it, which may differ from the quote in white space and the like."""
    span = Span(printable(quote), occurrence=addition.occurrence)
    text = stored.text(document)
    found = place_span(span, text)
    if not isinstance(found, Placed):
        if found.why is Why.AMBIGUOUS:
            raise InputError(f"{ambiguity(document, span, found.places, text)}; here: --occurrence N")
        raise InputError(f'{document} holds nothing like "{_shortened(quote)}". See: rankle docs show --text')
    start, end = found.place.start, found.place.end
    if found.how is How.ALIKE:
        raise InputError(
            f'{document} does not hold "{_shortened(quote)}"; did you mean '
            f'"{_shortened(text.text[start:end])}"?'
        )
    return Label(document, Level.SPAN, addition.grade, span=Span(text.text[start:end], start, end))


def _shortened(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= 60 else f"{words[:59]}…"


def _mixed(queries: list[EvalQuery], stored: Stored) -> str | None:
    """Nothing is wrong with such a set, but who evaluates it must say what to score."""
    mentions = [
        Mentioned(label, find_label(label, stored.names).level) for query in queries for label in query.labels
    ]
    try:
        choose_level(mentions)
    except InputError as error:
        return str(error)
    return None
