"""Evals as the runner gives them to a keeper, so that records of them can be made without running any."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from fakes.evals_runs import eval_summary
from rankle.app.eval_keeping import RunKeeper
from rankle.app.eval_recording import eval_keeper
from rankle.app.record_request import Recording
from rankle.core.evals import EvalsSummary, EvalSummary
from rankle.core.product import VERSION
from rankle.core.trials import CaseReport, ScoreReport, TrialReport
from rankle.harness.evals.case import Case
from rankle.harness.evals.keeping import EvalPlan, KeptEval, Place
from rankle.harness.evals.options import EvalOptions

KEY = "evals/search_eval.py::Vector search"
SECOND = "evals/other_eval.py::Answers"


def cases(n: int, *, of: str = "question") -> tuple[Case, ...]:
    return tuple(
        Case(
            id=f"case-{place:012x}",
            position=place + 1,
            input={"query": f"{of} {place} 🔎"},
            expected=["a.md"],
            metadata={"language": "de"},
            tags=("smoke",),
        )
        for place in range(n)
    )


def plan(n_cases: int = 4, *, key: str = KEY, trials: int = 1, **given: Any) -> EvalPlan:
    usual: dict[str, Any] = {
        "key": key,
        "name": key.rpartition("::")[2],
        "cases": cases(n_cases),
        "options": EvalOptions(trials=trials),
        "data_fingerprint": "d" * 64,
        "task_fingerprint": "f" * 64,
        "scorers": ("exact",),
        "is_full": True,
        "data": "evals/queries.json",
    }
    return EvalPlan(**(usual | given))


def done(trial: int = 0, *, output: Any = "an answer", value: float = 1.0) -> TrialReport:
    return TrialReport(
        trial=trial,
        status="done",
        output=output,
        took_ms=2.5,
        scores=[ScoreReport(name="exact", value=value)],
        n_steps_left_out=1,
        columns={"Top": "a.md"},
    )


def places(asked: EvalPlan) -> list[Place]:
    return [(case, trial) for case in range(len(asked.cases)) for trial in range(asked.options.trials)]


def fill(
    kept: KeptEval,
    asked: EvalPlan,
    *,
    answer: Callable[[Place], TrialReport] = lambda place: done(place[1]),
    stop_after: int | None = None,
) -> list[Place]:
    """Do what is not known yet, as the runner would. Returns what was done."""
    left = [place for place in places(asked) if place not in kept.known][:stop_after]
    for place in left:
        kept.keep(place, answer(place))
    return left


def reports(kept: KeptEval, asked: EvalPlan) -> Iterator[CaseReport]:
    """The cases as the runner reports them, from what was kept."""
    for place, group in groupby(kept.trials(), key=lambda one: one[0][0]):
        trials = [trial for _, trial in group]
        values = [score.value for trial in trials for score in trial.scores if score.value is not None]
        mean = sum(values) / len(values) if values else None
        case = asked.cases[place]
        yield CaseReport(
            id=case.id,
            position=case.position,
            input=case.input,
            expected=case.expected,
            metadata=dict(case.metadata),
            tags=list(case.tags),
            status="scored" if all(trial.status == "done" for trial in trials) else "failed",
            scores={} if mean is None else {"exact": mean},
            score=mean,
            flaky=False,
            trials=trials,
        )


def finish(kept: KeptEval, asked: EvalPlan, **given: Any) -> EvalSummary:
    found = list(reports(kept, asked))
    summary = eval_summary(
        asked.name,
        found,
        file=asked.key.partition("::")[0],
        id=kept.id,
        variant=None if "[" not in asked.key else asked.key.partition("[")[2].removesuffix("]"),
        trials=asked.options.trials,
        is_full=asked.is_full,
        **given,
    )
    kept.finish(summary, lambda: reports(kept, asked))
    return summary


def whole_summary(keeper: RunKeeper, **given: Any) -> EvalsSummary:
    usual: dict[str, Any] = {
        "id": keeper.id,
        "created": keeper.created,
        "rankle_version": VERSION,
        "git": keeper.git,
        "seed": 0,
        "settings": {"paths": ["evals"]},
        "max_failures": 0,
        "broken_files": [],
        "interrupted": False,
        "took_s": 1.0,
        "exit_code": 0,
        "verdict": "everything was measured",
    }
    return EvalsSummary(**(usual | given))


def record_evals(
    path: Path,
    *plans: EvalPlan,
    answer: Callable[[Place], TrialReport] = lambda place: done(place[1]),
    **recording: Any,
) -> str:
    """Run evals to their end, one after another. Returns the id of the run."""
    with keeper_at(path, **recording) as keeper:
        summaries = []
        for asked in plans or (plan(),):
            with keeper.begin(asked) as kept:
                fill(kept, asked, answer=answer)
                summaries.append(finish(kept, asked))
        keeper.finish(whole_summary(keeper), summaries)
        return keeper.id


def interrupt_evals(path: Path, *plans: EvalPlan, stop_after: int = 2) -> str:
    """Run evals and stop within the last one. Returns the id of the run."""
    asked = plans or (plan(),)
    with keeper_at(path) as keeper:
        for one in asked[:-1]:
            with keeper.begin(one) as kept:
                fill(kept, one)
                finish(kept, one)
        with keeper.begin(asked[-1]) as kept:
            fill(kept, asked[-1], stop_after=stop_after)
        return keeper.id


def keeper_at(
    path: Path, *, settings: Any = None, withheld: Iterable[str] = (), **recording: Any
) -> AbstractContextManager[RunKeeper]:
    return eval_keeper(
        Recording(path=path, **recording),
        root=path.parent,
        settings=settings or {"paths": ["evals"]},
        withheld=withheld,
        revision=lambda _: None,
    )


def as_json(found: Sequence[CaseReport] | Iterable[CaseReport]) -> bytes:
    return msgspec.json.encode(list(found))
