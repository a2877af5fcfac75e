"""Full text against one plain query of SQLite for all of it, and many queries on two threads."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rankle.kb.fulltext import FullText
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_request import SearchRequest
from rankle.kb.session import Session
from rankle.kb.store.database import FILE_NAME, Database
from rankle.kb.text.query import parse_query
from rankle.kb.vectors.index import VectorIndex

WORDS = ("apple", "pear", "plum", "fig", "quince", "cherry", "grape", "melon", "lemon", "lime")
PLAIN = """
    SELECT c.name, d.name, -bm25(fulltext, 2.0, 1.0, 1.0, 0.8, 1.0) AS score
    FROM fulltext JOIN chunks c ON c.id = fulltext.rowid JOIN documents d ON d.id = c.document
    WHERE fulltext MATCH ? AND (? IS NULL OR d.collection = ?)
    ORDER BY score DESC, d.name, c.ordinal
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """1,800 chunks of two words in two collections, most of which score like many others."""
    folder = tmp_path_factory.mktemp("fruit")
    rng = np.random.default_rng(0)
    with KnowledgeBase(folder / "workspace", name="fruit", create=True) as kb:
        for name in ("one", "two"):
            (folder / name).mkdir()
            for number in rng.permutation(100):
                text = "\n\n".join(" ".join(rng.choice(WORDS, size=2)) + "." for _sentence in range(9))
                (folder / name / f"{name}{number}.md").write_text(text, encoding="utf-8")
            kb.index(folder / name, collection=name, chunker="sentence", vectors=False)
    database = Database(folder / "workspace" / FILE_NAME)
    yield database
    database.close()


@pytest.mark.parametrize("collection", [None, "two"])
@pytest.mark.parametrize("limit", [1, 7, 50, 10_000])
@pytest.mark.parametrize("query", ["apple", "pear fig", "quince cherry grape melon"])
def test_the_best_are_those_of_all_matches_in_order_of_score_document_and_place(
    database: Database, query: str, limit: int, collection: str | None
) -> None:
    parsed = parse_query(query, languages=())
    match = " OR ".join(f'"{look.tokens[0]}"' for look in parsed.wanted)
    with database.reading() as connection:
        every = connection.execute(PLAIN, (match, collection, collection)).fetchall()
        found = FullText(connection).search(parsed, limit=limit, collection=collection)
    assert len({score for _chunk, _document, score in every}) < len(every) / 2
    assert [(row.name, row.document, row.score) for row in found.rows] == every[:limit]
    assert found.exhausted == (limit > len(every))


def test_two_threads_find_what_one_finds(database: Database, tmp_path: Path) -> None:
    queries = [f"{one} {other}" for one in WORDS for other in WORDS]
    with database.reading() as connection, database.reading() as beside:
        session = Session(connection, VectorIndex(tmp_path), workspace="fruit")
        asked = [session.prepare(SearchRequest(query, method="fts5")) for query in queries]
        found = session.match_many([*asked, None], beside)
        assert found.pop() is None
        for each, matched in zip(asked, found, strict=True):
            alone = FullText(connection).search(each.query, limit=100)
            assert matched is not None
            assert (matched.rows, matched.exhausted) == alone


def test_nothing_is_found_ahead_in_a_state_that_another_process_wrote_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    document = tmp_path / "docs" / "a.md"
    document.write_text("An apple.", encoding="utf-8")
    with KnowledgeBase(tmp_path / "workspace", name="fruit", create=True) as kb:
        kb.index(tmp_path / "docs", vectors=False)
        database = Database(tmp_path / "workspace" / FILE_NAME)
        with database.reading() as connection:
            session = Session(connection, VectorIndex(tmp_path), workspace="fruit")
            asked = [session.prepare(SearchRequest("apple", method="fts5"))]
            document.write_text("A pear.", encoding="utf-8")
            kb.index(tmp_path / "docs", vectors=False)
            with database.reading() as beside:
                assert session.match_many(asked, beside) == [None]
        database.close()
