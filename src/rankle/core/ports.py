"""The ports: what the harness asks of a system, whatever stands behind it."""

from dataclasses import dataclass
from typing import Protocol

from rankle.core.catalog import Catalog
from rankle.core.evalset import Level
from rankle.core.search import SearchResult


@dataclass(frozen=True, slots=True)
class SystemDescription:
    """What a run says about the system it measured."""

    name: str
    """Such as `kb:default`."""
    method: str
    fingerprint: str
    """Changes whenever the system could answer differently; SHA-256 hex."""
    stages: tuple[str, ...]
    """Names of the stages, in the order in which they run."""


class SearchSystem(Protocol):
    """Anything that searches."""

    def describe(self) -> SystemDescription: ...

    def catalog(self) -> Catalog | None:
        """All that the system holds; None where it cannot tell, so that labels join by id alone."""
        ...

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        """The best `depth` distinct targets at `level`, best first; fewer where fewer match.

        Raises SystemFailureError, never returns an empty list in its stead.
        """
        ...
