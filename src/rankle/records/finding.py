"""Finds the run that a name means."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.core.product import NAME
from rankle.records.reference import looks_like_file, looks_like_id, steps_back
from rankle.records.run_info import RunInfo, RunState

_LISTED: Final = 5
Row = tuple[int, RunInfo]
"""The number of a run, and what is known of it."""


def names_file(ref: str, *, tags: Collection[str]) -> bool:
    """Whether a name is a file's: by its form, or since it is one and no run is called so."""
    if looks_like_file(ref):
        return True
    is_run = steps_back(ref) is not None or looks_like_id(ref) or ref in tags
    return not is_run and Path(ref.partition("#")[0]).is_file()


def find_run(ref: str, rows: Sequence[Row], *, store: Path) -> Row:
    """The run that `ref` means, of all runs of a store, newest first.

    Raises UnknownNameError where there is none of this name, InputError where the beginning of an id is that
    of several, or fewer runs are complete than `latest~N` goes back.
    """
    back = steps_back(ref)
    if back is not None:
        complete = [row for row in rows if row[1].state is RunState.COMPLETE]
        if back.steps < len(complete):
            return complete[back.steps]
        raise InputError(
            f'"{ref}" means one of the latest complete runs, and {store} holds {len(complete)}. '
            f"See: {NAME} history"
        )
    found = [row for row in rows if ref in row[1].tags]
    if not found and looks_like_id(ref):
        found = [row for row in rows if row[1].id.startswith(ref)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f'"{ref}" is the beginning of several runs: {_listed(found)}. Write more of it')
    raise UnknownNameError(
        what="run",
        name=ref,
        known=[name for _, info in rows for name in (*info.tags, info.id)],
        hint=f"A run is named by its id, a tag, latest, or a file. See: {NAME} history",
    )


def check_complete(info: RunInfo) -> None:
    """Raise CannotMeasureError where a run has not seen its last case."""
    if info.state is RunState.COMPLETE:
        return
    so_far = f"{info.n_done} of {info.n_queries} queries"
    if info.state is RunState.RUNNING:
        raise CannotMeasureError(f"run {info.id} is still running, at {so_far}; wait for it")
    raise CannotMeasureError(
        f"run {info.id} was interrupted at {so_far}, so it has no figures. Go on with it: call "
        f"`{NAME} eval` as before, with --resume"
    )


def _listed(found: Sequence[Row]) -> str:
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return ", ".join(info.id for _, info in found[:_LISTED]) + more
