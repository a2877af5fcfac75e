"""Finds where the labels of a set stand in the stored texts, for scoring passage by passage."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rankle.core.catalog import Catalog
from rankle.core.errors import InputError
from rankle.core.evalset import Level
from rankle.core.ports import PassageSource
from rankle.core.text_range import Range
from rankle.labels.finding import Named
from rankle.labels.placing import Placed, Why, ambiguity, place_span
from rankle.labels.stored import Stored


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
    if not item.indexed:
        return item
    if item.level is Level.CHUNK:
        return replace(item, place=stored.places.get(item.label.name))
    span, document = item.label.span, item.documents[0]
    assert span is not None
    found = place_span(span, stored.text(document))
    if isinstance(found, Placed):
        into.n_moved += found.moved
        into.n_guessed += not found.certain
        return replace(item, place=Range(document, found.place.start, found.place.end))
    if found.why is Why.AMBIGUOUS:
        into.faults.append((query, ambiguity(document, span, found.places, stored.text(document))))
    return replace(item, indexed=False)
