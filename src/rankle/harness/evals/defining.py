"""Defines an eval by a decorator of its task."""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack

from rankle.harness.evals.option_names import unknown_option
from rankle.harness.evals.suite import OPTIONS, Data, Suite, Task, checked_name
from rankle.harness.evals.suite_options import SuiteOptions
from rankle.harness.evals.variant import Variant


@dataclass(frozen=True, slots=True)
class EvalDefinition:
    """An eval that lacks its task: decorate one with it."""

    name: str
    options: Mapping[str, Any]

    def __call__(self, task: Task) -> Suite:
        """The eval of this task; it is called like the task. Raises InputError on what is not allowed."""
        options = {**self.options, "description": self.options.get("description") or _first_line(task)}
        return Suite(self.name, task=task, **options)

    def each(self, variants: Iterable[Variant | Mapping[str, Any]]) -> "EvalDefinition":
        """The same eval in several variants side by side, `{"name", "input"}`; the task is given one."""
        return replace(self, options={**self.options, "variants": variants})


def define_eval(
    name: str,
    *,
    data: Data,
    scorers: Iterable[Any],
    **options: Unpack[SuiteOptions],
) -> EvalDefinition:
    """An eval of the function that is decorated with it. What each option is: see `Suite`.

    The function takes `input`, and where it names them `case` and `variant`. Its docstring's first line
    describes the eval where `description` does not. Raises InputError on a name or option that is none.
    """
    said = f'eval "{checked_name(name)}"'
    known = [option for option in OPTIONS if option != "task"]
    for option in options:
        if option not in known:
            raise unknown_option(option, known=known, what=f"option of {said}")
    return EvalDefinition(name, {"data": data, "scorers": scorers, **options})


def _first_line(task: object) -> str:
    text = inspect.getdoc(task) if inspect.isroutine(task) else None
    return text.strip().splitlines()[0] if text and text.strip() else ""
