"""Whether, where and how runs are recorded: what is asked for, before anything is opened."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rankle.app.wiring.records import records_place
from rankle.core.errors import InputError, RecordError


def warn_of(problem: RecordError) -> None:
    """Say by a warning that a run leaves no record."""
    warnings.warn(f"the run is not recorded: {problem}", RuntimeWarning, stacklevel=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """Where and how the runs of one evaluation are recorded."""

    path: Path
    """The store; made where it is not there."""
    name: str | None = None
    """What the runs are called in lists."""
    tag: str | None = None
    """A tag for the one run, once it is complete."""
    resume: bool = False
    """Go on with the interrupted run that asked the same, in place of a new one."""
    reuse: bool = True
    """Whether to take results from earlier runs of the store that asked the same of the same, in place of
    asking again: of systems whose fingerprint tells all that they answer by, such as a knowledge base."""
    is_asked_for: bool = True
    """Whether to measure nothing where nothing can be recorded; else a problem is told, and the run goes on.
    One that turns up while queries are asked is told in either case: their figures are not thrown away."""
    on_problem: Callable[[RecordError], None] = warn_of


def recording_of(record: "Recording | Path | str | bool") -> Recording | None:
    """What `record=` of `rankle.evaluate` means; None for no record.

    True takes the store that the command line would. Raises InputError where that is none.
    """
    if isinstance(record, Recording):
        return record
    if isinstance(record, bool):
        if not record:
            return None
        place = records_place().path
        if place is None:
            raise InputError("record=True, but RANKLE_RECORDS or the project file says none; give a path")
        return Recording(path=place)
    return Recording(path=Path(record))
