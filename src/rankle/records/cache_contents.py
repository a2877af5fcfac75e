"""What the cache in a store holds, and what of it goes."""

import sqlite3
from dataclasses import dataclass
from typing import Final

DEFAULT_MAX_BYTES: Final = 1_000_000_000
DEFAULT_MAX_AGE_S: Final = 30 * 24 * 60 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLimits:
    """What a cache holds at most."""

    max_bytes: int = DEFAULT_MAX_BYTES
    """Of all values as they are stored."""
    max_age_s: float = DEFAULT_MAX_AGE_S
    """Since a value was made; older ones are not given back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheKind:
    """What the cache holds of one kind."""

    kind: str
    n: int
    n_bytes: int
    took_s: float
    """What it took to make all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheContents:
    """What a cache holds."""

    kinds: tuple[CacheKind, ...]
    """By name; empty for an empty cache."""
    oldest: int | None
    """When its oldest value was made, in seconds since 1970; None for an empty cache."""
    newest: int | None

    @property
    def n(self) -> int:
        return sum(one.n for one in self.kinds)

    @property
    def n_bytes(self) -> int:
        return sum(one.n_bytes for one in self.kinds)


@dataclass(frozen=True, slots=True)
class Removed:
    """What went from a cache."""

    n: int = 0
    n_bytes: int = 0

    def __add__(self, other: "Removed") -> "Removed":
        return Removed(self.n + other.n, self.n_bytes + other.n_bytes)


def read_contents(connection: sqlite3.Connection) -> CacheContents:
    """What it holds, kind by kind."""
    rows = connection.execute(
        "SELECT kind, count(*), sum(size), sum(took_ms) / 1000.0 FROM cache GROUP BY kind ORDER BY kind"
    )
    kinds = tuple(CacheKind(kind=kind, n=n, n_bytes=size, took_s=took) for kind, n, size, took in rows)
    oldest, newest = connection.execute("SELECT min(created), max(created) FROM cache").fetchone()
    return CacheContents(kinds=kinds, oldest=oldest, newest=newest)


def remove_older(connection: sqlite3.Connection, *, before_s: float, kind: str | None = None) -> Removed:
    """Remove what was made before a moment, in seconds since 1970. kind: of this kind only."""
    rows = connection.execute(
        "SELECT id, size FROM cache WHERE created < ? AND (? IS NULL OR kind = ?)", (before_s, kind, kind)
    ).fetchall()
    return _remove(connection, rows)


def remove_beyond(
    connection: sqlite3.Connection, *, max_bytes: int, down_to: int | None = None, kind: str | None = None
) -> Removed:
    """Where it holds more, remove what was used longest ago until the rest fits.

    down_to: bytes that may be left then; None for `max_bytes`. kind: looks at this kind only.
    """
    left = max_bytes if down_to is None else down_to
    (total,) = connection.execute(
        "SELECT coalesce(sum(size), 0) FROM cache WHERE ? IS NULL OR kind = ?", (kind, kind)
    ).fetchone()
    rows: list[tuple[int, int]] = []
    if total > max_bytes:
        by_use = connection.execute(
            "SELECT id, size FROM cache WHERE ? IS NULL OR kind = ? ORDER BY last_used, id", (kind, kind)
        )
        for row in by_use:
            if total <= left:
                break
            rows.append(row)
            total -= row[1]
    return _remove(connection, rows)


def remove_all(connection: sqlite3.Connection, *, kind: str | None = None) -> Removed:
    """Remove everything, or all of one kind."""
    rows = connection.execute(
        "SELECT id, size FROM cache WHERE ? IS NULL OR kind = ?", (kind, kind)
    ).fetchall()
    return _remove(connection, rows)


def _remove(connection: sqlite3.Connection, rows: list[tuple[int, int]]) -> Removed:
    connection.executemany("DELETE FROM cache WHERE id = ?", ((number,) for number, _ in rows))
    return Removed(len(rows), sum(size for _, size in rows))
