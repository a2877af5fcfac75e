"""Evals that are ready to run, and what is needed to run them without records."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rankle.core.evals import EvalSummary
from rankle.core.trials import CaseReport, TrialReport
from rankle.harness.evals.case import Case
from rankle.harness.evals.keeping import Cache, EvalPlan, Place
from rankle.harness.evals.options import EvalOptions, RunOptions
from rankle.harness.evals.prepared import PreparedEval, PreviousRun
from rankle.harness.evals.progress import Progress
from rankle.harness.evals.recorded import Recording, untraced
from rankle.harness.evals.runner import RanEvals, run_prepared
from rankle.harness.evals.score import ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite
from rankle.harness.evals.variant import Variant

LONG_S = 60.0
"""A limit that nothing in a test reaches unless it hangs."""
SHORT_S = 0.2
"""A limit that what hangs is to reach soon."""


def same(context: ScoreContext) -> bool:
    return bool(context.output == context.expected)


EXACT = Scorer("exact", same, "Whether the output is what is expected.")


def echo(input: Any) -> Any:
    return input


def cases(inputs: Iterable[Any], *, expected: Sequence[Any] | None = None) -> tuple[Case, ...]:
    """One case an input; what is expected is the input where nothing else is said."""
    made = list(inputs)
    return tuple(
        Case(
            id=f"case-{place:012x}",
            position=place,
            input=one,
            expected=made[place] if expected is None else expected[place],
        )
        for place, one in enumerate(made)
    )


def prepared(
    task: Callable[..., Any] = echo,
    inputs: Iterable[Any] = (0, 1, 2),
    *,
    name: str = "echo",
    scorers: Sequence[Any] = (EXACT,),
    expected: Sequence[Any] | None = None,
    made: Sequence[Case] | None = None,
    variant: Variant | None = None,
    is_full: bool = True,
    task_fingerprint: str = "f" * 64,
    options: Mapping[str, Any] | None = None,
    **suite: Any,
) -> PreparedEval:
    """An eval that is ready to run; `options` are those of `EvalOptions`, the rest those of `Suite`."""
    found = cases(inputs, expected=expected) if made is None else tuple(made)
    if variant is not None:
        suite["variants"] = [variant]
    return PreparedEval(
        suite=Suite(name, data=[], task=task, scorers=scorers, **suite),
        variant=variant,
        key=f"evals/echo_eval.py::{name}",
        cases=found,
        n_in_data=len(found),
        n_skipped=0,
        is_full=is_full,
        options=EvalOptions(**{"timeout_s": LONG_S, **(options or {})}),
        data="rows",
        data_fingerprint="d" * 64,
        task_fingerprint=task_fingerprint,
    )


@dataclass
class HeldEval:
    """Keeps one eval in memory, and how it was kept. Implements `harness.evals.keeping.KeptEval`."""

    plan: EvalPlan
    id: str
    known: Mapping[Place, TrialReport]
    refuse: Callable[[Place], None]
    created: str = "2026-11-30T09:00:00Z"
    held: dict[Place, TrialReport] = field(default_factory=dict)
    order: list[Place] = field(default_factory=list)
    summary: EvalSummary | None = None
    cases: list[CaseReport] = field(default_factory=list)
    left_by: type[BaseException] | None = None
    is_left: bool = False

    def keep(self, place: Place, trial: TrialReport) -> None:
        self.refuse(place)
        assert place not in self.held
        assert not self.is_left
        self.held[place] = trial
        self.order.append(place)

    def trials(self, cases: Collection[int] | None = None) -> Iterator[tuple[Place, TrialReport]]:
        kept = sorted({**self.known, **self.held}.items())
        return iter([one for one in kept if cases is None or one[0][0] in cases])

    def finish(self, summary: EvalSummary, cases: Callable[[], Iterable[CaseReport]]) -> None:
        assert self.summary is None
        self.summary, self.cases = summary, list(cases())


@dataclass
class HoldingKeeper:
    """Implements `harness.evals.keeping.EvalKeeper`."""

    known: Mapping[str, Mapping[Place, TrialReport]] = field(default_factory=dict)
    """Name of an eval to what is known of it."""
    refuse: Callable[[Place], None] = lambda place: None
    """Called before a trial is kept."""
    evals: dict[str, HeldEval] = field(default_factory=dict)
    """By name, in the order in which they began."""

    @contextmanager
    def begin(self, plan: EvalPlan) -> Iterator[HeldEval]:
        one = HeldEval(plan, f"eval{len(self.evals)}", self.known.get(plan.name, {}), self.refuse)
        self.evals[plan.name] = one
        try:
            yield one
        except BaseException as error:
            one.left_by = type(error)
            raise
        finally:
            one.is_left = True


def run(
    *evals: PreparedEval,
    keeper: HoldingKeeper | None = None,
    cache: Cache | None = None,
    previous: PreviousRun | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    stop: Stop | None = None,
    recording: Recording = untraced,
    clock: Callable[[], float] | None = None,
    **options: Any,
) -> RanEvals:
    """Run evals to their end; `options` are those of `RunOptions`."""
    given: dict[str, Any] = {} if clock is None else {"clock": clock}
    return asyncio.run(
        run_prepared(
            evals,
            options=RunOptions(**options),
            keeper=keeper or HoldingKeeper(),
            cache=cache,
            previous=lambda _: previous,
            on_progress=on_progress,
            stop=stop or Stop(),
            recording=recording,
            **given,
        )
    )


def cases_of(ran: RanEvals, place: int = 0) -> list[CaseReport]:
    """The cases of the eval at a place among those that ran."""
    return list(ran.read_cases(ran.evals[place].id))


def outputs_of(ran: RanEvals, place: int = 0) -> list[Any]:
    """The output of each case's first trial."""
    return [case.trials[0].output for case in cases_of(ran, place)]
