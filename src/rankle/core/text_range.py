"""A range of characters of a document's stored text: what chunks, passages and contexts are made of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """Characters of one document's stored text, at least one."""

    document: str
    start: int
    end: int

    def overlap(self, other: "Range") -> int:
        """Characters that both have."""
        if self.document != other.document:
            return 0
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    @property
    def length(self) -> int:
        return self.end - self.start
