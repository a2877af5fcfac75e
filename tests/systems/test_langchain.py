"""Real retrievers of LangChain as systems."""

import asyncio
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from fakes.opened import opened, write_project
from rankle.app.evaluate_systems import evaluate_systems
from rankle.core.evalset import Level
from rankle.core.search import SearchResult

_NUMBER = count()
_RETRIEVERS: Final = """
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore

TEXTS = {"guide/pump.md": "pump with a filter", "guide/filter.md": "filter", "errors.md": "battery"}
asked = []


def documents(query):
    words = query.split()
    found = [(name, sum(word in text.split() for word in words)) for name, text in TEXTS.items()]
    ranked = sorted((each for each in found if each[1]), key=lambda each: -each[1])
    return [Document(page_content=TEXTS[name], metadata={"source": name, "n": n}) for name, n in ranked]


class Words(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        asked.append("sync")
        if query == "explode":
            raise ValueError("the index is on fire")
        return documents(query)


class AsyncWords(Words):
    async def _aget_relevant_documents(self, query, *, run_manager):
        asked.append("async")
        return documents(query)


words, async_words = Words(), AsyncWords()
embedding = DeterministicFakeEmbedding(size=8)  # equal texts have equal vectors, others are far apart
store = InMemoryVectorStore(embedding)
store.add_documents([Document(page_content=text, metadata={"source": name}) for name, text in TEXTS.items()])
vectors = store.as_retriever(search_kwargs={"k": 3})
"""


@pytest.fixture
def module(tmp_path: Path) -> str:
    name = f"langchain_retrievers_{next(_NUMBER)}"
    (tmp_path / f"{name}.py").write_text(_RETRIEVERS, encoding="utf-8")
    return name


def search(folder: Path, name: str, query: str) -> SearchResult:
    with opened(name, cwd=folder) as system:
        return asyncio.run(system.search(query, depth=10, level=Level.DOCUMENT))


@pytest.mark.parametrize(
    ("retriever", "way"), [("words", "sync"), ("async_words", "async"), ("Words", "sync")]
)
def test_a_retriever_is_asked_in_the_way_that_it_implements(
    module: str, tmp_path: Path, retriever: str, way: str
) -> None:
    result = search(tmp_path, f"python:{module}:{retriever}", "pump filter")
    assert [hit.id for hit in result.hits] == ["guide/pump.md", "guide/filter.md"]
    assert [hit.passage.text for hit in result.hits if hit.passage] == ["pump with a filter", "filter"]
    assert __import__(module).asked == [way]


def test_a_vector_store_ranks_by_document_where_its_ids_are_made_up(module: str, tmp_path: Path) -> None:
    write_project(tmp_path, "store", f'uri = "python:{module}:vectors"\ndocument = "metadata.source"')
    result = search(tmp_path, "store", "battery")
    assert result.hits[0].id == "errors.md"
    assert sorted(hit.id for hit in result.hits) == ["errors.md", "guide/filter.md", "guide/pump.md"]
    assert all(hit.chunks and hit.chunks[0] != hit.id for hit in result.hits)


def test_a_vector_store_itself_is_asked_for_as_many_as_are_wanted(module: str, tmp_path: Path) -> None:
    write_project(tmp_path, "store", f'uri = "python:{module}:store"\ndocument = "metadata.source"')
    with opened("store", cwd=tmp_path) as system:
        results = [
            asyncio.run(system.search("battery", depth=depth, level=Level.DOCUMENT)).hits for depth in (1, 3)
        ]
    assert [len(hits) for hits in results] == [1, 3]
    assert results[0][0].id == "errors.md"


def test_scores_in_metadata_are_read_where_they_are_said_to_stand(module: str, tmp_path: Path) -> None:
    write_project(tmp_path, "scored", f'uri = "python:{module}:words"\nscore = "metadata.n"')
    assert [hit.score for hit in search(tmp_path, "scored", "pump filter").hits] == [2.0, 1.0]


def test_it_is_measured_and_its_failures_are_its_own(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    queries = [
        {"query": "pump filter", "relevant": ["guide/filter.md"]},
        {"query": "explode", "relevant": ["errors.md"]},
    ]
    (report,) = evaluate_systems(queries, systems=[f"python:{module}:words"])
    assert report.measures["RR@10"].mean == 0.5
    assert report.queries[1].error == "ValueError: the index is on fire"
