"""Look at the cache of evals, and make room in it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rankle.app.runs import records_to_read
from rankle.records.cache_contents import (
    CacheContents,
    Removed,
    read_contents,
    remove_all,
    remove_beyond,
    remove_older,
)
from rankle.records.database import Database


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """The cache in a store."""

    path: Path
    contents: CacheContents


def cache_info(*, records: Path | None = None) -> CacheInfo:
    """What the cache of the project holds. Raises RecordError where the store is missing or cannot be read.

    records: the store; None for the project's.
    """
    with _opened(records) as database, database.reading() as connection:
        return CacheInfo(database.path, read_contents(connection))


def clear_cache(*, kind: str | None = None, records: Path | None = None) -> Removed:
    """Remove all that it holds, or all of one kind, `task` or `model`. Raises as `cache_info` does."""
    with _opened(records) as database:
        with database.writing() as connection:
            gone = remove_all(connection, kind=kind)
        database.give_back_space()
    return gone


def prune_cache(
    *,
    max_age_s: float | None,
    max_bytes: int | None,
    kind: str | None = None,
    records: Path | None = None,
    clock: Callable[[], float] = time.time,
) -> Removed:
    """Remove what is older than `max_age_s`, then what was used longest ago until the rest fits.

    None for no such limit. kind: of this kind only. clock: seconds since 1970. Raises as `cache_info` does.
    """
    gone = Removed()
    with _opened(records) as database:
        with database.writing() as connection:
            if max_age_s is not None:
                gone += remove_older(connection, before_s=clock() - max_age_s, kind=kind)
            if max_bytes is not None:
                gone += remove_beyond(connection, max_bytes=max_bytes, kind=kind)
        database.give_back_space()
    return gone


@contextmanager
def _opened(records: Path | None) -> Iterator[Database]:
    database = Database(records_to_read(records))
    try:
        yield database
    finally:
        database.close()
