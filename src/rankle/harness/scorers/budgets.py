"""Scores what a task took, in time, tokens or money: 1 inside a budget, falling to 0 at twice of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import make_scorer, number_at_least
from rankle.harness.scorers.selecting import stable_repr

Limit: TypeAlias = float | Callable[[ScoreContext], float | None]
"""A number, or a function of the context that gives it; None where there is no budget for the case."""
NO_BUDGET: Final = "no budget for this case"
NO_MODEL: Final = "no model was called"
NO_COST: Final = "no call told its cost"


@dataclass(frozen=True, slots=True, repr=False)
class _Budget:
    """A budget for what `spent` tells."""

    what: str
    limit: Limit
    spent: Callable[[ScoreContext], float | str]
    """How much, or why that is not known."""
    keys: tuple[str, str]
    """Of what was spent, and of the limit, in the metadata."""
    hard: bool = False

    def __call__(self, context: ScoreContext) -> Score:
        given = self.limit(context) if callable(self.limit) else self.limit
        if given is None:
            return Score(None, reason=NO_BUDGET)
        limit = number_at_least(given, 0, what=f"the budget of {self.what}", above=True)
        spent = self.spent(context)
        if isinstance(spent, str):
            return Score(None, reason=spent)
        within = spent <= limit
        value = 1.0 if within else 0.0 if self.hard else max(0.0, 2 - spent / limit)
        return Score(value, {self.keys[0]: spent, self.keys[1]: limit, "within_budget": within})

    def __repr__(self) -> str:
        return f"_Budget({self.what}, {stable_repr(self.limit)})"


def latency_budget(ms: Limit, *, name: str | None = None, weight: float = 1.0) -> Scorer:
    """1 where the task took no longer than the budget, falling linearly to 0 at twice of it.

    ms: milliseconds, or a function of the context that gives them.
    Of an output from the cache counts what it took when it was made.
    Raises InputError on a budget of 0 or less.
    """
    call = _Budget("latency_budget", ms, _latency, ("duration_ms", "max_ms"))
    return _scorer(call, "Latency within {}; 0 from twice of it on", "ms", name=name, weight=weight)


def latency_limit(ms: Limit, *, name: str | None = None, weight: float = 1.0) -> Scorer:
    """1 where the task took no longer than the limit, else 0.

    ms: milliseconds, or a function of the context that gives them. Raises InputError on a limit of 0 or less.
    """
    call = _Budget("latency_limit", ms, _latency, ("duration_ms", "max_ms"), hard=True)
    return _scorer(call, "Whether latency is within {}", "ms", name=name, weight=weight)


def token_budget(tokens: Limit, *, name: str | None = None, weight: float = 1.0) -> Scorer:
    """1 where models read and wrote no more tokens than the budget, falling linearly to 0 at twice of it.

    tokens: of input and output together, or a function of the context that gives them.
    Where no model was called it does not apply.
    """
    call = _Budget("token_budget", tokens, _tokens, ("tokens", "max_tokens"))
    return _scorer(call, "Tokens within {}; 0 from twice of it on", "in all", name=name, weight=weight)


def cost_budget(usd: Limit, *, name: str | None = None, weight: float = 1.0) -> Scorer:
    """1 where models cost no more than the budget, falling linearly to 0 at twice of it.

    usd: US dollars, or a function of the context that gives them.
    Where no model was called, or no call told its cost, it does not apply.
    """
    call = _Budget("cost_budget", usd, _cost, ("cost_usd", "max_usd"))
    return _scorer(call, "Cost within {}; 0 from twice of it on", "USD", name=name, weight=weight)


def _scorer(call: _Budget, description: str, unit: str, *, name: str | None, weight: float) -> Scorer:
    if callable(call.limit):
        default_name, shown = call.what, "the budget of the case"
    else:
        limit = number_at_least(call.limit, 0, what=f"the budget of {call.what}", above=True)
        default_name, shown = f"{call.what}({limit:.12g})", f"{limit:,.12g} {unit}"
    return make_scorer(
        call, default_name=default_name, description=description.format(shown), name=name, weight=weight
    )


def _latency(context: ScoreContext) -> float:
    return context.latency_ms


def _tokens(context: ScoreContext) -> float | str:
    usage = context.usage
    return NO_MODEL if usage is None else usage.input_tokens + usage.output_tokens


def _cost(context: ScoreContext) -> float | str:
    if context.usage is None:
        return NO_MODEL
    return NO_COST if context.usage.cost_usd is None else context.usage.cost_usd
