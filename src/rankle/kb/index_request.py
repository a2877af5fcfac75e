"""What to index, and how; apart from indexing, which takes parsers that a search does not need."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

DEFAULT_MAX_MB: Final = 50


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """What to index, and how."""

    paths: tuple[Path, ...]
    """Folders and files. Empty: all roots of the workspace again."""
    collection: str | None = None
    """None keeps the collection of a root that is known, else `default`."""
    name: str | None = None
    """Prefix of the document ids of one root."""
    chunker: str | None = None
    """None keeps that of a root that is known, else `heading`."""
    dry_run: bool = False
    max_mb: int = DEFAULT_MAX_MB
    """Larger files are failures, since one such file can take minutes."""
    wait_s: float | None = None
    """How long to wait while another process writes to the workspace; None for 60 seconds."""
