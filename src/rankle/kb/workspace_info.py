"""What a workspace holds, in figures."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rankle.core.errors import WorkspaceError
from rankle.kb.floors import Floor, read_floors
from rankle.kb.ratings import Ratings
from rankle.kb.searchlog import SearchLog
from rankle.kb.store.holdings import collections, languages
from rankle.kb.store.roots import Root, list_failures, list_roots
from rankle.kb.vectors.index import VectorState


@dataclass(frozen=True, slots=True)
class WorkspaceInfo:
    """What a workspace holds."""

    name: str
    folder: Path
    n_documents: int
    n_chunks: int
    n_failures: int
    languages: dict[str, int]
    """Documents per language, most first."""
    collections: dict[str, int]
    """Documents per collection."""
    roots: tuple[Root, ...]
    n_bytes: int
    """On disk."""
    n_searches: int | None
    """In the search log; None where that cannot be read."""
    vectors: VectorState | None
    """None where the workspace has no model."""
    n_ratings: int | None
    """None where they cannot be read."""
    floors: tuple[Floor, ...] = ()
    content: str | None = None
    """Fingerprint of what is indexed, where there are floors, which may have been chosen on another state."""


def read_info(
    connection: sqlite3.Connection,
    *,
    folder: Path,
    name: str,
    vectors: VectorState | None,
    log: SearchLog,
    ratings: Ratings,
) -> WorkspaceInfo:
    """connection: within a transaction."""
    (n_chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    found = collections(connection)
    return WorkspaceInfo(
        name=name,
        folder=folder,
        n_documents=sum(found.values()),
        n_chunks=n_chunks,
        n_failures=len(list_failures(connection)),
        languages=languages(connection),
        collections=found,
        roots=tuple(list_roots(connection)),
        n_bytes=sum(_file_sizes(folder)),
        n_searches=_readable(log.count),
        vectors=vectors,
        n_ratings=_readable(ratings.count),
        floors=read_floors(connection),
    )


def _readable(count: Callable[[], int]) -> int | None:
    try:
        return count()
    except WorkspaceError:
        return None


def _file_sizes(folder: Path) -> Iterator[int]:
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # SQLite drops its side files when the last reader leaves
            yield path.stat().st_size
