"""One run while it is recorded."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from rankle.core.errors import RecordError
from rankle.core.outcome import Outcome
from rankle.core.run import RunReport
from rankle.harness.keeping import Stamp
from rankle.records.run_writer import RunWriter


@dataclass(slots=True)
class RecordedRun:
    """One run that is recorded until something stands in the way; its queries are asked all the same."""

    stamp: Stamp
    queries: tuple[str, ...]
    """Their ids, in the order of the plan."""
    on_problem: Callable[[RecordError], None]
    finishing: Callable[[RunWriter, RunReport], None]
    known: Mapping[int, Outcome] = field(default_factory=dict)
    writer: RunWriter | None = None
    """None before it is begun, after it is closed, and once something stood in the way."""

    def reuse(self) -> None:
        """Take what an earlier run asked of the same; it is known then."""
        with self.told():
            if self.writer is not None:
                self.known = self.writer.reuse(self.queries)

    def keep(self, outcomes: Mapping[int, Outcome]) -> None:
        with self.told():
            if self.writer is not None:
                self.writer.keep(
                    {place: (self.queries[place], outcome) for place, outcome in outcomes.items()}
                )

    def finish(self, report: RunReport) -> None:
        with self.told():
            if self.writer is not None:
                self.finishing(self.writer, report)

    def close(self) -> None:
        with self.told():
            if self.writer is not None:
                self.writer.close()
                self.writer = None

    @contextmanager
    def told(self) -> Iterator[None]:
        """A problem is told once, and ends the recording of this run, but not the run."""
        try:
            yield
        except RecordError as error:
            writer, self.writer = self.writer, None
            if writer is not None:
                with suppress(RecordError):
                    writer.close()
            self.on_problem(error)
