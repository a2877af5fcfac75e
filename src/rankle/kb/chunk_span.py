"""Where in its document a chunk stands; apart from what cuts and parses, which reading needs not."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """`text[start:end]` of the stored text is the chunk: neither empty nor with white space at its ends."""

    start: int
    end: int
    breadcrumb: tuple[str, ...]
    """Headings above the start of the chunk, outermost first; those that it opens with included."""
    page: int | None
    """The page on which it starts, from 1; None where the format has no pages."""
    line_start: int
    """Line of the first character, from 1."""
    line_end: int
    """Line of the last character."""
