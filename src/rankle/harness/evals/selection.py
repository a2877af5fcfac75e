"""Makes evals ready to run: reads their data, chooses their cases and weighs their options."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError
from rankle.core.trials import ErrorReport
from rankle.harness.evals.choosing import ALL, Choice, ChosenEval, choose, marked_rows
from rankle.harness.evals.choosing import Selection as Selection
from rankle.harness.evals.data import ROWS, LoadedData
from rankle.harness.evals.failures import error_report
from rankle.harness.evals.fingerprints import TaskReading, read_task
from rankle.harness.evals.keys import Repeated, repeated_names
from rankle.harness.evals.options import (
    DEFAULT_DATA_TIMEOUT_S,
    DEFAULT_TIMEOUT_S,
    DEFAULT_TRIALS,
    Asked,
    EvalOptions,
)
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.reading import DataReader, OnReading, data_reader, untold
from rankle.harness.evals.rows import case_of
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite

_T = TypeVar("_T")
_NOTHING: Final = Asked()
_UNREAD: Final = TaskReading("", ())


async def prepare(
    suites: Sequence[Suite],
    *,
    asked: Asked = _NOTHING,
    config: Asked = _NOTHING,
    chosen: Selection = ALL,
    root: Path,
    stop: Stop | None = None,
    on_reading: OnReading = untold,
) -> list[PreparedEval]:
    """The evals that are run, in the order of the suites, one for each variant.

    asked: of the call or command; it outranks what an eval asks, which outranks `config`, the project file,
        which outranks the defaults.
    root: the project's folder, absolute; keys are relative to it.
    Evals that are marked to be skipped, stand beside one marked `only`, or have no case that was chosen are
    left out. What is wrong with an eval stands in its `error`, and the others are prepared none the less.
    on_reading: told whose data is being read, where that takes its time. Raises CannotMeasureError where the
        run is stopped meanwhile.
    """
    choice = choose(suites, chosen, root=root)
    repeated = repeated_names([one.suite for one in choice.evals], root=root)
    read: dict[int, _Read] = {}
    found: list[PreparedEval] = []
    async with data_reader(stop or Stop(), on_reading=on_reading) as reader:
        for suite in {id(one.suite): one.suite for one in choice.evals}.values():
            limit_s = data_timeout_s(asked, suite.asked, config)
            read[id(suite)] = await _read(
                suite, reader, root=root, repetition=repeated.get(id(suite)), timeout_s=limit_s
            )
    for one in choice.evals:
        repetition = repeated.get(id(one.suite))
        key = one.key(root) + (repetition.mark if repetition else "")
        options = weighed(asked, one.suite.asked, config)
        found += _prepared(one, read[id(one.suite)], choice, chosen, key=key, options=options, root=root)
    return found


def weighed(asked: Asked, own: Asked, config: Asked) -> EvalOptions:
    """The options of an eval: what the command asks, else the eval, else the project file, else defaults."""
    places = (asked, own, config)
    return EvalOptions(
        timeout_s=_first([place.timeout_s for place in places], DEFAULT_TIMEOUT_S),
        trials=_first([place.trials for place in places], DEFAULT_TRIALS),
        threshold=_first([place.threshold for place in places], None),
        cache=_first([place.cache for place in places], True),
        # that of the project file is of all evals together, and so is that of the command, which outranks
        concurrency=own.concurrency if asked.concurrency is None else None,
    )


def data_timeout_s(asked: Asked, own: Asked, config: Asked) -> float:
    """How long reading the data of an eval may take."""
    return _first([place.data_timeout_s for place in (asked, own, config)], DEFAULT_DATA_TIMEOUT_S)


def _first(said: Sequence[_T | None], default: _T) -> _T:
    return next((value for value in said if value is not None), default)


@dataclass(frozen=True, slots=True)
class _Read:
    """What reading the data of an eval gave."""

    data: LoadedData
    error: ErrorReport | None = None


async def _read(
    suite: Suite, reader: DataReader, *, root: Path, repetition: Repeated | None, timeout_s: float
) -> _Read:
    if repetition is not None:
        return _Read(LoadedData((), ROWS), error_report(InputError(repetition.words)))
    called = await reader.read(suite, root=root, timeout_s=timeout_s)
    return _Read(LoadedData((), ROWS) if called.error else called.value, called.error)


def _prepared(
    one: ChosenEval,
    read: _Read,
    choice: Choice,
    chosen: Selection,
    *,
    key: str,
    options: EvalOptions,
    root: Path,
) -> list[PreparedEval]:
    """The eval with its cases; nothing where it has some and none was chosen."""
    rows = read.data.rows
    marked = marked_rows(rows)
    places = sorted(set(marked) & set(choice.of_rows(rows, one, key=key, by=chosen)))
    if marked and not places:
        return []
    task, error = (_UNREAD, read.error) if read.error else _task(one, root)
    variant = None if one.variant is None else one.variant.input
    return [
        PreparedEval(
            suite=one.suite,
            variant=one.variant,
            key=key,
            cases=() if error else tuple(case_of(rows[n], position=n, variant=variant) for n in places),
            n_in_data=len(rows),
            n_skipped=len(rows) - len(marked),
            is_full=len(places) == len(marked) and not any(row.row.only for row in rows),
            options=options,
            data=read.data.source,
            data_fingerprint=fingerprint(sorted(row.id for row in rows)),
            task_fingerprint=task.fingerprint,
            notices=_notices(one.suite, task, is_cached=options.cache),
            error=error,
        )
    ]


def _task(one: ChosenEval, root: Path) -> tuple[TaskReading, ErrorReport | None]:
    try:
        return read_task(one.suite, variant=one.variant, root=root), None
    except Exception as error:  # noqa: BLE001 - of objects of the user that are asked what they are made of
        return _UNREAD, error_report(error)


def _notices(suite: Suite, task: TaskReading, *, is_cached: bool) -> tuple[str, ...]:
    """What a cache would hide: that answers of before are taken although what gave them has changed."""
    if not (suite.cacheable and is_cached and task.unseen) or suite.depends_on:
        return ()
    names = ", ".join(task.unseen)
    return (f"the cache does not see what changes in {names}; list what counts under depends_on",)
