"""What is known of earlier runs of evals: the run that a new one is held against, and cases to run again."""

from collections.abc import Callable, Mapping

from rankle.harness.evals.options import EvalOptions
from rankle.harness.evals.prepared import PreviousRun
from rankle.records.eval_cases import CaseFigures
from rankle.records.eval_reading import EvalFigures, scores_by_scorer
from rankle.records.store import Store


def previous_run(store: Store, key: str, *, other_than: str = "") -> PreviousRun | None:
    """The newest complete run of an eval that left no case out; None where there is none.

    key: `path::name[variant]`. other_than: id of the run that is going on.
    """
    found = store.newest_of_eval(key, other_than=other_than)
    if found is None:
        return None
    return PreviousRun(id=found.id, created=found.created, scores=scores_by_scorer(found))


def failed_cases(store: Store, ref: str) -> Mapping[str, frozenset[str]]:
    """Eval key to the ids of the cases on which its task or a scorer crashed, for each eval of a run.

    Raises as `Store.load_evals` does.
    """
    return _chosen(store, ref, lambda case, _: case.crashed or case.status == "failed")


def failing_cases(store: Store, ref: str) -> Mapping[str, frozenset[str]]:
    """As `failed_cases`, with those also whose score is under what a trial must reach to pass."""

    def fails(case: CaseFigures, pass_mark: float) -> bool:
        is_low = case.score is not None and case.score < pass_mark
        return is_low or case.crashed or case.status == "failed"

    return _chosen(store, ref, fails)


def _chosen(
    store: Store, ref: str, choose: Callable[[CaseFigures, float], bool]
) -> Mapping[str, frozenset[str]]:
    return {
        found.summary.key: frozenset(case.id for case in found.cases if choose(case, _pass_mark(found)))
        for found in store.eval_figures(ref)
    }


def _pass_mark(found: EvalFigures) -> float:
    return EvalOptions(threshold=found.summary.threshold).pass_mark
