"""Where runs are recorded: flag, environment, project file and default, weighed."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.app.wiring.project import find_project

NO_RECORDS: Final = "none"
"""What `RANKLE_RECORDS` and the project file say where runs are to leave no record."""


@dataclass(frozen=True, slots=True)
class RecordsPlace:
    """Where runs are recorded."""

    path: Path | None
    """None where they are to leave no record."""
    is_asked_for: bool
    """Whether somebody named it, so that a run without a record is not what was asked for."""


def records_place(
    *, records: Path | None = None, environ: Mapping[str, str] | None = None, cwd: Path | None = None
) -> RecordsPlace:
    """Weigh flag, `RANKLE_RECORDS`, project file (relative to its folder) and default, in this order.

    The default is `.rankle/records.db` beside the project file; without one, in the current folder.
    """
    from rankle.records.place import default_place

    env = os.environ if environ is None else environ
    here = (cwd or Path.cwd()).absolute()
    project = find_project(here)
    if records is not None:
        return RecordsPlace(here / records.expanduser(), is_asked_for=True)
    candidates = ((env.get("RANKLE_RECORDS"), here), (project.settings.get("records"), project.folder))
    for named, base in candidates:
        if named == NO_RECORDS:
            return RecordsPlace(None, is_asked_for=False)
        if named:
            return RecordsPlace(base / Path(named).expanduser(), is_asked_for=True)
    return RecordsPlace(default_place(project.folder), is_asked_for=False)
