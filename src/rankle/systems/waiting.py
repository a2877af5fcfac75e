"""How long a search waited for our own limits, which is no latency of what is measured."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rankle.core.search import SearchResult


@dataclass(slots=True)
class Waited:
    """Of one search: the sum over its requests."""

    seconds: float = 0.0
    clock: Callable[[], float] = field(default=time.perf_counter)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Around what is waited for."""
        began = self.clock()
        try:
            yield
        finally:
            self.seconds += self.clock() - began

    def told_by(self, found: SearchResult) -> SearchResult:
        """The result of the search; `took_ms` is since it was asked for."""
        waited_ms = self.seconds * 1000
        return replace(found, took_ms=max(0.0, found.took_ms - waited_ms), waited_ms=waited_ms)
