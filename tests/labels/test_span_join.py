# ruff: noqa: E501
"""Labels joined at span level: where passages stand, what labels of one place are, what is refused."""

from collections.abc import Mapping

import pytest

from rankle.core.catalog import Catalog, CatalogDocument
from rankle.core.errors import BadLinesError, CannotMeasureError, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.core.text_range import Range
from rankle.labels.join import JoinedSet, join_labels
from rankle.labels.stored import Stored

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


class ManyTexts:
    """Texts by their names; what is asked for is remembered."""

    def __init__(self, **texts: str) -> None:
        self.texts = {f"{name}.md": text for name, text in texts.items()}

    def text(self, document: str) -> str:
        return self.texts[document]

    def chunk_places(self) -> Mapping[str, Range]:
        return {}

    def stored(self) -> Stored:
        documents = tuple(CatalogDocument(name, None, "ab" * 32, "default") for name in self.texts)
        return Stored(Catalog(documents, {}), self, folder=None)


@pytest.mark.parametrize(
    ("quote", "document", "places"),
    [
        ("Employees may take caf\u00e9 breaks.", "a.md", [("b.md", 0, 32)]),
        ("Employees may  take cafe\u0301 breaks.", None, [("b.md", 0, 32)]),
        ("\u7b2c\u4e8c\u306e\u8cea\u554f\u306f\u3053\u3053\u306b\u3042\u308a\u307e\u3059\u3002\n\u304a\u8aad\u307f\u304f\u3060\u3055\u3044\u3002", None, [("c.md", 2, 25)]),
        ("Said in both of them, as it is.", None, [("d.md", 0, 31), ("e.md", 4, 35)]),
        ("Said in both of them, as it is.", "d.md", [("e.md", 4, 35)]),
        ("too short", None, []),
        ("This stands nowhere at all, ever.", None, []),
        ("Employees must take caf\u00e9 breaks.", None, []),
    ],
    ids=["composed", "decomposed", "Japanese", "two", "other than its own", "short", "nowhere", "alike only"],
)  # fmt: skip
def test_a_passage_that_left_its_document_is_looked_for_in_all_others(
    quote: str, document: str | None, places: list[tuple[str, int, int]]
) -> None:
    stored = ManyTexts(
        a="Nothing.", b="Employees may\ntake cafe\u0301 breaks.",
        c="\u7b2c\u4e00\u7b2c\u4e8c\u306e\u8cea\u554f\u306f\u3053\u3053\u306b\u3042\u308a\u307e\u3059\u3002 \u304a\u8aad\u307f\u304f\u3060\u3055\u3044\u3002",
        d="Said in both of them, as it is.", e="Yes.Said in both of them, as it is.",
    ).stored()  # fmt: skip
    found = list(stored.elsewhere(Span(quote), apart_from=document))
    assert [(place.document, place.start, place.end) for place in found] == places
