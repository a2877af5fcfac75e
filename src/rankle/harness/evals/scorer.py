"""Code that scores one output of an eval, or all cases of a run, with the name that reports know it by."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from rankle.core.errors import InputError, UnknownNameError
from rankle.harness.evals.score import RunContext, Said, ScoreContext

ScoreCall: TypeAlias = Callable[[ScoreContext], "Said | Awaitable[Said]"]
RunScoreCall: TypeAlias = Callable[[RunContext], "Said | Awaitable[Said]"]
_INLINE_KEYS: Final = ("name", "scorer", "description", "weight")


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores one output. It can be called like the function that it is made from."""

    name: str
    call: ScoreCall
    description: str = ""
    weight: float = 1.0
    """Its share of the eval's single figure; 0 leaves it out of that."""

    def __post_init__(self) -> None:
        """Raises InputError for a name that is blank or a weight below 0."""
        _check(self.name, self.call)
        if not self.weight >= 0:
            raise InputError(f'scorer "{self.name}" needs a weight >= 0, got {self.weight!r}')

    def __call__(self, context: ScoreContext) -> "Said | Awaitable[Said]":
        return self.call(context)


@dataclass(frozen=True, slots=True)
class RunScorer:
    """Looks at all cases of a run at once. What it says is in no mean."""

    name: str
    call: RunScoreCall
    description: str = ""

    def __post_init__(self) -> None:
        """Raises InputError for a name that is blank."""
        _check(self.name, self.call)

    def __call__(self, context: RunContext) -> "Said | Awaitable[Said]":
        return self.call(context)


def scorer(name: str, *, description: str = "", weight: float = 1.0) -> Callable[[ScoreCall], Scorer]:
    """Make a scorer of a function of one `ScoreContext`, sync or async.

    It returns a number in 0 to 1, whether the output is right, a label, None or a `Score` with a reason where
    it does not apply, or several by their names.
    """

    def made(function: ScoreCall) -> Scorer:
        return Scorer(name, function, description or _first_line(function), weight)

    return made


def run_scorer(name: str, *, description: str = "") -> Callable[[RunScoreCall], RunScorer]:
    """Make a scorer of a whole run of a function of one `RunContext`, sync or async."""

    def made(function: RunScoreCall) -> RunScorer:
        return RunScorer(name, function, description or _first_line(function))

    return made


def as_scorer(given: Any) -> Scorer:
    """What an eval lists among its scorers, as a scorer.

    given: a scorer, a function of one context, `{"name", "scorer"}` with `description` and `weight` where
        wanted, or an object of a class with a `name` that can be called, or has a method `score`.
    Raises InputError on anything else.
    """
    if isinstance(given, Scorer):
        return given
    if isinstance(given, RunScorer):
        raise InputError(f'"{given.name}" scores a whole run; list it under run_scorers=')
    if isinstance(given, Mapping):
        return _inline(given)
    if isinstance(given, type):
        raise InputError(
            f"scorers need an object of {given.__name__}, got the class; write {given.__name__}()"
        )
    call = getattr(given, "score", None) or given
    name = getattr(given, "name", None) or getattr(given, "__name__", None) or type(given).__name__
    if not callable(call):
        raise InputError(
            f"a scorer is a function of one context, or {{'name': …, 'scorer': …}}; got {given!r:.80}"
        )
    if name == "<lambda>":
        raise InputError("a lambda has no name for reports; write {'name': …, 'scorer': lambda context: …}")
    description = getattr(given, "description", "") or _first_line(given)
    return Scorer(str(name), call, str(description), float(getattr(given, "weight", 1.0)))


def _inline(given: Mapping[str, Any]) -> Scorer:
    for key in given:
        if key not in _INLINE_KEYS:
            raise UnknownNameError(what="key of an inline scorer", name=str(key), known=_INLINE_KEYS)
    if "name" not in given or "scorer" not in given:
        raise InputError(f'an inline scorer needs "name" and "scorer", got {", ".join(map(repr, given))}')
    return Scorer(
        given["name"], given["scorer"], given.get("description", ""), float(given.get("weight", 1.0))
    )


def _check(name: object, call: object) -> None:
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"a scorer needs a name that is not blank, got {name!r}")
    if not callable(call):
        raise InputError(f'scorer "{name}" needs a function of one context, got {call!r:.80}')


def _first_line(function: object) -> str:
    text = function.__doc__ if callable(function) and not isinstance(function, type) else None
    own = text if text != type(function).__doc__ or hasattr(function, "__name__") else None
    return own.strip().splitlines()[0] if own and own.strip() else ""
