"""Why a target is not on the first page: each reason in a workspace made for it, and exact ranks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.recording_embedder import Models, RecordingEmbedder
from kb.conftest import Bench
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.explanation import Explanation, Loss
from rankle.core.search import SearchResult
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_settings import SearchSettings
from rankle.kb.vectors.choice import DefaultModel


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    docs = tmp_path / "docs"
    docs.mkdir()
    with KnowledgeBase(
        tmp_path / "workspace",
        name="w",
        create=True,
        open_embedder=Models({"fake": RecordingEmbedder()}),
        default_model=lambda: DefaultModel("fake", is_ready=True),
    ) as kb:
        yield Bench(docs, kb)


@pytest.fixture
def apples(bench: Bench) -> Bench:
    """Thirty documents that hold `apple` less and less often, each with a sentence about pears."""
    bench.write(
        **{
            f"d{n:02}": "apple " * (30 - n) + f"{'kiwi' if n == 3 else 'lemon'}. A pear stands here."
            for n in range(30)
        }
    )
    bench.kb.index(bench.docs, chunker="sentence")
    return bench


def standing(found: Explanation) -> dict[str, tuple[int | None, float | None]]:
    return {stage.stage: (stage.rank, stage.score) for stage in found.stages}


@pytest.mark.parametrize("method", ["fts5", "vector", "hybrid"])
@pytest.mark.parametrize("group", ["document", "chunk"])
def test_ranks_and_scores_are_those_of_the_search_at_any_depth(
    apples: Bench, method: str, group: str
) -> None:
    result: SearchResult = apples.kb.search(
        "apple pear", k=60, depth=1_000, method=method, group=group  # type: ignore[arg-type]
    )  # fmt: skip
    assert len(result.hits) > 7
    for hit in result.hits[::7]:
        found = apples.kb.explain("apple pear", target=hit.id, k=5, method=method)
        assert (found.level, found.document, found.rank) == (group, hit.document, hit.rank)
        for stage, told in zip(result.stages, found.stages, strict=True):
            assert (told.stage, told.n_ranked) == (stage.name, len(stage.ranks))
            assert (told.rank, told.score) == tuple(stage.ranks[hit.id])
            order = list(stage.ranks)
            above = None if told.rank == 1 else order[told.rank - 2] if told.rank else None
            assert (told.above.id if told.above else None) == above
            assert told.last_shown is not None
            assert (told.last_shown.id, told.last_shown.rank) == (order[4], 5)
            assert told.last_shown.score == stage.ranks[order[4]].score
        assert (found.lost_at is None) == (hit.rank <= 5)


def test_a_target_is_named_by_id_path_content_id_or_chunk(apples: Bench) -> None:
    document = apples.kb.document("d07.md")
    chunk = apples.kb.chunks(document)[0].name
    names = ["d07.md", str(apples.docs / "d07.md"), f"#{document.content_hash[:8]}"]
    assert {apples.kb.explain("apple", target=name).target for name in names} == {"d07.md"}
    found = apples.kb.explain("apple", target=chunk)
    assert (found.target, found.level, found.document) == (chunk, "chunk", "d07.md")
    with pytest.raises(UnknownNameError, match=r'unknown document "d7\.md"; did you mean "d07\.md"'):
        apples.kb.explain("apple", target="d7.md")
    with pytest.raises(InputError, match='neither a document nor a chunk "chunk-000000000000"'):
        apples.kb.explain("apple", target="chunk-000000000000")
    with pytest.raises(InputError, match="k must be an integer >= 1, got 0"):
        apples.kb.explain("apple", target="d07.md", k=0)


def test_a_file_that_could_not_be_indexed_says_why(apples: Bench) -> None:
    (apples.docs / "bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    apples.kb.index()
    with pytest.raises(InputError, match=r"bad\.pdf is not indexed: "):
        apples.kb.explain("apple", target=str(apples.docs / "bad.pdf"))


def test_on_the_first_page(apples: Bench) -> None:
    found = apples.kb.explain("apple", target="d02.md", method="fts5")
    assert (found.lost_at, found.tries) == (None, ())
    assert found.verdict == f"It stands at rank {found.rank}; the first 10 are shown."


def test_below_the_first_page_for_lack_of_words(apples: Bench) -> None:
    found = apples.kb.explain("apple kiwi zebra", target="d29.md", method="fts5", k=3)
    assert found.lost_at is Loss.BELOW_K
    assert found.rank is not None
    assert found.verdict == (
        f"fts5 ranks it {found.rank}: {found.rank - 1} results stand above it. "
        "Its best chunk lacks kiwi, zebra."
    )
    held = {term.text: (term.n_chunks, term.in_chunk, term.in_document) for term in found.terms}
    assert held == {"apple": (30, True, True), "kiwi": (1, False, False), "zebra": (0, False, False)}


def test_a_term_in_another_chunk_of_the_document_is_told(apples: Bench) -> None:
    chunks = apples.kb.chunks(apples.kb.document("d29.md"))
    found = apples.kb.explain("apple pear", target=chunks[0].name, method="fts5", k=1)
    assert [(term.text, term.in_chunk, term.in_document) for term in found.terms] == [
        ("apple", True, True), ("pear", False, True),
    ]  # fmt: skip


def test_found_by_no_word(apples: Bench) -> None:
    found = apples.kb.explain("zebra", target="d02.md", method="fts5")
    assert (found.lost_at, found.rank) == (Loss.NO_LIST, None)
    assert found.verdict == (
        "None of the query's words stands in it, so full text cannot find it. Try words of the document, or "
        "search by meaning: --method hybrid."
    )
    assert standing(found) == {"fts5": (None, None)}


def test_found_by_no_word_and_without_vectors(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs, vectors=False)
    found = bench.kb.explain("zebra", target="a.md")
    assert "search by meaning: rankle embed, then --method hybrid." in found.verdict


@pytest.mark.parametrize("method", ["fts5", "vector", "hybrid"])
def test_excluded_by_the_query(apples: Bench, method: str) -> None:
    found = apples.kb.explain("apple -pear -lemon", target="d02.md", method=method)
    assert found.lost_at is Loss.EXCLUDED
    assert found.verdict == "It holds what the query excludes: -pear, -lemon. Try without that."
    assert {rank for rank, _score in standing(found).values()} == {None}


def test_nothing_to_search_for(apples: Bench) -> None:
    found = apples.kb.explain("?!", target="d02.md")
    assert (found.lost_at, found.terms) == (Loss.NO_TERM, ())


def test_in_another_collection(apples: Bench, tmp_path: Path) -> None:
    (tmp_path / "law").mkdir()
    (tmp_path / "law" / "law.md").write_text("An apple.")
    apples.kb.index(tmp_path / "law", collection="law")
    found = apples.kb.explain("apple", target="law.md", collection="default")
    assert found.lost_at is Loss.ELSEWHERE
    assert found.verdict == (
        'It lies in the collection "law", and only "default" was searched. Try --collection law, or without.'
    )


def test_folded_into_a_better_result(bench: Bench) -> None:
    bench.write(a="An apple.", b="an apple", c="Apple and pear.")
    bench.kb.index(bench.docs)
    settings = SearchSettings(collapse=True)
    (folded,) = (hit for hit in bench.kb.search("apple", collapse=True, group="document") if hit.folded)
    found = bench.kb.explain("apple", target=folded.folded[0], settings=settings)
    assert (found.lost_at, found.rank) == (Loss.FOLDED, None)
    assert found.verdict.startswith(f"It nearly repeats {folded.id} at rank {folded.rank}, and was folded ")
    assert [stage.stage for stage in found.stages] == ["fts5", "vector", "fusion", "cut"]


def test_cut_for_better_chunks_of_its_document(bench: Bench) -> None:
    bench.write(a="Apple apple. Apple here.")
    bench.kb.index(bench.docs, chunker="sentence")
    first, second = bench.kb.search("apple")
    settings = SearchSettings(per_document=1)
    assert bench.kb.explain("apple", target=first.id, settings=settings).lost_at is None
    found = bench.kb.explain("apple", target=second.id, settings=settings)
    assert found.lost_at is Loss.CUT
    assert found.verdict == (
        "It is ranked 2, but better chunks of its document fill the 1 that --per-document leaves. "
        "Try a larger number."
    )
