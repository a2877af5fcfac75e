"""Labels joined at span level: where passages stand, what labels of one place are, what is refused."""

from collections.abc import Mapping

import pytest

from rankle.core.catalog import Catalog, CatalogDocument
from rankle.core.errors import BadLinesError, CannotMeasureError, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.core.text_range import Range
from rankle.labels.join import JoinedSet, join_labels

TEXT = "one. again. two. again. three. again."
CHUNK_A, CHUNK_B = "chunk-aaaaaaaaaaaa", "chunk-bbbbbbbbbbbb"
CATALOG = Catalog(
    (CatalogDocument("a.md", "/docs/a.md", "ab" * 32, "default"),), {CHUNK_A: ("a.md",), CHUNK_B: ("a.md",)}
)


class OneText:
    def text(self, document: str) -> str:
        assert document == "a.md"
        return TEXT

    def chunk_places(self) -> Mapping[str, Range]:
        return {CHUNK_A: Range("a.md", 0, 16), CHUNK_B: Range("a.md", 17, 37)}


def join(*labels: Label, level: Level | None = None) -> JoinedSet:
    queries = (EvalQuery("1", "x", labels, line=4),)
    return join_labels(EvalSet("set.jsonl", queries), CATALOG, level=level, source=OneText())


def span(quote: str | None, *numbers: int, grade: int = 1, occurrence: int | None = None) -> Label:
    start, end = numbers or (None, None)
    return Label("a.md", Level.SPAN, grade, span=Span(quote, start, end, occurrence))


def test_a_passage_is_named_by_where_it_stands() -> None:
    joined = join(span("two."), span("again.", occurrence=2, grade=3), span(None, 0, 4))
    assert joined.level is Level.SPAN
    assert [(t.id, t.grade, t.place, t.indexed, t.documents) for t in joined.queries[0].targets] == [
        ("a.md[12:16]", 1, Range("a.md", 12, 16), True, ("a.md",)),
        ("a.md[17:23]", 3, Range("a.md", 17, 23), True, ("a.md",)),
        ("a.md[0:4]", 1, Range("a.md", 0, 4), True, ("a.md",)),
    ]
    assert (joined.n_labels, joined.n_joined, joined.n_moved) == (3, 3, 0)


def test_two_labels_of_one_place_are_one_target_and_must_agree() -> None:
    assert len(join(span("two."), span("two.", 12, 16)).queries[0].targets) == 1
    with pytest.raises(BadLinesError) as caught:
        join(span("two."), span("two.", 12, 16, grade=2))
    assert str(caught.value) == (
        'set.jsonl:4: "a.md: two." and "a.md: two." are both a.md[12:16], with relevance 1 and 2; keep one'
    )


def test_what_moved_is_scored_where_it_stands_and_counted() -> None:
    joined = join(span("two.", 0, 4), span("again.", 16, 22))
    assert [target.id for target in joined.queries[0].targets] == ["a.md[12:16]", "a.md[17:23]"]
    assert (joined.n_moved, joined.n_guessed) == (2, 1)


def test_what_stands_nowhere_stays_in_the_denominators_and_is_named_as_the_set_says_it() -> None:
    long = "never said, " * 12
    gone = Label("gone.md", Level.SPAN, span=Span("two."))
    joined = join(span("two."), span("never said"), span(long), span(None, 90, 99), gone)
    names = [item.name for item in joined.unknown]
    assert names[0] == "a.md: never said"
    assert names[1].startswith("a.md: never said, never said, ")
    assert len(names[1]) < 90
    assert names[2:] == ["a.md[90:99]", "gone.md"]
    assert [target.indexed for target in joined.queries[0].targets] == [True, False, False, False, False]
    assert (joined.n_labels, joined.n_joined) == (5, 1)
    with pytest.raises(CannotMeasureError):
        join(span("never said"))


def test_an_ambiguous_quote_is_a_fault_with_its_line() -> None:
    with pytest.raises(BadLinesError) as caught:
        join(span("again."), span("two."))
    assert [(fault.line, fault.message.partition(",")[0]) for fault in caught.value.faults] == [
        (4, 'the quote "again." stands 3 times in a.md')
    ]


def test_chunks_are_passages_too_where_spans_are_asked_for() -> None:
    joined = join(span("two."), Label(CHUNK_B, Level.CHUNK, 2), level=Level.SPAN)
    assert [(target.id, target.grade) for target in joined.queries[0].targets] == [
        ("a.md[12:16]", 1),
        ("a.md[17:37]", 2),
    ]


def test_two_passages_of_one_chunk_are_one_target_by_chunk_with_the_higher_grade() -> None:
    labels = [
        Label("a.md", Level.SPAN, grade, span=Span(quote), chunk=CHUNK_A)
        for quote, grade in (("one.", 1), ("two.", 2))
    ]
    (query,) = join(*labels, level=Level.CHUNK).queries
    assert query.judgments == {CHUNK_A: 2}


def test_a_system_without_texts_cannot_score_passages() -> None:
    queries = (EvalQuery("1", "x", (span("two."),)),)
    with pytest.raises(InputError, match="this system stores no text in which they could be found"):
        join_labels(EvalSet("s", queries), CATALOG)
