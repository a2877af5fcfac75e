"""What the harness asks of whoever keeps a run: what is known of it already, and where its cases go."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from rankle.core.outcome import Outcome
from rankle.core.ports import SystemDescription
from rankle.core.run import RunReport
from rankle.harness.preparation import Prepared
from rankle.harness.settings import Settings
from rankle.harness.stamp import Stamp as Stamp


@dataclass(frozen=True, slots=True)
class Plan:
    """All that the report of a run is made from, but for what its queries come to."""

    prepared: Prepared
    description: SystemDescription
    settings: Settings


class KeptRun(Protocol):
    """One run that is kept while it goes on."""

    @property
    def stamp(self) -> Stamp: ...

    @property
    def known(self) -> Mapping[int, Outcome]:
        """Place in the plan to what the query came to before, in this run or another; not asked again."""
        ...

    def keep(self, outcomes: Mapping[int, Outcome]) -> None:
        """Called with cases as soon as they are done, each once."""
        ...

    def finish(self, report: RunReport) -> None:
        """Called when every case is done."""
        ...


class Keeper(Protocol):
    """Keeps runs."""

    def begin(self, plan: Plan, *, stamp: Callable[[], Stamp]) -> AbstractContextManager[KeptRun]:
        """The run that is about to ask its queries; a context that is left without `finish` ended early.

        stamp: makes the id and time of a run that is new. Raises InputError where it cannot be gone on with.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Unkept:
    stamp: Stamp
    known: Mapping[int, Outcome]

    def keep(self, outcomes: Mapping[int, Outcome]) -> None:
        del outcomes

    def finish(self, report: RunReport) -> None:
        del report


class KeepNothing:
    """The keeper of runs that leave no record."""

    @contextmanager
    def begin(self, plan: Plan, *, stamp: Callable[[], Stamp]) -> Iterator[KeptRun]:
        del plan
        yield _Unkept(stamp(), {})
