"""Makes scores of what scorers say, or the error that it is."""

import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.core.trials import ErrorReport, ScoreReport
from rankle.harness.evals.failures import error_report
from rankle.harness.evals.outputs import as_json
from rankle.harness.evals.score import Score

ROUNDING: Final = 1e-9
"""How far beyond 0 or 1 a score still is 0 or 1: sums of floats end up there."""
NO_REASON: Final = "it gave None, without a reason"
_ALLOWED: Final = (
    "a score is a number in 0 to 1, True or False, a label, or None where the scorer does not apply"
)
_HINT: Final = "; rankle.Score(value, metadata=…) takes what stands beside"


def scores_of(name: str, said: Any) -> list[ScoreReport]:
    """What a scorer said of one output, as scores; whatever is not allowed is an error in its place.

    name: of the scorer. A bare value and a `Score` are its one score. Several are called `scorer.name`: the
        members of a mapping by their keys, those of an iterable of `Score` by their names.
    Numbers beyond 0 and 1 are errors, not cut off: a scorer that gives 1.7 measures something else than its
    author believes. So are NaN and infinities, and text that is a number.
    """
    try:
        return _several(name, said)
    except Exception as error:  # noqa: BLE001  (going through several runs code of the scorer)
        return [failed_score(name, error_report(error))]


def failed_score(name: str, error: ErrorReport) -> ScoreReport:
    """The score of a scorer that crashed."""
    return ScoreReport(name=name, error=error)


def scorer_of(score: str, scorers: Iterable[str]) -> str | None:
    """The scorer that a score is of: of those by whose name, or name and dot, it begins, the longest."""
    fitting = [name for name in scorers if score == name or score.startswith(f"{name}.")]
    return max(fitting, key=len, default=None)


def _several(name: str, said: Any) -> list[ScoreReport]:
    if isinstance(said, Score):
        return [_score(name, said)]
    if isinstance(said, Mapping):
        return _distinct(name, [_score(f"{name}.{key}", _as_score(value)) for key, value in said.items()])
    if isinstance(said, Iterable) and not isinstance(said, (str, bytes)) and not _is_scalar(said):
        return _distinct(name, [_score(name, one) for one in map(_only_score, said)])
    return [_score(name, Score(said))]


def _distinct(name: str, scores: list[ScoreReport]) -> list[ScoreReport]:
    if not scores:
        raise InputError(f'scorer "{name}" gave several scores, and none is among them; {_ALLOWED}')
    names = [score.name for score in scores]
    for place, one in enumerate(names):
        if one in names[:place]:
            raise InputError(f'scorer "{name}" gave two scores of the name "{one}"; give each its own')
    return scores


def _as_score(value: Any) -> Score:
    return value if isinstance(value, Score) else Score(value)


def _only_score(value: Any) -> Score:
    if not isinstance(value, Score):
        raise InputError(f"several scores are a mapping by name or a list of rankle.Score, got {value!r:.80}")
    return value


def _score(name: str, score: Score) -> ScoreReport:
    called = f"{name}.{score.name}" if score.name else name
    metadata = as_json(dict(score.metadata))
    value = _plain(score.value)
    if value is None:
        return ScoreReport(name=called, reason=score.reason or NO_REASON, metadata=metadata)
    if isinstance(value, str):
        return ScoreReport(name=called, label=_label(called, value), reason=score.reason, metadata=metadata)
    return ScoreReport(name=called, value=_number(called, value), reason=score.reason, metadata=metadata)


def _plain(value: Any) -> Any:
    """Scalars of numpy and the like as Python's."""
    return value.item() if _is_scalar(value) else value


def _is_scalar(value: Any) -> bool:
    return (
        not isinstance(value, (int, float)) and getattr(value, "shape", None) == () and hasattr(value, "item")
    )


def _label(name: str, value: str) -> str:
    if not value.strip():
        raise InputError(f'scorer "{name}" gave a label that is blank; {_ALLOWED}')
    try:
        float(value)
    except ValueError:
        return str(as_json(value))
    raise InputError(f'scorer "{name}" gave the text {value!r}, not a number: return float({value!r})')


def _number(name: str, value: Any) -> float:
    if not isinstance(value, numbers.Real):
        hint = _HINT if isinstance(value, (Mapping, list, tuple)) else ""
        raise InputError(f'scorer "{name}" gave {value!r:.80} ({type(value).__name__}); {_ALLOWED}{hint}')
    number = float(value)
    if not -ROUNDING <= number <= 1 + ROUNDING:  # NaN compares to nothing, so it ends up here too
        hint = "; divide it by its maximum" if math.isfinite(number) and number > 1 else ""
        raise InputError(f'scorer "{name}" gave {number:.12g}; {_ALLOWED}{hint}')
    return min(max(number, 0.0), 1.0)
