"""How many chunks the stages are asked for, and when enough are known."""

from collections.abc import Sequence

import pytest

from rankle.core.evalset import Level
from rankle.kb.candidates import CandidateList, ChunkScore
from rankle.kb.ranking import Ranking, rank
from rankle.kb.search_request import SearchRequest


class Chunks:
    """A source over chunks whose documents are given, best first. Notes how many it was asked for."""

    def __init__(self, documents: Sequence[str]) -> None:
        self._rows = [ChunkScore(at, f"c{at}", name, -at) for at, name in enumerate(documents)]
        self.limits: list[int] = []

    def __call__(self, limit: int) -> CandidateList:
        self.limits.append(limit)
        return CandidateList("vector", self._rows[:limit], limit >= len(self._rows), 1.0)


def ranked(source: Chunks, *, level: Level, depth: int, n_documents: int) -> Ranking:
    request = SearchRequest("query", level=level, depth=depth)
    return rank(request, "vector", [source], n_documents=n_documents, read_texts=lambda _chunks: {})


def test_chunks_are_asked_for_once() -> None:
    source = Chunks(["a"] * 50)
    ranking = ranked(source, level=Level.CHUNK, depth=10, n_documents=1)
    assert (source.limits, len(ranking.results), ranking.exhausted) == ([10], 10, False)


def test_more_chunks_are_fetched_until_there_are_enough_documents() -> None:
    source = Chunks(["a"] * 40 + ["b"] * 40 + ["c"] * 200)
    ranking = ranked(source, level=Level.DOCUMENT, depth=2, n_documents=3)
    assert source.limits == [6, 24, 96]
    assert [each.id for each in ranking.results] == ["a", "b"]
    assert not ranking.exhausted
    assert ranking.lists[0].took_ms == 3


@pytest.mark.parametrize(("n_documents", "limits"), [(2, [300]), (3, [300, 1200])])
def test_with_all_documents_known_no_further_chunks_are_fetched(n_documents: int, limits: list[int]) -> None:
    source = Chunks(["a", "b"] * 500)
    ranking = ranked(source, level=Level.DOCUMENT, depth=100, n_documents=n_documents)
    assert source.limits == limits
    assert [each.id for each in ranking.results] == ["a", "b"]
    assert ranking.exhausted
