"""Defines an eval by a decorator of its task."""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Never

from rankle.harness.evals.option_names import unknown_option
from rankle.harness.evals.scorer import RunScorer
from rankle.harness.evals.suite import OPTIONS, Columns, Data, Suite, Task, checked_name
from rankle.harness.evals.variant import Variant


@dataclass(frozen=True, slots=True)
class EvalDefinition:
    """An eval that lacks its task: decorate one with it."""

    name: str
    options: Mapping[str, Any]

    def __call__(self, task: Task) -> Suite:
        """The eval of this task; it is called like the task. Raises InputError on what is not allowed."""
        options = {**self.options, "description": self.options["description"] or _first_line(task)}
        return Suite(self.name, task=task, **options)

    def each(self, variants: Iterable[Variant | Mapping[str, Any]]) -> "EvalDefinition":
        """The same eval in several variants side by side, `{"name", "input"}`; the task is given one."""
        return replace(self, options={**self.options, "variants": variants})


def define_eval(
    name: str,
    *,
    data: Data,
    scorers: Iterable[Any],
    run_scorers: Iterable[RunScorer] = (),
    columns: Columns | None = None,
    trials: int | None = None,
    timeout_s: float | None = None,
    data_timeout_s: float | None = None,
    threshold: float | None = None,
    concurrency: int | None = None,
    cache: bool | None = None,
    tags: Iterable[str] = (),
    description: str = "",
    skip: bool = False,
    only: bool = False,
    allow_empty: bool = False,
    cacheable: bool = False,
    depends_on: Iterable[Any] = (),
    resources: Iterable[str] = (),
    variants: Iterable[Variant | Mapping[str, Any]] = (),
    **unknown: Never,
) -> EvalDefinition:
    """An eval of the function that is decorated with it. What each option is: see `Suite`.

    The function takes `input`, and where it names them `case` and `variant`. Its docstring's first line
    describes the eval where `description` does not. Raises InputError on a name or option that is none.
    """
    said = f'eval "{checked_name(name)}"'
    for option in unknown:
        known = [known for known in OPTIONS if known != "task"]
        raise unknown_option(option, known=known, what=f"option of {said}")
    options = {
        "data": data, "scorers": scorers, "run_scorers": run_scorers, "columns": columns, "trials": trials,
        "timeout_s": timeout_s, "data_timeout_s": data_timeout_s, "threshold": threshold,
        "concurrency": concurrency, "cache": cache,
        "tags": tags, "description": description, "skip": skip, "only": only, "allow_empty": allow_empty,
        "cacheable": cacheable, "depends_on": depends_on, "resources": resources, "variants": variants,
    }  # fmt: skip
    return EvalDefinition(name, options)


def _first_line(task: object) -> str:
    text = inspect.getdoc(task) if inspect.isroutine(task) else None
    return text.strip().splitlines()[0] if text and text.strip() else ""
