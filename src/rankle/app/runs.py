"""Load a run by its name: from the records, or from a file that was exported before."""

from dataclasses import dataclass
from pathlib import Path

from rankle.app.eval_runs import eval_reports, one_of
from rankle.app.wiring.records import NO_RECORDS, records_place
from rankle.core.errors import InputError
from rankle.core.run import RunReport
from rankle.records.exported import read_exported
from rankle.records.finding import names_file
from rankle.records.reference import looks_like_file
from rankle.records.run_info import RunInfo
from rankle.records.store import open_store


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run as it was reported the day it ran."""

    report: RunReport
    info: RunInfo | None
    """What the records know beside; None for a file."""

    @property
    def is_best_method(self) -> bool:
        """Whether nobody named the method, so that a knowledge base took its best."""
        return (
            self.info is not None
            and self.info.settings.get("methods") == []
            and self.info.system_name.startswith("kb:")
        )


def records_to_read(records: Path | None = None) -> Path:
    """The store to read: that which is given, else the project's. Raises InputError where none is kept."""
    place = records_place(records=records).path
    if place is None:
        raise InputError(
            f'RANKLE_RECORDS or the project file says "{NO_RECORDS}", so there are no records; '
            "name a store with --records FILE"
        )
    return place


def load_run(ref: str, *, records: Path | None = None) -> LoadedRun:
    """The run that `ref` names: an id or its beginning, `latest`, `latest~1`, a tag, or a file.

    records: the store; None for the project's. Files need none. `RUN#NAME` is one eval of a run of evals.
    Raises UnknownNameError, InputError or CannotMeasureError where it names no complete run or several
    evals, RecordError where the store cannot be read.
    """
    place = None if looks_like_file(ref) else records_place(records=records).path
    if place is None or not place.is_file():
        if names_file(ref, tags=()):
            return LoadedRun(_of_file(ref), None)
        place = records_to_read(records)
    with open_store(place) as store:
        tags = {tag for info in store.runs() for tag in info.tags}
        if names_file(ref, tags=tags):
            return LoadedRun(_of_file(ref), None)
        return LoadedRun(store.load(ref), store.info(ref))


def _of_file(ref: str) -> RunReport:
    reports = eval_reports(ref)
    return read_exported(ref) if reports is None else one_of(reports, ref)
