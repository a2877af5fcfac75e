"""Runs of evals by their names: from the records, or from a file that `rankle run --output` wrote."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rankle.app.wiring.records import records_place
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.evals import SCHEMA, EvalsRun
from rankle.core.run import RunReport
from rankle.records.finding import find_rows, names_file
from rankle.records.reference import looks_like_file
from rankle.records.store import Store, open_store
from rankle.reports.evals_as_run import eval_names_of, evals_as_runs, key_names
from rankle.reports.evals_json import parse_evals_json, run_of

_HEAD: Final = 64


def find_evals(ref: str, *, records: Path | None = None) -> EvalsRun | None:
    """The run of evals that a name means, its cases read when they are needed; None where it means a run of
    search, or nothing that is there.

    ref: an id or its beginning, `latest`, `latest~1`, a tag, or a file; `RUN#NAME` has one eval alone.
    records: the store; None for the project's. Files need none.
    Raises InputError for an eval that the run does not hold, CannotMeasureError for a run that did not come
    to its end, RecordError where the store cannot be read.
    """
    place = _place(ref, records)
    if place is None:
        return _of_file(ref) if names_file(ref, tags=()) else None
    with open_store(place) as store:
        if names_file(ref, tags=_tags(store)):
            return _of_file(ref)
        return store.load_evals(ref) if _is_of_evals(store, ref) else None


def eval_reports(ref: str, *, records: Path | None = None) -> tuple[RunReport, ...] | None:
    """Each eval of the run that a name means, as a measured run; None where it means none of evals.

    Those that could not be run are left out. Raises as `find_evals` does, and InputError where none is left.
    """
    run = find_evals(ref, records=records)
    if run is None:
        return None
    if not any(one.error is None for one in run.evals):
        raise InputError(f'"{ref}" holds no eval that could be run, so it has no figures')
    place = _place(ref, records)
    if place is None:
        return evals_as_runs(run)
    with open_store(place) as store:
        if names_file(ref, tags=_tags(store)):
            return evals_as_runs(run)
        # They are stored ready, so that no output need be read.
        return tuple(store.load(one.id) for one in run.evals if one.error is None)


def eval_labels(keys: Sequence[RunReport]) -> tuple[str, ...]:
    """What each eval of a run is called behind `RUN#`: its name with its variant; its key where that is also
    another's."""
    short = [eval_names_of(one)[1] if len(eval_names_of(one)) > 1 else eval_names_of(one)[0] for one in keys]
    return tuple(
        name if short.count(name) == 1 else eval_names_of(one)[0]
        for name, one in zip(short, keys, strict=True)
    )


def one_of(reports: Sequence[RunReport], ref: str) -> RunReport:
    """The only eval of a run. Raises InputError where there are several, with what each is called."""
    if len(reports) == 1:
        return reports[0]
    names = ", ".join(f"{ref}#{label}" for label in eval_labels(reports))
    raise InputError(f'"{ref}" holds {len(reports)} evals; name one of them: {names}')


def _place(ref: str, records: Path | None) -> Path | None:
    """The store that may hold the run; None where there is none, or it is a file's name by its form."""
    place = None if looks_like_file(ref) else records_place(records=records).path
    return place if place is not None and place.is_file() else None


def _is_of_evals(store: Store, ref: str) -> bool:
    runs = store.runs()
    try:
        rows = find_rows(ref, list(zip(range(len(runs), 0, -1), runs, strict=True)), store=store.path)
    except InputError:
        if "#" in ref:  # an eval that the run does not hold is told of with those that it does
            raise
        return False  # who looks for a run of search says what is wrong with the name
    return rows[0][1].eval is not None


def _tags(store: Store) -> set[str]:
    return {tag for info in store.runs() for tag in info.tags}


def _of_file(ref: str) -> EvalsRun | None:
    name, _, which = ref.partition("#")
    path = Path(name).expanduser()
    if not _is_evals_file(path):
        return None
    run = run_of(parse_evals_json(path.read_bytes()))
    return _with_one(run, which, ref=name) if which else run


def _is_evals_file(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return SCHEMA.encode() in file.read(_HEAD)
    except OSError:  # who reads the file as a run of search says what is wrong with it
        return False


def _with_one(run: EvalsRun, name: str, *, ref: str) -> EvalsRun:
    """The run with the eval of this name alone."""
    names = {one.id: key_names(one.key, variant=one.variant) for one in run.evals}
    for depth in range(max(map(len, names.values()), default=0)):
        found = [one for one in run.evals if name in names[one.id][: depth + 1]]
        if len(found) == 1:
            return replace(run, evals=tuple(found))
        if found:
            keys = ", ".join(f"{ref}#{one.key}" for one in found)
            raise InputError(f"{ref} holds {len(found)} evals {name}; name one of them: {keys}")
    known = [each for one in names.values() for each in one]
    raise UnknownNameError(what=f"eval in {ref}", name=name, known=known)
