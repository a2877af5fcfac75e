"""List the recorded runs, and delete those that nobody needs."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rankle.app.runs import records_to_read
from rankle.records.choosing import RunFilter, prunable
from rankle.records.run_info import RunInfo, RunState
from rankle.records.store import open_store


@dataclass(frozen=True, slots=True)
class History:
    """Runs of a store."""

    path: Path
    runs: tuple[RunInfo, ...]
    """Those that fit, newest first."""
    n_all: int
    """How many the store holds."""


def list_runs(wanted: RunFilter = RunFilter(), *, records: Path | None = None) -> History:  # noqa: B008 - frozen
    """The recorded runs that fit. Raises RecordError where the store is missing or cannot be read."""
    place = records_to_read(records)
    with open_store(place) as store:
        every = store.runs()
    return History(place, tuple(info for info in every if wanted.fits(info)), len(every))


def find_before(run: str, *, records: Path) -> RunInfo | None:
    """The newest complete run that began before a run and asked the same; None where there is none.

    One in which every query failed has no figure to compare, and is passed over.
    """
    with open_store(records) as store:
        every = store.runs()
    places = [place for place, info in enumerate(every) if info.id == run]
    older = every[places[0] + 1 :] if places else []
    return next((info for info in older if _is_like(info, every[places[0]])), None)


def plan_prune(
    *, keep: int | None = None, before: datetime | None = None, records: Path | None = None
) -> History:
    """What a prune would delete, before anyone is asked; see `rankle.records.choosing.prunable`."""
    place = records_to_read(records)
    with open_store(place) as store:
        every = store.runs()
    return History(place, tuple(prunable(every, keep=keep, before=before)), len(every))


def _is_like(info: RunInfo, other: RunInfo) -> bool:
    """Whether the two can be compared figure by figure."""
    same = ("set_fingerprint", "level", "depth", "measures")
    is_measured = info.state is RunState.COMPLETE and info.n_failed != info.n_done
    return is_measured and all(_named(info, name) == _named(other, name) for name in same)


def _named(info: RunInfo, name: str) -> object:
    return sorted(info.measures) if name == "measures" else getattr(info, name)


def prune(plan: History) -> int:
    """Delete the runs of a plan, but those that were tagged or gone on with meanwhile. Returns how many."""
    with open_store(plan.path) as store:
        return store.delete(info.id for info in plan.runs)
