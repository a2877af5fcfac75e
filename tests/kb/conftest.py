"""A workspace over a folder of files, as most tests of the knowledge base need it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rankle.kb.knowledge_base import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder of documents, and a workspace that knows nothing of it yet."""

    docs: Path
    kb: KnowledgeBase

    def write(self, **texts: str) -> None:
        """Writes documents by their stem."""
        for stem, text in texts.items():
            (self.docs / f"{stem}.md").write_text(text, encoding="utf-8")

    def found(self, query: str) -> list[str]:
        """Ids of the documents that a query finds, best first."""
        return [hit.id for hit in self.kb.search(query, k=100, group="document")]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    docs = tmp_path / "docs"
    docs.mkdir()
    with KnowledgeBase(tmp_path / "workspace", name="bench", create=True) as kb:
        yield Bench(docs, kb)
