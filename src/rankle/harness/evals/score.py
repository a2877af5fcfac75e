"""What scorers are given, and what they may say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rankle.core.trials import CaseReport, SpanReport, Usage


@dataclass(frozen=True, slots=True)
class Score:
    """What a scorer says of one output, where a bare number would not do."""

    value: float | bool | str | None
    """A number in 0 to 1, whether it is right, a label, or None where the scorer does not apply."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    reason: str | None = None
    """Why the scorer does not apply; needed with None and allowed beside any value."""
    name: str | None = None
    """Of one of several scores of a scorer; None for the scorer's own."""


Said: TypeAlias = "Score | float | bool | str | Mapping[str, Any] | Iterable[Score] | None"
"""What a scorer may return: a score or its bare value, or several by their names."""


@dataclass(frozen=True, slots=True)
class ScoreContext:
    """All that a scorer may look at: one output and what it is of. Tests of scorers may make their own."""

    input: Any
    output: Any
    expected: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Of the row."""
    trace: tuple[SpanReport, ...] = ()
    """The steps that the task traced."""
    latency_ms: float = 0.0
    """What the task took; of a cached output, when it was made."""
    trial: int = 0
    case: str = ""
    """Id of the case."""
    usage: Usage | None = None
    """What models were asked for it; None where none was called."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunContext:
    """What a scorer of the whole run may look at."""

    cases: Iterable[CaseReport]
    """All cases with their trials, in the order of the data; may be gone through again and again."""
    n_cases: int
