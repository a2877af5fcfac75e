"""Finds where the labels of a set stand in the stored texts, for scoring passage by passage."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rankle.core.catalog import Catalog
from rankle.core.errors import InputError
from rankle.core.evalset import Level, Span
from rankle.core.ports import PassageSource
from rankle.core.text_range import Range
from rankle.labels.finding import Named
from rankle.labels.placing import Placed, Why, ambiguity, place_span
from rankle.labels.quotes import How
from rankle.labels.stored import Stored


@dataclass(frozen=True, slots=True)
class Site:
    """Where a passage stands now."""

    place: Range
    how: How | None
    """How its quote was found; None where the label has none."""
    likeness: float
    moved: bool
    certain: bool
    """False where several places could be meant, or nobody can say that it is the passage."""
    n_places: int = 1
    """Places that could as well be meant, this one counted."""


@dataclass(slots=True)
class Sited:
    """The labels of a set with their places."""

    rows: list[list[Named]] = field(default_factory=list)
    """As they came, query by query; what stands nowhere is not indexed."""
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Place of the query, and what is wrong with one of its labels."""
    n_moved: int = 0
    n_guessed: int = 0


def stored_by(catalog: Catalog | None, source: PassageSource | None, *, folder: str | None) -> Stored:
    """Raises InputError where the system stores no text in which passages could be found."""
    if catalog is None or source is None:
        raise InputError(
            "the set labels passages, and this system stores no text in which they could be found; "
            "--level document scores all by document"
        )
    return Stored(catalog, source, folder=folder)


def site_labels(rows: Sequence[Sequence[Named]], stored: Stored) -> Sited:
    """Looks for every label: a passage by its quote and range, a chunk where it is cut."""
    sited = Sited()
    for query, row in enumerate(rows):
        sited.rows.append([_sited(item, stored, query=query, into=sited) for item in row])
    return sited


def _sited(item: Named, stored: Stored, *, query: int, into: Sited) -> Named:
    if item.level is not Level.SPAN:
        if not item.indexed:
            return item
        return replace(item, place=stored.places.get(item.label.name))
    span = item.label.span
    assert span is not None
    document = item.documents[0] if item.is_document_known else None
    site = find_site(span, document, stored)
    if isinstance(site, str):
        into.faults.append((query, site))
    if not isinstance(site, Site) or (site.place.document != document and not site.certain):
        return replace(item, indexed=False)
    into.n_moved += site.moved
    into.n_guessed += not site.certain
    return replace(item, documents=(site.place.document,), indexed=True, place=site.place)


def find_site(
    span: Span, document: str | None, stored: Stored, *, guessing: bool = False
) -> Site | str | None:
    """Where a passage stands: in its document, else in another that holds its quote.

    document: None where the one that the label names is not there.
    guessing: whether a text that is only like the quote counts too where no document holds the quote; it is
        never certain.
    Returns a fault in words where several places of the document could be meant, None where there is none.
    """
    if document is not None:
        found = place_span(span, stored.text(document))
        if isinstance(found, Placed):
            place = Range(document, found.place.start, found.place.end)
            return Site(place, found.how, found.likeness, found.moved, found.certain)
        if found.why is Why.AMBIGUOUS:
            return ambiguity(document, span, found.places, stored.text(document))
    others = list(stored.elsewhere(span, apart_from=document))
    if others:
        return Site(others[0], How.EXACT, 100.0, moved=True, certain=len(others) == 1)
    near = stored.near(span) if guessing else None
    if near is None:
        return None
    return Site(near.place, How.ALIKE, near.likeness, moved=True, certain=False, n_places=near.n_places)
