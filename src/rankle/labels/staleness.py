"""Does a label still mean what it meant? Held against what is stored now, one label at a time.

A passage is valid while its quote stands in its range, or anywhere where it has none, however the text is
chunked. A chunk id is valid while a chunk has it; ids are made from the text, so a new chunking or an edit
gives new ones, and what became of the old chunk is told by the passage that the set keeps beside its id.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from rankle.core.evalset import Label, Level, Span
from rankle.core.text_range import Range
from rankle.labels.coverage import HALF
from rankle.labels.finding import find_label
from rankle.labels.quotes import How
from rankle.labels.sites import Site, find_site
from rankle.labels.stored import Stored

_SAME = 0.9
"""Share of all their characters that an edited passage and a chunk have in common if they are one: where such
a passage ends is an estimate."""

_SURE = 95.0
"""Likeness from which on a passage that moved within its document is the same for certain: below it, another
one may be meant that the document had before."""


class Verdict(StrEnum):
    """What became of a label's target."""

    VALID = "valid"
    MOVED = "moved"
    """It stands elsewhere: at another place, in another document, under another chunk id."""
    SPLIT = "split"
    """Of a chunk: its text is now part of several chunks."""
    MERGED = "merged"
    """Of a chunk: its text is now part of a larger one."""
    GONE = "gone"
    """Nothing that is stored holds it, or can be told to."""


@dataclass(frozen=True, slots=True)
class Check:
    """One label, held against what is stored now."""

    label: Label
    verdict: Verdict
    why: str
    """The reason in words; empty for what is valid as it stands."""
    then: str | None
    """The text that was labelled; None where the label does not keep it."""
    now: str | None
    """The text that is meant now; None where there is none."""
    likeness: float
    """Of then and now, 0 to 100; 100 where they are equal, or only one of them is known."""
    repaired: tuple[Label, ...] | None
    """The labels to have in its stead: itself where nothing changes, none where nothing of it can be found,
    None where nobody can say for certain."""


def check_label(
    label: Label, stored: Stored, *, by_chunk: bool = False, guessing: bool = True
) -> Check | str:
    """The verdict on a label; a fault in words where the label does not say clearly what it means.

    by_chunk: whether the chunk id beside a passage is what counts (level CHUNK), with the passage as the
        evidence of what it held.
    guessing: see `find_site`; what is not guessed at is gone.
    """
    named = find_label(label, stored.names)
    if named.level is not Level.CHUNK and len(named.documents) > 1:
        return f'"{label.name}" fits several documents: {", ".join(named.documents)}; write the full id'
    if label.span is None:
        return _check_name(label, stored) if named.indexed else _lost_name(label, stored)
    document = named.documents[0] if named.indexed else None
    site = find_site(label.span, document, stored, guessing=guessing)
    if isinstance(site, str):
        return site
    if by_chunk and label.chunk is not None:
        return _check_chunk(label, label.span, label.chunk, site, stored)
    return _check_span(label, label.span, document, site, stored)


def _check_name(label: Label, stored: Stored) -> Check:
    place = stored.places.get(label.name)
    text = None if place is None else _text(place, stored)
    return Check(label, Verdict.VALID, "", text, text, 100.0, (label,))


def _lost_name(label: Label, stored: Stored) -> Check:
    if find_label(label, stored.names).level is Level.CHUNK:
        why = "no chunk has this id, and the set keeps no passage that would tell what it held"
    else:
        why = _no_document(label, stored)
    return Check(label, Verdict.GONE, why, None, None, 100.0, ())


def _no_document(label: Label, stored: Stored) -> str:
    near = stored.nearest_document(label.name)
    return "no document has this name" + (f'; did you mean "{near}"?' if near else "")


def _check_span(label: Label, span: Span, document: str | None, site: Site | None, stored: Stored) -> Check:
    if site is None:
        why = _no_document(label, stored) if document is None else f"{document} holds nothing like it"
        return Check(label, Verdict.GONE, why, span.quote, None, 100.0, ())
    now = _text(site.place, stored)
    if site.moved and site.likeness < _SURE:
        site = replace(site, certain=False)
    verdict = Verdict.MOVED if site.moved else Verdict.VALID
    repaired = (_renewed(label, span, site, stored),) if site.certain else None
    why = _moved_words(span, document, site, stored)
    return Check(label, verdict, why, span.quote, now, site.likeness, repaired)


def _moved_words(span: Span, document: str | None, site: Site, stored: Stored) -> str:
    if not site.moved:
        return "" if site.how is not How.ALIKE else "some words differ"
    place = site.place
    line = stored.text(place.document).line_of(place.start)
    where = f"at {place.start} to {place.end} (line {line})"
    if site.how is How.ALIKE and not site.certain:
        more = f"; or in {site.n_places - 1} more" if site.n_places > 1 else ""
        return f"it may stand in {place.document} now, in other words, {where}{more}"
    if place.document != document:
        where = f"it stands in {place.document} now, {where}"
    else:
        where = f"it stands {where} now, not at {span.start} to {span.end}"
    if site.certain:
        return where
    return f"{where}; or elsewhere, since several places hold the quote"


def _renewed(label: Label, span: Span, site: Site, stored: Stored) -> Label:
    """The label as somebody would write it now, with the members that it had; the same if nothing changed."""
    chunk = label.chunk
    if chunk is not None and chunk not in stored.places:
        covering = _covering(site.place, stored)
        chunk = covering[0][0] if covering else None
    stays = site.place.document in find_label(label, stored.names).documents
    if stays and not site.moved and site.how is not How.ALIKE:
        return replace(label, chunk=chunk)
    quote = span.quote if site.how is not How.ALIKE else _text(site.place, stored)
    start = end = None
    if span.range is not None or span.occurrence is not None:
        start, end = site.place.start, site.place.end
    renewed = Span(quote, start, end)
    return replace(label, name=label.name if stays else site.place.document, span=renewed, chunk=chunk)


def _check_chunk(label: Label, span: Span, chunk: str, site: Site | None, stored: Stored) -> Check:
    place = stored.places.get(chunk)
    if place is not None:
        return Check(label, Verdict.VALID, "", span.quote, _text(place, stored), 100.0, (label,))
    over = [] if site is None else stored.chunks_over(site.place)
    if site is None or not over:
        return Check(label, Verdict.GONE, "no chunk holds anything like it", span.quote, None, 100.0, ())
    verdict, why = _fate(site, over)
    covering = _covering(site.place, stored)
    now = "\n".join(_text(found, stored) for _, found in covering)
    repaired = tuple(_part(label, name, found, site.place, stored) for name, found in covering)
    return Check(label, verdict, why, span.quote, now, site.likeness, repaired if site.certain else None)


def _fate(site: Site, over: list[tuple[str, Range]]) -> tuple[Verdict, str]:
    """What became of a chunk whose text stands at a place, given the chunks there."""
    names = ", ".join(name for name, _ in over)
    if any(_is_same(chunk, site) for _, chunk in over):
        return Verdict.MOVED, f"the same text is {names} in {site.place.document} now"
    if len(over) > 1:
        return Verdict.SPLIT, f"its text is spread over {names} now"
    return Verdict.MERGED, f"its text is part of {names} now"


def _is_same(chunk: Range, site: Site) -> bool:
    if site.how is not How.ALIKE:
        return chunk == site.place
    both = chunk.overlap(site.place)
    return both >= _SAME * (chunk.length + site.place.length - both)


def _covering(place: Range, stored: Stored) -> list[tuple[str, Range]]:
    """The chunks that would count as the passage, most of it first."""
    covering = [(name, chunk) for name, chunk in stored.chunks_over(place) if HALF.holds(chunk, place)]
    return sorted(covering, key=lambda item: -item[1].overlap(place))


def _part(label: Label, name: str, chunk: Range, place: Range, stored: Stored) -> Label:
    """A label of the chunk, with as much of the passage as it holds."""
    start, end = max(chunk.start, place.start), min(chunk.end, place.end)
    text = stored.text(chunk.document).text[start:end]
    trimmed = text.strip()
    start += len(text) - len(text.lstrip())
    span = Span(trimmed, start, start + len(trimmed))
    return Label(chunk.document, Level.SPAN, label.grade, span=span, chunk=name)


def _text(place: Range, stored: Stored) -> str:
    return stored.text(place.document).text[place.start : place.end]
