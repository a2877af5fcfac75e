"""From ranked chunks to results: folding what repeats, few per document, and never another order."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from rankle.core.evalset import Level
from rankle.kb.candidates import ChunkScore
from rankle.kb.picking import Target, picked, targets
from rankle.kb.search_settings import SearchSettings

TEXTS = {1: "An apple.", 2: "A pear.", 3: "an APPLE", 4: "A plum.", 5: "A pear!", 6: "A fig."}


def read_texts(chunks: Sequence[int]) -> dict[int, str]:
    return {chunk: TEXTS[chunk] for chunk in chunks}


def ranked(*chunks: tuple[int, str]) -> list[ChunkScore]:
    return [
        ChunkScore(chunk, f"c{chunk}", document, -place) for place, (chunk, document) in enumerate(chunks)
    ]


ROWS = ranked((1, "a"), (2, "a"), (3, "b"), (4, "a"), (5, "b"), (6, "a"))


def ids(found: Sequence[Target]) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.id, each.folded) for each in found]


def pick(rows: Sequence[ChunkScore], level: Level, settings: SearchSettings) -> list[Target]:
    return picked(targets(rows, level), level=level, settings=settings, read_texts=read_texts)


def test_what_repeats_a_better_result_is_folded_into_it() -> None:
    assert ids(pick(ROWS, Level.CHUNK, SearchSettings(collapse=True))) == [
        ("c1", ("c3",)), ("c2", ("c5",)), ("c4", ()), ("c6", ()),
    ]  # fmt: skip


def test_a_document_keeps_its_best_chunks() -> None:
    found = pick(ROWS, Level.CHUNK, SearchSettings(per_document=2))
    assert [each.id for each in found] == ["c1", "c2", "c3", "c5"]


def test_what_is_folded_does_not_count_against_its_document() -> None:
    found = pick(ROWS, Level.CHUNK, SearchSettings(collapse=True, per_document=2))
    assert ids(found) == [("c1", ("c3",)), ("c2", ("c5",))]
    rows = ranked((1, "a"), (3, "b"), (4, "b"))
    assert [each.id for each in pick(rows, Level.CHUNK, SearchSettings(collapse=True, per_document=1))] == [
        "c1", "c4",
    ]  # fmt: skip


def test_documents_are_folded_by_their_best_chunks_and_nest_at_most_so_many() -> None:
    rows = ranked((1, "a"), (3, "b"), (2, "a"), (4, "a"), (6, "c"))
    found = pick(rows, Level.DOCUMENT, SearchSettings(collapse=True, per_document=2))
    assert ids(found) == [("a", ("b",)), ("c", ())]
    assert [row.name for row in found[0].rows] == ["c1", "c2"]


def test_without_settings_all_stays_and_no_text_is_read() -> None:
    def no_texts(_chunks: Sequence[int]) -> dict[int, str]:
        raise AssertionError

    found = picked(
        targets(ROWS, Level.CHUNK), level=Level.CHUNK, settings=SearchSettings(), read_texts=no_texts
    )
    assert [each.id for each in found] == ["c1", "c2", "c3", "c4", "c5", "c6"]


@given(
    st.permutations(list(TEXTS)),
    st.lists(st.sampled_from("ab"), min_size=6, max_size=6),
    st.booleans(),
    st.sampled_from([None, 1, 2]),
)
def test_more_chunks_behind_change_nothing_before(
    order: list[int], documents: list[str], collapse: bool, per_document: int | None
) -> None:
    rows = ranked(*zip(order, documents, strict=True))
    settings = SearchSettings(collapse=collapse, per_document=per_document)
    whole = [each.id for each in pick(rows, Level.CHUNK, settings)]
    for n_rows in range(len(rows) + 1):
        some = [each.id for each in pick(rows[:n_rows], Level.CHUNK, settings)]
        assert some == whole[: len(some)]
