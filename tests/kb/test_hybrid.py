"""Searching by vectors and by both: stages, filters, methods, settings, and many queries at once."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.recording_embedder import Models, RecordingEmbedder
from kb.conftest import Bench
from kb.texts import mixed_texts
from rankle.core.embedding import Vectors
from rankle.core.errors import InputError, ModelError, WorkspaceError
from rankle.core.evalset import Level
from rankle.core.search import SearchResult
from rankle.kb.fusion import Fusion
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_request import SearchRequest
from rankle.kb.search_settings import SearchSettings
from rankle.kb.vectors.choice import DefaultModel

WORDS = ("apple", "pear", "plum", "fig", "quince", "cherry", "grape", "melon", "lemon", "lime")


class QueryEmbedder(RecordingEmbedder):
    """Notes the queries, and goes wrong where a test wants it to."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[str] = []
        self.n_calls = 0
        self.answer: Callable[[Sequence[str], Vectors], Vectors] = lambda _texts, vectors: vectors

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.n_calls += 1
        self.queries += texts
        return self.answer(texts, super().embed_queries(texts))


@pytest.fixture(scope="module")
def embedder() -> QueryEmbedder:
    return QueryEmbedder()


@pytest.fixture
def fake(embedder: QueryEmbedder) -> QueryEmbedder:
    """The same for all tests, forgetful between them."""
    embedder.__init__()  # type: ignore[misc]
    return embedder


@pytest.fixture
def bench(tmp_path: Path, fake: QueryEmbedder) -> Iterator[Bench]:
    docs = tmp_path / "docs"
    docs.mkdir()
    with _opened(tmp_path / "workspace", fake) as kb:
        yield Bench(docs, kb)


def _opened(folder: Path, embedder: QueryEmbedder) -> KnowledgeBase:
    return KnowledgeBase(
        folder,
        name="workspace",
        create=True,
        open_embedder=Models({"fake": embedder}),
        default_model=lambda: DefaultModel("fake", is_ready=True),
    )


@pytest.fixture(scope="module")
def fruit(tmp_path_factory: pytest.TempPathFactory, embedder: QueryEmbedder) -> KnowledgeBase:
    """Sixty documents of a few sentences, in two collections."""
    folder = tmp_path_factory.mktemp("fruit")
    rng = np.random.default_rng(0)
    for name, n_documents in (("one", 40), ("two", 20)):
        (folder / name).mkdir()
        for number in range(n_documents):
            text = " ".join(
                " ".join(rng.choice(WORDS, size=4)).capitalize() + "." for _ in range(rng.integers(2, 6))
            )
            (folder / name / f"{name}{number:02}.md").write_text(text)
    with _opened(folder / "workspace", embedder) as kb:
        for name in ("one", "two"):
            kb.index(folder / name, collection=name, name=name, chunker="sentence")
    return kb


def run(kb: KnowledgeBase, query: str, **options: object) -> SearchResult:
    return asyncio.run(kb.run(SearchRequest(query, **options)))  # type: ignore[arg-type]


def test_every_hit_has_its_rank_and_score_in_each_stage(fruit: KnowledgeBase) -> None:
    result = fruit.search("apple pear", k=5)
    assert (result.method, [stage.name for stage in result.stages]) == (
        "hybrid", ["fts5", "vector", "fusion"],
    )  # fmt: skip
    alone = {method: run(fruit, "apple pear", method=method) for method in ("fts5", "vector")}
    for stage in result.stages[:2]:
        (own,) = alone[stage.name].stages
        assert [own.name, list(own.ranks.items())] == [stage.name, list(stage.ranks.items())]
    for hit in result:
        assert result.stages[2].ranks[hit.id] == (hit.rank, hit.score)
    assert len(result.stages[2].ranks) == 100
    assert {result.hits[0].id} <= {*result.stages[0].ranks} | {*result.stages[1].ranks}
    assert [stage.exhausted for stage in result.stages] == [
        alone["fts5"].stages[0].exhausted, False, False,
    ]  # fmt: skip


def test_vectors_find_every_chunk_and_the_nearest_first(bench: Bench) -> None:
    bench.write(a="apple pie", b="apple", c="zebra")
    bench.kb.index(bench.docs)
    result = bench.kb.search("apple", method="vector")
    assert [hit.document for hit in result] == ["b.md", "a.md", "c.md"]
    assert result[0].score > result[1].score > result[2].score
    assert result.stages[0].exhausted
    assert not bench.kb.search("apple", method="vector", k=2, depth=2).stages[0].exhausted


def test_equal_vectors_come_in_the_order_of_document_and_place(bench: Bench) -> None:
    for stem in ("b", "c", "a"):
        bench.write(**{stem: "---\ntitle: The same\n---\nThe same. The same."})
        bench.kb.index(bench.docs, chunker="sentence")
    hits = bench.kb.search("other words", method="vector").hits
    assert len({hit.score for hit in hits}) == 1
    assert [hit.document for hit in hits] == ["a.md", "a.md", "b.md", "b.md", "c.md", "c.md"]
    places = [hit.passage.start for hit in hits if hit.passage]
    assert all(first < second for first, second in zip(places[::2], places[1::2], strict=True))


@pytest.mark.parametrize("method", ["vector", "hybrid"])
def test_the_first_hits_do_not_depend_on_the_depth(fruit: KnowledgeBase, method: str) -> None:
    for level in (Level.CHUNK, Level.DOCUMENT):
        for candidates in (3, 20, 1_000):
            fusion = SearchSettings(Fusion(candidates=candidates))
            options = {"method": method, "level": level, "settings": fusion}
            whole = run(fruit, "apple melon -fig", depth=10**30, **options)
            for depth in (1, 5, 30, 90):
                some = run(fruit, "apple melon -fig", depth=depth, **options)
                assert [(hit.id, hit.score) for hit in some] == [(hit.id, hit.score) for hit in whole][:depth]
                assert some.stages[-1].exhausted == (len(whole) <= depth)


@pytest.mark.parametrize("method", ["vector", "hybrid", "fts5"])
def test_filters_apply_in_every_stage(fruit: KnowledgeBase, method: str) -> None:
    result = run(
        fruit, 'apple -pear -"fig fig"', method=method, collection="two", depth=1_000, n_passages=999
    )
    assert result.hits
    for hit in result:
        assert hit.document.startswith("two/")
        assert hit.passage is not None
        assert "pear" not in hit.passage.text.lower()
        assert "fig fig" not in hit.passage.text.lower()
    if method == "hybrid":
        found = {*result.stages[0].ranks}, {*result.stages[1].ranks}, {*result.stages[2].ranks}
        assert found[0] <= found[1] == found[2]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("how do I reset it?", "how do I reset it?"),
        ('  two  spaces\tand "a phrase"  ', "two spaces and a phrase"),
        ("apple -pie conf* -“a pie”", "apple conf"),
        ("-k is ignored", "-k is ignored"),
        ("DEC-0054 a * b", "DEC-0054 a * b"),
        ("Ｆｕｌｌ width", "Ｆｕｌｌ width"),
        ('5" disk', '5" disk'),
    ],
)
def test_the_model_reads_the_query_without_its_operators(
    bench: Bench, fake: QueryEmbedder, query: str, text: str
) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    bench.kb.search(query)
    assert fake.queries == [text]


@pytest.mark.parametrize("method", ["vector", "hybrid"])
def test_a_query_without_a_term_is_not_embedded_and_finds_nothing(
    bench: Bench, fake: QueryEmbedder, method: str
) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    result = bench.kb.search("?!", method=method)
    assert (result.hits, result.notices) == ((), ("the query holds no letter or digit to search for",))
    assert fake.queries == []


def test_with_no_method_the_best_that_the_workspace_has_is_used(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs, vectors=False)
    assert (bench.kb.search("apple").method, bench.kb.search("apple").notices) == ("fts5", ())
    bench.kb.embed("fake")
    assert (bench.kb.search("apple").method, bench.kb.search("apple").notices) == ("hybrid", ())
    bench.write(b="apple")
    bench.kb.index(vectors=False)
    result = bench.kb.search("apple")
    assert result.method == "fts5"
    (notice,) = result.notices
    assert notice == (
        "searched by full text alone: only 1 of 2 chunks have a vector. Bring them up to date: "
        "rankle embed -w workspace"
    )


@pytest.mark.parametrize("method", ["vector", "hybrid"])
def test_a_method_that_was_asked_for_never_falls_back(bench: Bench, method: str) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs, vectors=False)
    with pytest.raises(WorkspaceError, match=r"has no vectors\. Make them: rankle embed"):
        bench.kb.search("apple", method=method)
    bench.kb.embed("fake")
    bench.write(b="apple", c="apple")
    bench.kb.index(vectors=False)
    with pytest.raises(WorkspaceError, match=r"2 of 3 chunks have no vector\. Make them: rankle embed"):
        bench.kb.search("apple", method=method)
    assert bench.kb.search("apple", method="fts5").notices == ()


def test_what_changed_is_found_at_once(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    assert len(bench.kb.search("apple", method="vector")) == 1
    bench.write(b="apple", a="pear")
    bench.kb.index()
    assert [hit.document for hit in bench.kb.search("apple", method="vector")] == ["b.md", "a.md"]


def test_settings_of_the_fusion_are_refused_where_nothing_is_fused(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    with pytest.raises(InputError, match="settings of method hybrid, and this search was made with fts5"):
        bench.kb.search("apple", method="fts5", fusion="rrf")
    assert bench.kb.search("apple", vector_weight=1).hits
    with pytest.raises(InputError, match="vector weight must be a number in 0 to 1, got 2"):
        bench.kb.search("apple", vector_weight=2)
    with pytest.raises(InputError, match="chunks per document must be an integer >= 1, got 0"):
        bench.kb.search("apple", per_document=0)


def test_weights_move_the_order(bench: Bench) -> None:
    bench.write(words="apple apple apple pear plum fig", near="Apple's pie")
    bench.kb.index(bench.docs)
    first = {weight: bench.kb.search("apple pie", vector_weight=weight)[0].document for weight in (0, 1)}
    for weight, method in ((0, "fts5"), (1, "vector")):
        assert first[weight] == bench.kb.search("apple pie", method=method)[0].document


@pytest.mark.parametrize("method", ["fts5", "vector", "hybrid"])
def test_results_that_repeat_a_better_one_are_folded_and_the_stage_cut_says_what_is_left(
    bench: Bench, method: str
) -> None:
    bench.write(a="An apple.", b="an apple", c="Apple and pear.", d="AN APPLE!")
    bench.kb.index(bench.docs)
    plain = bench.kb.search("apple", method=method)
    assert "cut" not in [stage.name for stage in plain.stages]
    result = bench.kb.search("apple", method=method, collapse=True)
    assert len(plain) == 4
    assert {hit.document for hit in result} == {plain[0].document, "c.md"}
    folded = {name for hit in result for name in hit.folded}
    assert folded == {hit.id for hit in plain} - {hit.id for hit in result}
    assert [stage.name for stage in result.stages] == [*(stage.name for stage in plain.stages), "cut"]
    assert list(result.stages[-1].ranks) == [hit.id for hit in result]
    assert [hit.rank for hit in result] == [1, 2]
    assert len(result.stages[-2].ranks) == 4


@pytest.mark.parametrize("method", ["fts5", "vector", "hybrid"])
def test_at_most_so_many_chunks_of_a_document_and_still_as_many_results(
    fruit: KnowledgeBase, method: str
) -> None:
    plain = run(fruit, "apple pear", method=method, depth=20)
    few = run(fruit, "apple pear", method=method, depth=20, settings=SearchSettings(per_document=1))
    documents = [hit.document for hit in few]
    assert len(documents) == len(set(documents)) == 20
    assert (
        documents
        == list(dict.fromkeys(hit.document for hit in run(fruit, "apple pear", method=method, depth=999)))[
            :20
        ]
    )
    assert few[0].id == plain[0].id


QUERIES = ["apple pear", "?!", "fig -apple", '"melon lime"', "zebra", "lem*", "apple pear", ""]


def same(one: SearchResult, other: SearchResult) -> bool:
    """But for the times; with the order of what the stages ranked."""

    def timeless(result: SearchResult) -> SearchResult:
        return replace(result, took_ms=0, stages=tuple(replace(stage, took_ms=0) for stage in result.stages))

    orders = [[list(stage.ranks) for stage in result.stages] for result in (one, other)]
    return timeless(one) == timeless(other) and orders[0] == orders[1]


@pytest.mark.parametrize("method", ["fts5", "vector", "hybrid", None])
@pytest.mark.parametrize("level", [Level.CHUNK, Level.DOCUMENT])
def test_a_batch_gives_exactly_what_each_query_gives_alone(
    fruit: KnowledgeBase, method: str | None, level: Level
) -> None:
    requests = [
        SearchRequest(query, level=level, depth=depth, method=method, collection=collection)
        for query in QUERIES
        for collection in (None, "two")
        for depth in (3, 100)
    ]
    together = asyncio.run(fruit.run_batch(requests))
    for request, result in zip(requests, together, strict=True):
        assert isinstance(result, SearchResult)
        assert same(result, asyncio.run(fruit.run(request)))


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(mixed_texts(max_size=40), max_size=4))
def test_any_texts_are_a_valid_batch(fruit: KnowledgeBase, texts: list[str]) -> None:
    with fruit:
        together = asyncio.run(fruit.run_batch([SearchRequest(text, depth=5) for text in texts]))
    assert [isinstance(result, SearchResult) for result in together] == [True] * len(texts)


def test_threads_search_at_once(fruit: KnowledgeBase) -> None:
    alone = [run(fruit, word, depth=20) for word in WORDS]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda word: run(fruit, word, depth=20), WORDS * 5))
    assert all(same(one, other) for one, other in zip(together, alone * 5, strict=True))


def test_a_batch_embeds_its_queries_in_few_calls(fruit: KnowledgeBase, fake: QueryEmbedder) -> None:
    results = asyncio.run(
        fruit.run_batch([SearchRequest(f"{word} {n}") for word in WORDS for n in range(20)])
    )
    assert len(results) == len(fake.queries) == 200
    assert fake.n_calls == 4
    assert asyncio.run(fruit.run_batch([])) == []


def _fails_on(*words: str) -> Callable[[Sequence[str], Vectors], Vectors]:
    def answer(texts: Sequence[str], vectors: Vectors) -> Vectors:
        if any(word in text for text in texts for word in words):
            raise ModelError("too hot")
        return vectors

    return answer


def test_a_query_that_the_model_cannot_take_costs_only_itself(
    fruit: KnowledgeBase, fake: QueryEmbedder
) -> None:
    fake.answer = _fails_on("fig", "lime")
    results = asyncio.run(fruit.run_batch([SearchRequest(word) for word in WORDS]))
    failed = [word for word, result in zip(WORDS, results, strict=True) if isinstance(result, ModelError)]
    assert failed == ["fig", "lime"]
    with pytest.raises(ModelError, match="too hot"):
        fruit.search("fig")
    assert fruit.search("fig", method="fts5").hits


def test_where_no_method_was_asked_for_a_model_that_fails_is_an_error_that_says_what_does_without(
    fruit: KnowledgeBase, fake: QueryEmbedder
) -> None:
    fake.answer = _fails_on("fig")
    with pytest.raises(ModelError, match=r"^too hot\nTo search without the model: --method fts5$"):
        fruit.search("fig")
    with pytest.raises(ModelError, match=r"^too hot$"):
        fruit.search("fig", method="hybrid")


def test_a_model_that_is_down_is_not_asked_for_every_query(fruit: KnowledgeBase, fake: QueryEmbedder) -> None:
    fake.answer = _fails_on("")
    results = asyncio.run(fruit.run_batch([SearchRequest(f"apple {n}") for n in range(300)]))
    assert all(isinstance(result, ModelError) for result in results)
    assert len(results) == 300
    assert fake.n_calls == 4


def _with_nan(_texts: Sequence[str], vectors: Vectors) -> Vectors:
    vectors[0, 0] = np.nan
    return vectors


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (_with_nan, r"fake gave a query's vector a value that is no number\. Check the model"),
        (lambda _texts, vectors: vectors[:, :8], r"of shape \(1, 8\) for 1 queries, not \(1, 64\)"),
        (lambda _texts, vectors: vectors[:0], r"of shape \(0, 64\) for 1 queries, not \(1, 64\)"),
    ],
    ids=["nan", "dimensions", "none"],
)
def test_what_is_no_vector_is_no_answer(
    fruit: KnowledgeBase,
    fake: QueryEmbedder,
    answer: Callable[[Sequence[str], Vectors], Vectors],
    message: str,
) -> None:
    fake.answer = answer
    with pytest.raises(ModelError, match=message):
        fruit.search("apple")


def test_the_time_of_embedding_is_part_of_the_vector_stage(fruit: KnowledgeBase, fake: QueryEmbedder) -> None:
    result = fruit.search("apple")
    assert result.took_ms >= sum(stage.took_ms for stage in result.stages) > 0
    (batched,) = asyncio.run(fruit.run_batch([SearchRequest("apple")]))
    assert isinstance(batched, SearchResult)
    assert batched.took_ms > 0
