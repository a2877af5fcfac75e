"""Which trial may begin next: limits over all evals, of one eval, and of what evals use together."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

_T = TypeVar("_T")


@dataclass(slots=True, eq=False)
class Line(Generic[_T]):
    """What one eval has to do, in order, and what it may have in flight."""

    waiting: Iterator[_T]
    n_waiting: int
    limit: int | None
    resources: tuple[str, ...]
    in_flight: int = 0


@dataclass(slots=True)
class Supply(Generic[_T]):
    """Gives out what may begin, from the first line that may. Not for several threads at once."""

    limit: int
    """Of all that is in flight."""
    resource_limits: Mapping[str, int]
    """Resources that are not named here have no limit."""
    is_stopped: Callable[[], bool] = lambda: False
    """Asked before anything begins."""
    in_flight: int = 0
    _used: dict[str, int] = field(default_factory=dict)
    _lines: list[Line[_T]] = field(default_factory=list)
    """Those that wait, in order."""

    def add(
        self, waiting: Iterable[_T], *, n: int, limit: int | None = None, resources: Iterable[str] = ()
    ) -> Line[_T]:
        """One more line, behind all others, of n things that are made when they begin."""
        line = Line(iter(waiting), n, limit, tuple(dict.fromkeys(resources)))
        if n:
            self._lines.append(line)
        return line

    def take(self) -> _T | None:
        """What begins now; None where nothing may."""
        line = self._free()
        if line is None:
            return None
        self.in_flight += 1
        line.in_flight += 1
        for resource in line.resources:
            self._used[resource] = self._used.get(resource, 0) + 1
        line.n_waiting -= 1
        if not line.n_waiting:
            self._lines.remove(line)
        return next(line.waiting)

    def give_back(self, line: Line[_T]) -> None:
        """One of a line is over."""
        self.in_flight -= 1
        line.in_flight -= 1
        for resource in line.resources:
            self._used[resource] -= 1

    @property
    def is_free(self) -> bool:
        """Whether anything may begin now."""
        return self._free() is not None

    @property
    def n_waiting(self) -> int:
        """What has not begun, whether or not it may."""
        return sum(line.n_waiting for line in self._lines)

    def _free(self) -> Line[_T] | None:
        if self.is_stopped() or self.in_flight >= self.limit:
            return None
        return next((line for line in self._lines if self._is_free_for(line)), None)

    def _is_free_for(self, line: Line[_T]) -> bool:
        return (line.limit is None or line.in_flight < line.limit) and all(
            self._used.get(resource, 0) < self.resource_limits[resource]
            for resource in line.resources
            if resource in self.resource_limits
        )
