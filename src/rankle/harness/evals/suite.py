"""How an eval is defined: its data, its task and its scorers, by a decorator or without one."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from rankle.harness.evals.options import Asked
from rankle.harness.evals.scorer import RunScorer, Scorer

Task: TypeAlias = Callable[..., Any]
"""A function of the input, sync or async, that returns the output or streams parts of it. It may name
`case` for the whole case, and `variant` where variants stand side by side."""
Data: TypeAlias = Any
"""Rows, a function or async function that gives them, a path, or a table."""
Columns: TypeAlias = Callable[[Any], Mapping[str, Any]]
_COLLECTED: Final[ContextVar["list[Suite] | None"]] = ContextVar("collected", default=None)


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several ways to run the same eval, side by side."""

    name: str
    input: Any
    """What the task is given as `variant`."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where an eval was written."""

    file: str
    """Absolute."""
    line: int


@dataclass(frozen=True, slots=True)
class Suite:
    """One eval. It can be called like its task."""

    name: str
    data: Data
    task: Task
    scorers: tuple[Scorer, ...]
    run_scorers: tuple[RunScorer, ...] = ()
    columns: Columns | None = None
    asked: Asked = field(default_factory=Asked)
    tags: tuple[str, ...] = ()
    description: str = ""
    skip: bool = False
    only: bool = False
    allow_empty: bool = False
    cacheable: bool = False
    depends_on: tuple[Any, ...] = ()
    """What the task's output depends on beside its source and input: paths, whose content counts, and values
    of JSON."""
    resources: tuple[str, ...] = ()
    """What it uses, for limits of the project."""
    variants: tuple[Variant, ...] = ()
    place: SourcePlace | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.task(*args, **kwargs)


@contextmanager
def collecting() -> Iterator[list[Suite]]:
    """Every suite that is made within, in order; later ones of an equal name too."""
    found: list[Suite] = []
    token = _COLLECTED.set(found)
    try:
        yield found
    finally:
        _COLLECTED.reset(token)
