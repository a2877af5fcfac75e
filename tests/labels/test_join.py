# ruff: noqa: E501  (messages and names stand as they are printed)
"""Labels joined to a catalog: names, levels, what is unknown, and what is refused."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rankle.core.catalog import Catalog, CatalogDocument
from rankle.core.errors import BadLinesError, CannotMeasureError, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level
from rankle.labels.join import JoinedSet, Target, join_labels

CHUNK_A = "chunk-aaaaaaaaaaaa"
CHUNK_B = "chunk-bbbbbbbbbbbb"
CHUNK_C = "chunk-cccccccccccc"
CATALOG = Catalog(
    documents=(
        CatalogDocument("guide/setup.md", "/docs/guide/setup.md", "abc123" + "0" * 58, "default"),
        CatalogDocument("guide/reset.md", "/docs/guide/reset.md", "abc124" + "0" * 58, "default"),
        CatalogDocument("setup.md", "/docs/setup.md", "ffff00" + "0" * 58, "default"),
        CatalogDocument("caf\u00e9.md", "/docs/caf\u00e9.md", "eeee00" + "0" * 58, "default"),
        CatalogDocument("record-1", None, "dddd00" + "0" * 58, "default"),
    ),
    chunks={CHUNK_A: ("guide/setup.md",), CHUNK_B: ("guide/setup.md",), "p7": ("guide/reset.md",)},
)


def join(
    *labels: Label, folder: str | None = None, level: Level | None = None, catalog: Catalog | None = CATALOG
) -> JoinedSet:
    queries = (EvalQuery("1", "x", labels, line=4),)
    return join_labels(EvalSet("set.jsonl", queries, folder=folder), catalog, level=level)


def targets(joined: JoinedSet) -> list[tuple[str, int, bool]]:
    return [(target.id, target.grade, target.indexed) for target in joined.queries[0].targets]


@pytest.mark.parametrize(
    ("name", "folder", "document"),
    [
        ("guide/setup.md", None, "guide/setup.md"),
        ("./guide/../guide/setup.md", None, "guide/setup.md"),
        ("guide\\setup.md", None, "guide/setup.md"),
        ("/docs/guide/setup.md", None, "guide/setup.md"),
        ("../docs/guide/reset.md", "/sets", "guide/reset.md"),
        ("reset.md", "/docs/guide", "guide/reset.md"),
        ("#abc123", None, "guide/setup.md"),
        ("#abc124" + "0" * 58, None, "guide/reset.md"),
        ("cafe\u0301.md", None, "caf\u00e9.md"),
        ("record-1", "/docs", "record-1"),
    ],
)
def test_a_document_is_known_by_each_of_its_names(name: str, folder: str | None, document: str) -> None:
    joined = join(Label(name), folder=folder)
    assert targets(joined) == [(document, 1, True)]
    assert joined.level is Level.DOCUMENT
    assert (joined.n_labels, joined.n_joined, joined.unknown) == (1, 1, ())


def test_a_name_relative_to_a_linked_folder_is_found(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    document = CatalogDocument("a.md", str(real / "b.md"), "00" * 32, "default")
    joined = join(Label("b.md"), folder=str(tmp_path / "link"), catalog=Catalog((document,), {}))
    assert targets(joined) == [("a.md", 1, True)]


def test_an_exact_id_is_not_confused_with_one_that_only_looks_alike() -> None:
    documents = tuple(CatalogDocument(name, None, "00" * 32, "default") for name in ("a/b", "a//b"))
    assert targets(join(Label("a//b"), catalog=Catalog(documents, {}))) == [("a//b", 1, True)]


def test_a_name_that_fits_several_documents_lists_them() -> None:
    with pytest.raises(BadLinesError) as caught:
        join(Label("setup.md"), folder="/docs/guide")
    assert str(caught.value) == (
        'set.jsonl:4: "setup.md" fits several documents: "guide/setup.md", "/docs/setup.md" (setup.md); '
        "write the name in the quotes of the one that is meant"
    )


SEVERAL = [
    # An id that is also the path of another document beside the set.
    (("a.md", "/am/a.md", "aa" * 32), ("sub/a.md", "/am/sub/a.md", "bb" * 32), "a.md", "/am/sub"),
    # Without a path, or with one that both have, the content tells.
    (("a.md", None, "aa" * 32), ("sub/a.md", "/am/sub/a.md", "bb" * 32), "a.md", "/am/sub"),
    (("a.md", None, "aaaaaa" + "1" * 58), ("b/a.md", "/am/a.md", "aaaaaa" + "2" * 58), "a.md", "/am"),
    # Two contents with one beginning.
    (("x", None, "aaaaaa" + "1" * 58), ("y", None, "aaaaaa" + "2" * 58), "#aaaaaa", None),
]


@pytest.mark.parametrize(("one", "other", "name", "folder"), SEVERAL)
def test_each_name_that_the_fault_offers_means_one_document(
    one: tuple[str, str | None, str], other: tuple[str, str | None, str], name: str, folder: str | None
) -> None:
    documents = tuple(CatalogDocument(*parts, collection="default") for parts in (one, other))
    catalog = Catalog(documents, {})
    with pytest.raises(BadLinesError) as caught:
        join(Label(name), folder=folder, catalog=catalog)
    _, offered = str(caught.value).split(" fits several documents: ")
    names = re.findall(r'"([^"]+)"', offered)
    assert [targets(join(Label(each), folder=folder, catalog=catalog)) for each in names] == [
        [(one[0], 1, True)], [(other[0], 1, True)],
    ]  # fmt: skip


def test_copies_that_no_name_tells_apart_are_said_to_be_so() -> None:
    documents = tuple(CatalogDocument(name, "/docs/a", "aa" * 32, "default") for name in ("./a", "a/."))
    with pytest.raises(BadLinesError, match="fits several documents"):
        join(Label("/docs/a"), catalog=Catalog(documents, {}))


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("setup.md#power", "setup.md"),
        ("guide/setup.md#power", "guide/setup.md"),
        ("file:///docs/guide/reset.md", "guide/reset.md"),
        ("file://localhost/docs/guide/reset.md#top", "guide/reset.md"),
        ("file:///docs/caf%C3%A9.md", "caf\u00e9.md"),
        ("reset.md#", "guide/reset.md"),
        ("setup.mdx#power", "setup.md"),
    ],
)
def test_an_anchor_or_a_url_suggests_the_document_that_it_means(name: str, suggestion: str) -> None:
    (unknown,) = join(
        Label("record-1"), Label(name), folder="/docs/guide" if "reset" in name else None
    ).unknown
    assert (unknown.name, unknown.suggestion) == (name, suggestion)


@pytest.mark.parametrize("unit", ["x", "\u6587", "folder/"])
def test_names_that_join_nothing_are_listed_within_80_columns(unit: str) -> None:
    names = [f"{number}/{unit * 40}.md" for number in range(12)]
    documents = tuple(CatalogDocument(f"docs/{name}", None, "00" * 32, "default") for name in names)
    with pytest.raises(CannotMeasureError) as caught:
        join(*(Label(name) for name in names), catalog=Catalog(documents, {}))
    lines = str(caught.value).splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert "and 11 more" in lines[1]


def test_a_content_id_that_two_copies_share_lists_them() -> None:
    documents = tuple(CatalogDocument(name, None, "abc123" * 10 + "abcd", "default") for name in ("a", "b"))
    with pytest.raises(BadLinesError, match='"#abc123" fits several documents: "a", "b"'):
        join(Label("#abc123"), catalog=Catalog(documents, {}))


@pytest.mark.parametrize("name", ["#abc12", "#ABC123", "abc123", "#999999"])
def test_what_is_no_content_id_of_a_document_joins_nothing(name: str) -> None:
    assert [item.name for item in join(Label(name), Label("guide/setup.md")).unknown] == [name]


@pytest.mark.parametrize(
    ("labels", "asked", "level", "expected"),
    [
        ([Label(CHUNK_A)], None, Level.CHUNK, [(CHUNK_A, 1, True)]),
        ([Label("p7")], None, Level.CHUNK, [("p7", 1, True)]),
        ([Label("p7", Level.CHUNK)], None, Level.CHUNK, [("p7", 1, True)]),
        ([Label(CHUNK_A), Label("gone.md")], None, Level.CHUNK, [(CHUNK_A, 1, True), ("gone.md", 1, False)]),
        ([Label("setup.md"), Label("gone.md")], None, Level.DOCUMENT, [("setup.md", 1, True), ("gone.md", 1, False)]),
        ([Label(CHUNK_A)], Level.DOCUMENT, Level.DOCUMENT, [("guide/setup.md", 1, True)]),
        (
            [Label(CHUNK_A, None, 1), Label(CHUNK_B, None, 3), Label("setup.md", None, 2)],
            Level.DOCUMENT,
            Level.DOCUMENT,
            [("guide/setup.md", 3, True), ("setup.md", 2, True)],
        ),
        (
            [Label(CHUNK_A, None, 1), Label("guide/setup.md", None, 2)],
            Level.DOCUMENT,
            Level.DOCUMENT,
            [("guide/setup.md", 2, True)],
        ),
        (
            [Label(CHUNK_A, None, 2), Label(CHUNK_C)],
            Level.DOCUMENT,
            Level.DOCUMENT,
            [("guide/setup.md", 2, True), (CHUNK_C, 1, False)],
        ),
    ],
)  # fmt: skip
def test_levels(
    labels: list[Label], asked: Level | None, level: Level, expected: list[tuple[str, int, bool]]
) -> None:
    joined = join(*labels, level=asked)
    assert (joined.level, targets(joined)) == (level, expected)


def test_a_set_that_labels_both_needs_the_level() -> None:
    with pytest.raises(InputError) as caught:
        join(Label("setup.md"), Label(CHUNK_A), Label(CHUNK_B))
    assert str(caught.value) == (
        'the set labels both documents (1, such as "setup.md") and chunks (2, such as "chunk-aaaaaaaaaaaa"); '
        "--level document scores all by document"
    )


def test_documents_cannot_be_scored_at_chunk_level() -> None:
    with pytest.raises(InputError) as caught:
        join(Label("setup.md"), level=Level.CHUNK)
    assert str(caught.value) == (
        'labels name documents (1, such as "setup.md"), which cannot be scored at chunk level; '
        "use --level document, or label chunks"
    )


def test_two_names_of_one_document_must_agree() -> None:
    assert targets(join(Label("guide/setup.md"), Label("#abc123"))) == [("guide/setup.md", 1, True)]
    with pytest.raises(BadLinesError) as caught:
        join(Label("guide/setup.md", None, 1), Label("#abc123", None, 2))
    assert str(caught.value) == (
        'set.jsonl:4: "guide/setup.md" and "#abc123" are both guide/setup.md, with relevance 1 and 2; keep one'
    )


def test_a_stated_relevant_set_survives_the_join() -> None:
    joined = join(
        Label(CHUNK_A, None, 2, relevant=False),
        Label(CHUNK_B, None, 0, relevant=True),
        Label("setup.md", None, 1, relevant=False),
        level=Level.DOCUMENT,
    )
    (query,) = joined.queries
    assert query.targets == (
        Target("guide/setup.md", 2, True, ("guide/setup.md",), indexed=True),
        Target("setup.md", 1, False, ("setup.md",), indexed=True),
    )
    assert query.stated_relevant == frozenset({"guide/setup.md"})
    assert query.judgments == {"guide/setup.md": 2, "setup.md": 1}


def test_without_a_stated_set_the_grades_decide() -> None:
    (query,) = join(Label("setup.md", None, 0), Label("guide/setup.md", None, 1)).queries
    assert query.stated_relevant is None
    assert [target.is_relevant for target in query.targets] == [False, True]


def test_unknown_names_come_with_the_nearest_document() -> None:
    joined = join(
        Label("setup.md"), Label("guide/rest.md"), Label(CHUNK_C, Level.CHUNK), level=Level.DOCUMENT
    )
    assert [(item.name, item.line, item.suggestion) for item in joined.unknown] == [
        ("guide/rest.md", 4, "guide/reset.md"),
        (CHUNK_C, 4, None),
    ]
    assert (joined.n_labels, joined.n_joined) == (3, 1)


def test_only_the_first_ten_unknown_names_get_a_suggestion() -> None:
    names = [f"guide/setup{number}.md" for number in range(12)]
    joined = join(Label("setup.md"), *(Label(name) for name in names))
    assert [item.suggestion for item in joined.unknown] == ["guide/setup.md"] * 10 + [None] * 2


def test_chunks_from_elsewhere_point_to_scoring_an_exported_run() -> None:
    with pytest.raises(CannotMeasureError) as caught:
        join(Label(CHUNK_C, Level.CHUNK), Label("chunk-dddddddddddd", Level.CHUNK))
    assert str(caught.value) == (
        "no label of the set joins the index\n"
        '  set: "chunk-cccccccccccc", "chunk-dddddddddddd"\n'
        '  index: "chunk-aaaaaaaaaaaa", "chunk-bbbbbbbbbbbb", "p7"\n'
        "  these chunk ids come from other documents or another chunking. Where the set\n"
        "  has passages beside them: rankle eval check SET --level chunk --fix -o NEW;\n"
        "  else index what it was made on, or score an exported run of the system that\n"
        "  has them: rankle score QRELS RUN"
    )


def test_names_from_elsewhere_show_both_sides() -> None:
    with pytest.raises(CannotMeasureError) as caught:
        join(Label("d41d8cd9"), Label("giude/setup.md"))
    assert str(caught.value) == (
        "no label of the set joins the index\n"
        '  set: "d41d8cd9", "giude/setup.md"\n'
        '  index: "guide/setup.md", "guide/reset.md", "setup.md", "café.md", "record-1"\n'
        '  did you mean "guide/setup.md" by "giude/setup.md"?\n'
        "  index what the set is about (rankle index PATH), or write document ids, or\n"
        "  paths relative to the set; for the ids of another\n"
        "  system, score a run exported from it: rankle score QRELS RUN"
    )


def test_an_empty_index_says_what_to_do_first() -> None:
    with pytest.raises(CannotMeasureError, match=r"nothing is indexed.*rankle index PATH"):
        join(Label("a.md"), catalog=Catalog((), {}))


def test_without_a_catalog_every_name_is_an_id() -> None:
    joined = join(Label("anything"), Label("else", None, 0), catalog=None)
    assert targets(joined) == [("anything", 1, True), ("else", 0, True)]
    assert (joined.level, joined.n_joined, joined.unknown) == (Level.DOCUMENT, 2, ())
    assert join(Label(CHUNK_C), catalog=None).level is Level.CHUNK


def test_a_set_without_labels_joins_at_document_level() -> None:
    joined = join()
    assert (joined.level, joined.n_labels, joined.n_joined) == (Level.DOCUMENT, 0, 0)


@given(
    labels=st.dictionaries(
        st.sampled_from(
            ["guide/setup.md", "#abc124", "/docs/setup.md", "record-1", "gone", CHUNK_A, CHUNK_C]
        ),
        st.integers(-1, 3),
        min_size=1,
    )
)
def test_at_document_level_no_judgment_is_lost_and_none_is_made_up(labels: dict[str, int]) -> None:
    known = {
        "guide/setup.md": "guide/setup.md", "#abc124": "guide/reset.md", "/docs/setup.md": "setup.md",
        "record-1": "record-1", CHUNK_A: "guide/setup.md",
    }  # fmt: skip
    expected: dict[str, int] = {}
    for name, grade in labels.items():
        target = known.get(name, name)
        expected[target] = max(grade, expected.get(target, grade))
    every = [Label(name, None, grade) for name, grade in labels.items()]
    if not known.keys() & labels.keys():
        with pytest.raises(CannotMeasureError):
            join(*every, level=Level.DOCUMENT)
        return
    joined = join(*every, level=Level.DOCUMENT)
    assert joined.queries[0].judgments == expected
    assert joined.n_joined + len(joined.unknown) == joined.n_labels == len(labels)
