"""The knowledge base as a measured system: what it says of itself, batches, failures of one query."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fakes.recording_embedder import Models, RecordingEmbedder
from rankle.core.embedding import Vectors
from rankle.core.errors import ModelError, SystemFailureError, UnknownNameError, WorkspaceError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, BatchSearchSystem
from rankle.core.search import SearchResult
from rankle.kb.floors import Floor
from rankle.kb.fulltext import FieldWeights
from rankle.kb.fusion import Fusion
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_settings import SearchSettings
from rankle.systems.knowledge_base import KnowledgeBaseSystem


class _Moody(RecordingEmbedder):
    """Fails on queries that hold `plum`."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        if any("plum" in text for text in texts):
            raise ModelError("no plums")
        return super().embed_queries(texts)


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    docs = tmp_path / "docs"
    docs.mkdir()
    for place, text in enumerate(("apple pie", "apple and pear", "plum")):
        (docs / f"d{place}.md").write_text(text)
    models = Models({"fake": _Moody(), "fake:8": _Moody(dimensions=8)})
    with KnowledgeBase(tmp_path / "w", name="w", create=True, open_embedder=models) as kb:
        kb.index(docs)
        yield kb


def test_without_vectors_the_best_method_is_full_text(kb: KnowledgeBase) -> None:
    described = KnowledgeBaseSystem(kb).describe()
    assert (described.name, described.method, described.stages) == ("kb:w", "fts5", ("fts5",))
    for method in ("vector", "hybrid"):
        with pytest.raises(WorkspaceError, match="has no vectors"):
            KnowledgeBaseSystem(kb, method=method)
    with pytest.raises(UnknownNameError, match='unknown method "vectr"; did you mean "vector"'):
        KnowledgeBaseSystem(kb, method="vectr")


def test_it_says_what_it_is_made_of(kb: KnowledgeBase, tmp_path: Path) -> None:
    words = KnowledgeBaseSystem(kb).describe().parts
    assert dict(words) == {"index": kb.fingerprint()}
    kb.embed("fake")
    before = KnowledgeBaseSystem(kb, method="hybrid").describe().parts
    assert (before["model"], before["index"]) == ("fake", kb.fingerprint())
    assert "model" not in KnowledgeBaseSystem(kb, method="fts5").describe().parts
    kb.embed("fake:8")
    after = KnowledgeBaseSystem(kb, method="hybrid").describe().parts
    assert after["model"] == "fake:8"
    assert after["model_fingerprint"] != before["model_fingerprint"]


def test_it_says_why_the_best_method_is_not_a_better_one(kb: KnowledgeBase, tmp_path: Path) -> None:
    assert KnowledgeBaseSystem(kb).describe().notices == ()
    kb.embed("fake")
    assert KnowledgeBaseSystem(kb).describe().notices == ()
    (tmp_path / "docs" / "new.md").write_text("a fig")
    kb.index(tmp_path / "docs", vectors=False)
    (notice,) = KnowledgeBaseSystem(kb).describe().notices
    assert notice.startswith("searched by full text alone: only 3 of 4 chunks have a vector")
    assert KnowledgeBaseSystem(kb, method="fts5").describe().notices == ()


def test_it_tells_the_settings_that_its_method_looks_at(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    settings = SearchSettings(Fusion("rrf", candidates=7), per_document=2)
    hybrid, words = (KnowledgeBaseSystem(kb, method=name, settings=settings) for name in ("hybrid", "fts5"))
    assert dict(hybrid.describe().settings)["fusion"] == {
        "kind": "rrf", "vector_weight": 0.5, "candidates": 7, "rrf_k": 60.0,
    }  # fmt: skip
    assert "fusion" not in words.describe().settings
    assert words.describe().settings["per_document"] == 2


def test_with_vectors_it_is_hybrid_with_all_stages(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    described = KnowledgeBaseSystem(kb).describe()
    assert (described.method, described.stages) == ("hybrid", ("fts5", "vector", "fusion"))
    cut = KnowledgeBaseSystem(kb, method="vector", settings=SearchSettings(collapse=True))
    assert cut.describe().stages == ("vector", "cut")


def fingerprint(kb: KnowledgeBase, method: str, settings: SearchSettings = SearchSettings()) -> str:  # noqa: B008
    return KnowledgeBaseSystem(kb, method=method, settings=settings).describe().fingerprint


def test_the_fingerprint_changes_with_whatever_could_change_the_results(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    settings = [
        SearchSettings(),
        SearchSettings(Fusion("rrf")),
        SearchSettings(Fusion(vector_weight=0.3)),
        SearchSettings(Fusion(candidates=99)),
        SearchSettings(Fusion("rrf", rrf_k=10)),
        SearchSettings(collapse=True),
        SearchSettings(per_document=1),
        SearchSettings(weights=FieldWeights(title=9)),
    ]
    found = [fingerprint(kb, "hybrid", each) for each in settings]
    found += [fingerprint(kb, "vector"), fingerprint(kb, "fts5")]
    kb.embed("fake:8")
    found.append(fingerprint(kb, "hybrid"))
    assert len(set(found)) == len(found) == 11


def test_the_fingerprint_does_not_change_with_what_a_method_does_not_look_at(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    rrf, titles = SearchSettings(Fusion("rrf")), SearchSettings(weights=FieldWeights(title=9))
    assert fingerprint(kb, "vector", rrf) == fingerprint(kb, "vector", titles) == fingerprint(kb, "vector")
    assert fingerprint(kb, "fts5", rrf) == fingerprint(kb, "fts5")
    default = SearchSettings(Fusion(vector_weight=0.4))
    assert fingerprint(kb, "hybrid", default) == fingerprint(kb, "hybrid")


def test_a_batch_answers_like_single_searches_and_a_failure_names_its_query_only(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    system: BatchSearchSystem = KnowledgeBaseSystem(kb)
    asks = [Ask("apple"), Ask("plum pie"), Ask("pear", "default")]
    first, second, third = asyncio.run(system.search_batch(asks, depth=2, level=Level.DOCUMENT))
    assert isinstance(second, SystemFailureError)
    assert str(second) == "no plums"
    for ask, result in ((asks[0], first), (asks[2], third)):
        alone = asyncio.run(
            system.search(ask.query, depth=2, level=Level.DOCUMENT, collection=ask.collection)
        )
        assert isinstance(result, SearchResult)
        assert result.hits == alone.hits
        assert len(result) == 2
    with pytest.raises(SystemFailureError, match="no plums"):
        asyncio.run(system.search("plum pie", depth=2, level=Level.DOCUMENT))
    full_text = KnowledgeBaseSystem(kb, method="fts5")
    assert asyncio.run(full_text.search("plum pie", depth=2, level=Level.DOCUMENT)).hits


def test_an_unknown_collection_is_the_askers_mistake(kb: KnowledgeBase) -> None:
    system = KnowledgeBaseSystem(kb)
    with pytest.raises(UnknownNameError, match='unknown collection "defalt"; did you mean "default"'):
        asyncio.run(system.search_batch([Ask("apple", "defalt")], depth=2, level=Level.CHUNK))


def floor_of(system: KnowledgeBaseSystem, value: float) -> Floor:
    return Floor(method=system.method, value=value, chosen="2026-11-30T09:00:00Z", basis=system.basis())


def test_the_floor_of_its_method_stands_in_the_description_the_settings_and_the_fingerprint(
    kb: KnowledgeBase,
) -> None:
    kb.embed("fake")
    plain = KnowledgeBaseSystem(kb, method="fts5")
    kb.floors.keep(floor_of(plain, 0.5))
    floored = KnowledgeBaseSystem(kb, method="fts5").describe()
    assert (floored.floor, floored.settings["floor"], floored.notices) == (0.5, 0.5, ())
    assert "floor" not in plain.describe().settings
    assert floored.fingerprint != plain.describe().fingerprint
    assert KnowledgeBaseSystem(kb, method="hybrid").describe().floor is None
    kb.floors.keep(floor_of(plain, 0.75))
    assert KnowledgeBaseSystem(kb, method="fts5").describe().fingerprint != floored.fingerprint
    kb.floors.clear("fts5")
    assert KnowledgeBaseSystem(kb, method="fts5").describe() == plain.describe()


def test_a_floor_for_scores_of_another_basis_is_not_used_and_that_is_said(kb: KnowledgeBase) -> None:
    kb.embed("fake")
    kb.floors.keep(floor_of(KnowledgeBaseSystem(kb, method="hybrid"), 0.5))
    cuts = KnowledgeBaseSystem(kb, method="hybrid", settings=SearchSettings(collapse=True, per_document=2))
    assert cuts.describe().floor == 0.5
    other = KnowledgeBaseSystem(kb, method="hybrid", settings=SearchSettings(Fusion("rrf"))).describe()
    assert (other.floor, "floor" in other.settings) == (None, False)
    (notice,) = other.notices
    assert notice.startswith("the floor of hybrid (0.5) is for scores of another model or of other settings")
    kb.embed("fake:8")
    assert KnowledgeBaseSystem(kb, method="hybrid").describe().floor is None
