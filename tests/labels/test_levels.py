# ruff: noqa: E501, ISC004  (messages stand as they are printed)
"""Which level the labels of a set allow, with passages among them."""

import pytest

from rankle.core.catalog import Catalog, CatalogDocument
from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.labels.join import JoinedSet, join_labels
from rankle.labels.level import Mentioned, choose_level

CHUNK_A, CHUNK_B = "chunk-aaaaaaaaaaaa", "chunk-bbbbbbbbbbbb"
CATALOG = Catalog(
    (
        CatalogDocument("setup.md", "/docs/setup.md", "ab" * 32, "default"),
        CatalogDocument("reset.md", "/docs/reset.md", "cd" * 32, "default"),
    ),
    {CHUNK_A: ("setup.md",), CHUNK_B: ("reset.md",)},
)
DOCUMENT = Label("setup.md", Level.DOCUMENT)
CHUNK = Label(CHUNK_B, Level.CHUNK)
BARE = Label("setup.md", Level.SPAN, 2, span=Span("hold the button"))
BESIDE = Label("setup.md", Level.SPAN, 3, span=Span("let it go"), chunk=CHUNK_A)
STALE = Label("reset.md", Level.SPAN, 1, span=Span("again"), chunk="chunk-cccccccccccc")


def mentioned(*labels: Label) -> list[Mentioned]:
    return [Mentioned(label, label.level) for label in labels]


def join(*labels: Label, level: Level | None = None) -> JoinedSet:
    return join_labels(EvalSet("set.jsonl", (EvalQuery("1", "x", labels),)), CATALOG, level=level)


def test_passages_alone_are_scored_as_passages() -> None:
    assert choose_level(mentioned(BARE, BESIDE)) is Level.SPAN


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            (BARE, CHUNK),
            'the set labels both chunks (1, such as "chunk-bbbbbbbbbbbb") and passages (1, such as "setup.md"); '
            "--level span scores all by passage, --level document scores all by document",
        ),
        (
            (DOCUMENT, BARE, BESIDE),
            'the set labels both documents (1, such as "setup.md") and passages (2, such as "setup.md"); '
            "--level document scores all by document",
        ),
        (
            (DOCUMENT, BARE, CHUNK),
            'the set labels documents (1, such as "setup.md"), chunks (1, such as "chunk-bbbbbbbbbbbb") and '
            'passages (1, such as "setup.md"); --level document scores all by document',
        ),
    ],
    ids=["chunks and passages", "documents and passages", "all three"],
)
def test_a_set_of_several_kinds_needs_the_level(labels: tuple[Label, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        choose_level(mentioned(*labels))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("labels", "asked", "message"),
    [
        ((DOCUMENT, BARE), Level.SPAN, "cannot be scored at span level; use --level document, or label passages"),
        ((DOCUMENT, CHUNK), Level.CHUNK, "cannot be scored at chunk level; use --level document, or label chunks"),
        ((BARE, BESIDE), Level.CHUNK, "labels of passages have no chunk id beside them"),
    ],
)  # fmt: skip
def test_what_the_labels_do_not_allow_is_refused(
    labels: tuple[Label, ...], asked: Level, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        choose_level(mentioned(*labels), asked=asked)
    assert message in str(caught.value)


def test_by_document_passages_and_chunks_count_with_the_highest_grade() -> None:
    (query,) = join(BARE, BESIDE, CHUNK, level=Level.DOCUMENT).queries
    assert query.judgments == {"setup.md": 3, "reset.md": 1}


def test_by_chunk_passages_count_as_the_chunk_beside_them() -> None:
    joined = join(BESIDE, STALE, CHUNK, level=Level.CHUNK)
    assert [(target.id, target.grade, target.indexed) for target in joined.queries[0].targets] == [
        (CHUNK_A, 3, True),
        ("chunk-cccccccccccc", 1, False),
        (CHUNK_B, 1, True),
    ]
    assert [item.name for item in joined.unknown] == ["chunk-cccccccccccc"]
