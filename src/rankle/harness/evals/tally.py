"""Counts the trials of all evals as they end, and tells how far they have come."""

from collections.abc import Callable, Sequence

from rankle.core.trials import TrialReport
from rankle.harness.evals.called import Clock
from rankle.harness.evals.keeping import Place
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.progress import EvalProgress, FinishedTrial, Progress


class Tally:
    """How far a run has come."""

    def __init__(
        self, evals: Sequence[PreparedEval], on_progress: Callable[[Progress], None], clock: Clock
    ) -> None:
        self._on_progress = on_progress
        self._clock = clock
        self._began = clock()
        self._evals = [EvalProgress(one.key, 0, len(one.cases) * one.options.trials, 0) for one in evals]
        self._places = {id(one): place for place, one in enumerate(evals)}
        self._n_total = sum(one.n_total for one in self._evals)
        self._n_done = self._n_failed = self._n_cached = 0
        self._cost_usd: float | None = None

    def count(self, prepared: PreparedEval, report: TrialReport, *, failed: bool) -> None:
        """One more trial is done, without telling so."""
        place = self._places[id(prepared)]
        one = self._evals[place]
        self._evals[place] = EvalProgress(one.key, one.n_done + 1, one.n_total, one.n_failed + failed)
        self._n_done += 1
        self._n_failed += failed
        self._n_cached += report.cached
        # What a cached output cost was spent when it was made.
        if report.usage is not None and report.usage.cost_usd is not None and not report.cached:
            self._cost_usd = (self._cost_usd or 0.0) + report.usage.cost_usd

    def tell(self, finished: tuple[PreparedEval, Place, TrialReport] | None = None) -> None:
        """Tell how far the run has come, and which trial has just been done."""
        just = None if finished is None else FinishedTrial(finished[0].key, finished[1], finished[2])
        self._on_progress(
            Progress(
                n_done=self._n_done,
                n_total=self._n_total,
                n_failed=self._n_failed,
                n_cached=self._n_cached,
                cost_usd=self._cost_usd,
                elapsed_s=self._clock() - self._began,
                evals=tuple(self._evals),
                just_finished=just,
            )
        )
