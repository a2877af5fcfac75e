"""The texts of the built-in knowledge base, for labels of passages."""

from collections.abc import Mapping

from rankle.core.text_range import Range
from rankle.kb.knowledge_base import KnowledgeBase


class KnowledgeBasePassages:
    """One workspace, whatever method would search it. Implements `core.ports.PassageSource`."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb

    def text(self, document: str) -> str:
        return self._kb.stored_text(document)

    def chunk_places(self) -> Mapping[str, Range]:
        return self._kb.chunk_places()
