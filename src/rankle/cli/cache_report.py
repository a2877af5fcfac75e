"""The cache of evals, in lines for people and members for programs."""

from datetime import UTC, datetime
from typing import Any, Final

from rankle.app.cache import CacheInfo
from rankle.cli.options import count, seconds, shown_path, size
from rankle.core.product import NAME
from rankle.records.cache_contents import Removed
from rankle.records.choosing import stamp_of

_NAMES: Final = {"task": "Tasks", "model": "Models"}


def cache_lines(found: CacheInfo) -> list[str]:
    """A row a kind, then where it is and how old."""
    contents, place = found.contents, shown_path(found.path)
    if not contents.n:
        return [f"Nothing is cached in {place}. Evals fill it: {NAME} run"]
    rows = [("", "Values", "Size", "Took to make")] + [
        (_NAMES.get(one.kind, one.kind), f"{one.n:,}", size(one.n_bytes), seconds(one.took_s))
        for one in contents.kinds
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    assert contents.oldest is not None
    oldest = datetime.fromtimestamp(contents.oldest, UTC).date()
    return [*lines, "", f"{size(contents.n_bytes)} in {place}, the oldest of {oldest}"]


def cache_record(found: CacheInfo) -> dict[str, Any]:
    """The same for programs."""
    contents = found.contents
    return {
        "records": str(found.path),
        "n": contents.n,
        "n_bytes": contents.n_bytes,
        "oldest": _moment(contents.oldest),
        "newest": _moment(contents.newest),
        "kinds": {
            one.kind: {"n": one.n, "n_bytes": one.n_bytes, "took_s": one.took_s} for one in contents.kinds
        },
    }


def clear_question(found: CacheInfo, *, kind: str | None) -> str:
    going = [one for one in found.contents.kinds if kind in (None, one.kind)]
    n, n_bytes = sum(one.n for one in going), sum(one.n_bytes for one in going)
    of = "" if kind is None else f" of {kind}s"
    return f"Remove {count(n, 'value')}{of} ({size(n_bytes)}) from the cache in {shown_path(found.path)}?"


def removed_line(gone: Removed) -> str:
    if not gone.n:
        return "Nothing to remove."
    return f"Removed: {count(gone.n, 'value')}, {size(gone.n_bytes)}."


def _moment(seconds_since: int | None) -> str | None:
    return None if seconds_since is None else stamp_of(datetime.fromtimestamp(seconds_since, UTC))
