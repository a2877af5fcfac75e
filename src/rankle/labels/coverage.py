"""When a chunk covers a labelled passage: apart from scoring by it, which needs numpy."""

from dataclasses import dataclass
from typing import Final

from rankle.core.errors import InputError
from rankle.core.text_range import Range


@dataclass(frozen=True, slots=True)
class Coverage:
    """When a chunk covers a passage: it holds this share of it, or this share of the chunk is the passage."""

    of_span: float = 0.5
    """Share of the passage's characters."""
    of_chunk: float = 0.5
    """Share of the chunk's characters: how a chunk that is a small part of a long passage covers it."""

    def __post_init__(self) -> None:
        """Raises InputError on a share that is none."""
        for name, share in (("of_span", self.of_span), ("of_chunk", self.of_chunk)):
            if not 0 < share <= 1:
                raise InputError(f"{name} must be a share above 0 and up to 1, got {share:g}")

    def holds(self, chunk: Range, span: Range) -> bool:
        both = chunk.overlap(span)
        return both > 0 and (both >= self.of_span * span.length or both >= self.of_chunk * chunk.length)


HALF: Final = Coverage()
