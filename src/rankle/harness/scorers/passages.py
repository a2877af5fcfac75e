"""Scores outputs by the passages that their hits cover, however the text is chunked."""

from math import ceil
from typing import Any, Final, NamedTuple

from rankle.core.errors import InputError
from rankle.core.evalset import Level, Span
from rankle.core.text_range import Range
from rankle.harness.evals.score import Score
from rankle.harness.scorers.asked_measure import AskedMeasure
from rankle.harness.scorers.expectation import Entry, Expectation
from rankle.harness.scorers.making import shown
from rankle.harness.scorers.members import as_id, member
from rankle.harness.scorers.ranking_value import score_judged
from rankle.harness.scorers.retrieved import ranked_entries
from rankle.labels.coverage import HALF, Coverage
from rankle.labels.plain_text import PlainText
from rankle.labels.spans import judge_spans, matches_of

_DOCUMENT: Final = ("document", "docid", "doc_id")


class _Hit(NamedTuple):
    """A hit that says which part of its document it is."""

    document: str
    place: Range | None
    """Where it stands; None where it does not say."""
    text: str | None
    """In one spelling; None where it has none."""


class _Passage(NamedTuple):
    """A passage that is judged."""

    document: str
    place: Range | None
    quote: str | None
    """In one spelling."""


def score_passages(
    asked: AskedMeasure, output: Any, expectation: Expectation, *, coverage: Coverage | None = None
) -> Score:
    """The score of hits, best first, that are parts of documents.

    A hit covers a passage where it has enough of it, or is made of it: by their ranges where both say them,
    else by the quote and the text of the hit. It is worth the highest grade among the passages that it covers
    and no hit above it does; all that it covers count as found.
    Raises InputError where a hit or an expectation does not say enough.
    """
    if expectation.stated is not None:
        raise InputError(
            "relevantDocs stands beside judgments of passages, whose grades say what is relevant; drop it, "
            'or say relevance="judgments"'
        )
    passages = [_passage(entry) for entry in expectation.graded]
    hits = [_hit(entry, place) for place, entry in enumerate(ranked_entries(output), start=1)]
    grades = [entry.grade for entry in expectation.graded]
    covered = tuple(
        tuple(n for n, passage in enumerate(passages) if _covers(hit, passage, rank, coverage or HALF))
        for rank, hit in enumerate(hits, start=1)
    )
    return score_judged(asked, judge_spans([matches_of(covered, grades)], [grades]))


def _passage(entry: Entry) -> _Passage:
    document = entry.document or entry.name
    if entry.span is None or document is None:
        raise InputError(
            'a passage is expected as {"document": …, "quote": …} or with "start" and "end"; '
            f"got only {entry.id_at(Level.CHUNK if entry.chunk else Level.DOCUMENT)!r}"
        )
    return _Passage(document, _range(document, entry.span), _plain(entry.span.quote))


def _range(document: str, span: Span) -> Range | None:
    return None if span.start is None or span.end is None else Range(document, span.start, span.end)


def _plain(text: str | None) -> str | None:
    return None if text is None else PlainText(text).text


def _hit(entry: Any, rank: int) -> _Hit:
    document = as_id(member(entry, _DOCUMENT))
    part = member(entry, ("passage",)) or entry  # a hit of ours has both in its passage
    start, end, text = (member(part, (name,)) for name in ("start", "end", "text"))
    text = text if text is not None else member(part, ("quote",))
    has_place = isinstance(start, int) and isinstance(end, int) and 0 <= start < end
    if document is None or not (has_place or isinstance(text, str)):
        raise InputError(
            f'result {rank} of the output needs its "document", and "start" and "end" or "text", to be held '
            f'against passages (level="document" ranks documents instead); got {shown(entry)}'
        )
    place = Range(document, start, end) if has_place else None
    return _Hit(document, place, _plain(text) if isinstance(text, str) else None)


def _covers(hit: _Hit, passage: _Passage, rank: int, coverage: Coverage) -> bool:
    if hit.document != passage.document:
        return False
    if hit.place is not None and passage.place is not None:
        return coverage.holds(hit.place, passage.place)
    if hit.text is None or passage.quote is None:
        told = ("a text", '"start" and "end"') if hit.place is None else ('"start" and "end"', "a quote")
        raise InputError(
            f"result {rank} of the output has only {told[0]}, and the passage expected of "
            f'"{hit.document}" only {told[1]}; give both of them the same, ranges or texts'
        )
    return _has_enough(hit.text, passage.quote, coverage)


def _has_enough(text: str, quote: str, coverage: Coverage) -> bool:
    """The same for texts: they share all of one of them, or the end of one that begins the other."""
    least = max(1, ceil(min(coverage.of_span * len(quote), coverage.of_chunk * len(text))))
    if quote in text or text in quote:
        return min(len(text), len(quote)) >= least
    return _overlaps(text, quote, least) or _overlaps(quote, text, least)


def _overlaps(first: str, second: str, least: int) -> bool:
    """Whether the end of the first is the beginning of the second, for at least so many characters."""
    longest = min(len(first), len(second))
    return any(first.endswith(second[:length]) for length in range(longest, least - 1, -1))
