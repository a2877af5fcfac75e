"""The task of an eval: of what kind it is, and what it is to be given."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.harness.evals.case import Case

_BY_NAME: Final = ("case", "variant")
_EXAMPLE: Final = "write: def task(input), with case and variant behind it where they are wanted"


class TaskKind(StrEnum):
    """How a task gives its output."""

    SYNC = "sync"
    """Returns it. It may return something to be awaited, as a lambda around an async function does."""
    ASYNC = "async"
    """Is awaited."""
    GENERATOR = "generator"
    """Streams parts of it, one after another."""
    ASYNC_GENERATOR = "async generator"
    """Streams parts of it, to be awaited."""


@dataclass(frozen=True, slots=True)
class TaskCall:
    """How a task is to be called."""

    function: Callable[..., Any]
    kind: TaskKind
    by_name: tuple[str, ...] = ()
    """Which of `case` and `variant` it names."""

    def __call__(self, case: Case) -> Any:
        """Call it with a case: what comes back is the output, something to be awaited, or a stream."""
        given = {name: case if name == "case" else case.variant for name in self.by_name}
        return self.function(case.input, **given)


def kind_of(task: Callable[..., Any]) -> TaskKind:
    """The kind of a function, a method, a `functools.partial` of one, or an object that can be called."""
    return next((kind for kind, is_one in _KINDS if is_one(_function_of(task))), TaskKind.SYNC)


def task_call(task: Callable[..., Any], *, eval_name: str) -> TaskCall:
    """How to call a task. Raises InputError where it takes anything but the input, `case` and `variant`."""
    if not callable(task):
        raise InputError(f'the task of eval "{eval_name}" must be a function of the input, got {task!r:.80}')
    try:
        parameters = list(inspect.signature(task).parameters.values())
    except (TypeError, ValueError):  # some built-in functions do not tell
        return TaskCall(task, kind_of(task))
    taken = _taken(parameters, said=f'the task of eval "{eval_name}"')
    return TaskCall(task, kind_of(task), taken)


def _taken(parameters: list[inspect.Parameter], *, said: str) -> tuple[str, ...]:
    """Which of `case` and `variant` are named. Raises InputError on what nobody could give."""
    first = parameters[0] if parameters else None
    if first is None or first.kind in (first.KEYWORD_ONLY, first.VAR_KEYWORD):
        raise InputError(f"{said} takes no input; {_EXAMPLE}")
    if first.name in _BY_NAME:
        raise InputError(f'{said} takes "{first.name}" first, and what comes first is the input; {_EXAMPLE}')
    named: list[str] = []
    for parameter in parameters[1:]:
        if parameter.name in _BY_NAME and parameter.kind is not parameter.POSITIONAL_ONLY:
            named.append(parameter.name)
        elif parameter.default is parameter.empty and parameter.kind not in _OPEN:
            raise InputError(f'{said} takes "{parameter.name}", which nobody gives it; {_EXAMPLE}')
    return tuple(named)


def _function_of(task: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(task, functools.partial):
        task = task.func
    if inspect.isroutine(task) or isinstance(task, type):
        return task
    return type(task).__call__


_OPEN: Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_KINDS: Final[tuple[tuple[TaskKind, Callable[[Any], bool]], ...]] = (
    (TaskKind.ASYNC, inspect.iscoroutinefunction),
    (TaskKind.ASYNC_GENERATOR, inspect.isasyncgenfunction),
    (TaskKind.GENERATOR, inspect.isgeneratorfunction),
)
