"""Which chunks a search may find."""

from typing import NamedTuple

from rankle.kb.text.query import Lookup


class Scope(NamedTuple):
    """Which chunks may be results at all."""

    collection: str | None = None
    """None for all."""
    excluded: tuple[Lookup, ...] = ()
    """No chunk that any of these matches."""
