"""An eval: its data, its task and its scorers. `defining.py` makes one by a decorator."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, Unpack

from rankle.core.errors import InputError
from rankle.harness.evals.asking import checked_asked
from rankle.harness.evals.option_names import unknown_option
from rankle.harness.evals.options import Asked
from rankle.harness.evals.place import SourcePlace as SourcePlace
from rankle.harness.evals.place import calling_place
from rankle.harness.evals.scorer import RunScorer, Scorer, as_scorer
from rankle.harness.evals.suite_options import Columns, SuiteOptions, asked_by
from rankle.harness.evals.task import TaskCall, TaskKind, task_call
from rankle.harness.evals.task import kind_of as kind_of
from rankle.harness.evals.variant import Variant as Variant
from rankle.harness.evals.variant import as_variants

Task: TypeAlias = Callable[..., Any]
"""A function of the input, sync or async, that returns the output or streams parts of it. It may name
`case` for the whole case, and `variant` where variants stand side by side."""
Data: TypeAlias = Any
"""Rows, a function or async function that gives them, a path, or a table."""
OPTIONS: Final = ("data", "task", "scorers", *SuiteOptions.__annotations__)
_FLAGS: Final = ("skip", "only", "allow_empty", "cacheable")


@dataclass(frozen=True, slots=True)
class _Collected:
    """Where suites go while a file is loaded."""

    file: str | None
    found: "list[Suite]"


_COLLECTED: Final[ContextVar[_Collected | None]] = ContextVar("collected", default=None)


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Suite:
    """One eval. It can be called like its task."""

    name: str
    data: Data
    task: Task
    scorers: tuple[Scorer, ...]
    run_scorers: tuple[RunScorer, ...]
    columns: Columns | None
    asked: Asked
    """What the eval says of how it is run; None where it leaves that to the project."""
    tags: tuple[str, ...]
    description: str
    skip: bool
    only: bool
    allow_empty: bool
    cacheable: bool
    depends_on: tuple[Any, ...]
    """What the task's output depends on beside its source and input: see `fingerprints.py`."""
    resources: tuple[str, ...]
    """What it uses, for limits of the project."""
    variants: tuple[Variant, ...]
    place: SourcePlace | None
    """None where it was made in no file, such as in a notebook."""
    call: TaskCall
    """How the task is called."""

    def __init__(
        self,
        name: str,
        *,
        data: Data,
        task: Task,
        scorers: Iterable[Any],
        asked: Asked | None = None,
        **options: Unpack[SuiteOptions],
    ) -> None:
        """Everything that is not allowed raises InputError here, so that an eval that exists can be run.

        name: what reports and history know it by; one of each name in a file.
        data: rows `{"input", "expected", "metadata", "tags", "only", "skip"}`, a function or async function
            that gives them, the path of a file or folder of rows or of an eval set (from the folder of the
            eval's file, else of the project), or a table of Polars, pandas or Arrow.
        scorers: each a scorer, a function of one context, `{"name", "scorer"}`, or an object with `score`.
        columns: what reports show of a trial, by a function of its context.
        threshold: per cent, 0 to 100, that the eval's single figure must reach.
        timeout_s: of the task and of each scorer of a trial. data_timeout_s: of what gives the data.
        concurrency: trials of this eval in flight at once.
        allow_empty: whether data without rows is fine. cacheable: whether equal source, input and
            `depends_on` give an equal output, which may then be taken from the cache.
        resources: names whose use at once the project may limit.
        variants: ways to run it side by side, `{"name", "input"}`; the task is given `variant`.
        asked: trials, timeouts, threshold, concurrency and cache as one value, in place of these six.
        """
        said = f'eval "{checked_name(name)}"'
        for option in options:
            if option not in OPTIONS:
                raise unknown_option(option, known=OPTIONS, what=f"option of {said}")
        given = options.get
        values = {
            "name": name,
            "data": data,
            "task": task.task if isinstance(task, Suite) else task,
            "scorers": _scorers(scorers, said=said),
            "run_scorers": _run_scorers(given("run_scorers", ()), said=said),
            "columns": given("columns"),
            "asked": checked_asked(asked or asked_by(options), called=lambda name: f"{name} of {said}"),
            "tags": _texts(given("tags", ()), said=f"tags of {said}"),
            "description": given("description", ""),
            "depends_on": _several(given("depends_on", ()), said=f"depends_on of {said}"),
            "resources": _texts(given("resources", ()), said=f"resources of {said}"),
            "variants": as_variants(_several(given("variants", ()), said=f"variants of {said}"), said=said),
            **{flag: options.get(flag, False) for flag in _FLAGS},
        }
        collected = _COLLECTED.get()
        values["place"] = calling_place(loading=collected.file if collected else None)
        values["call"] = task_call(values["task"], eval_name=name)
        for field, value in values.items():
            object.__setattr__(self, field, value)
        _check_rest(self, said=said)
        if collected is not None:
            collected.found.append(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.task(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<eval {self.name!r}>"

    @property
    def kind(self) -> TaskKind:
        """How the task gives its output."""
        return self.call.kind


@contextmanager
def collecting(file: str | None = None) -> Iterator[list[Suite]]:
    """Every suite that is made within, in order; later ones of an equal name too.

    file: the absolute path of the file that is loaded. What the code of its module makes, directly or by
    functions of others that it calls, has its place there.
    """
    found: list[Suite] = []
    token = _COLLECTED.set(_Collected(file, found))
    try:
        yield found
    finally:
        _COLLECTED.reset(token)


def checked_name(name: object) -> str:
    """The name of an eval. Raises InputError where it is blank or of several lines."""
    if callable(name):
        raise InputError('an eval needs a name: write @rankle.eval("Name", data=…, scorers=[…])')
    if not isinstance(name, str) or not name.strip() or "\n" in name:
        raise InputError(f"an eval needs a name of one line that is not blank, got {name!r}")
    return name


def _several(given: Any, *, said: str) -> tuple[Any, ...]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InputError(f"{said} must be a list, got {given!r:.80}; write it as [{given!r:.80}]")
    return tuple(given)


def _texts(given: Any, *, said: str) -> tuple[str, ...]:
    texts = _several(given, said=said)
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{said} must be texts that are not blank, got {text!r:.80}")
    return texts


def _scorers(given: Any, *, said: str) -> tuple[Scorer, ...]:
    scorers = tuple(map(as_scorer, _several(given, said=f"scorers of {said}")))
    _check_distinct([one.name for one in scorers], said=f"scorers of {said}")
    return scorers


def _run_scorers(given: Any, *, said: str) -> tuple[RunScorer, ...]:
    scorers = _several(given, said=f"run_scorers of {said}")
    for one in scorers:
        if not isinstance(one, RunScorer):
            raise InputError(
                f'run_scorers of {said} must be made by @rankle.run_scorer("name"), got {one!r:.80}'
            )
    _check_distinct([one.name for one in scorers], said=f"run_scorers of {said}")
    return scorers


def _check_distinct(names: Sequence[str], *, said: str) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f'two {said} are called "{name}"; give each its own name')


def _check_rest(suite: Suite, *, said: str) -> None:
    for flag in _FLAGS:
        if not isinstance(getattr(suite, flag), bool):
            raise InputError(f"{flag} of {said} must be true or false, got {getattr(suite, flag)!r:.80}")
    if suite.columns is not None and not callable(suite.columns):
        raise InputError(f"columns of {said} must be a function of a context, got {suite.columns!r:.80}")
    if not isinstance(suite.description, str):
        raise InputError(f"description of {said} must be text, got {suite.description!r:.80}")
    if "variant" in suite.call.by_name and not suite.variants:
        raise InputError(f'the task of {said} takes "variant", and there is none; add some, by .each([…])')
    if suite.asked.threshold is not None and not any(one.weight for one in suite.scorers):
        raise InputError(f"{said} has a threshold and no scorer with a weight that could reach it; add one")
