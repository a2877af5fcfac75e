"""The lexical regression matrix, on a workspace; tests/cli has the same for the command line."""

from collections.abc import Iterator

import pytest

from kb.lexical_matrix import ROWS, Row, files, problems
from rankle.kb.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("matrix")
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with KnowledgeBase(folder / "workspace", name="matrix", create=True) as kb:
        kb.index(folder / "open")
        kb.index(folder / "legal", name="legal", collection="legal")
        yield kb


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.label)
def test_a_query_finds_what_it_must_and_nothing_that_it_must_not(matrix: KnowledgeBase, row: Row) -> None:
    result = matrix.search(row.query, k=1_000, group="document", collection=row.collection)
    assert problems(row, [hit.id for hit in result]) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.label)
def test_every_result_shows_why_it_was_found(matrix: KnowledgeBase, row: Row) -> None:
    for hit in matrix.search(row.query, k=1_000, collection=row.collection):
        assert hit.passage is not None
        assert hit.passage.terms
