"""One eval while it is recorded. Once something stands in the way, what it comes to is kept in memory."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from heapq import merge

from rankle.core.errors import RecordError
from rankle.core.evals import EvalSummary
from rankle.core.run import RunReport
from rankle.core.trials import CaseReport, TrialReport
from rankle.harness.evals.keeping import Place
from rankle.harness.evals.memory_keeping import MemoryEval
from rankle.records.eval_cases import CaseFigures, figures_of
from rankle.records.eval_writer import EvalWriter


class RecordedEval:
    """One eval that is recorded until something stands in the way; its cases are run all the same.

    Implements `harness.evals.keeping.KeptEval`.
    """

    def __init__(
        self,
        eval_id: str,
        *,
        created: str,
        writer: EvalWriter,
        project: Callable[[EvalSummary, Iterable[CaseReport]], RunReport],
        on_problem: Callable[[RecordError], None],
        now: Callable[[], str],
        goes_on: bool = False,
    ) -> None:
        """project: makes a measured run of an eval. now: UTC, ISO 8601. goes_on: whether trials are known."""
        self._id = eval_id
        self._created = created
        self._writer = writer
        self._project = project
        self._on_problem = on_problem
        self._now = now
        self._memory: MemoryEval | None = None
        """What could not be written; None while all is."""
        self._known: Mapping[Place, TrialReport] = writer.known() if goes_on else {}

    @property
    def id(self) -> str:
        return self._id

    @property
    def created(self) -> str:
        return self._created

    @property
    def known(self) -> Mapping[Place, TrialReport]:
        return self._known

    def keep(self, place: Place, trial: TrialReport) -> None:
        if self._memory is None:
            with self._told():
                self._writer.keep(place, trial)
                return
        self._in_memory().keep(place, trial)

    def trials(self, cases: Collection[int] | None = None) -> Iterator[tuple[Place, TrialReport]]:
        if self._memory is None:
            with self._told():
                self._writer.flush()
        if self._memory is None:
            return self._writer.written(cases)
        return merge(self._writer.written(cases), self._memory.trials(cases), key=lambda kept: kept[0])

    def finish(self, summary: EvalSummary, cases: Callable[[], Iterable[CaseReport]]) -> None:
        if self._memory is not None:
            return
        figures: list[CaseFigures] = []

        def passing() -> Iterator[CaseReport]:
            for case in cases():
                figures.append(figures_of(case))
                yield case

        report = self._project(summary, passing())
        with self._told():
            self._writer.finish(summary, report, figures, at=self._now())

    def close(self) -> None:
        """Let go of it; unless it is complete, it can be gone on with."""
        with self._told():
            self._writer.close()

    def _in_memory(self) -> MemoryEval:
        """What is kept in memory from now on, with all that was put and not written."""
        if self._memory is None:
            self._memory = MemoryEval(self._id, created=self._created)
            for place, trial in self._writer.unwritten():
                self._memory.keep(place, trial)
        return self._memory

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except RecordError as error:
            self._in_memory()
            self._on_problem(error)
