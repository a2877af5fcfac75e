"""Look at installation, machine, project and workspace, and say what is wrong and what to do."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from rankle.app.doctor_machine import (
    THREAD_VARIABLES,
    check_disk,
    check_python,
    check_sqlite,
    check_threads,
    check_variables,
    check_writable,
    processors,
)
from rankle.app.doctor_models import ModelPlaces, check_extras, check_models
from rankle.app.doctor_project import check_project, check_records, check_workspace, unreadable
from rankle.app.doctor_sets import check_sets
from rankle.app.doctor_systems import are_measured_without_workspace, check_systems
from rankle.app.wiring.models import model_cache, model_hub, openai_key
from rankle.app.wiring.project import PROJECT_FILE, find_project
from rankle.app.wiring.records import records_place
from rankle.app.wiring.settings import Settings, load_settings
from rankle.app.wiring.variables import unread_variables, variables
from rankle.core.errors import RankleError
from rankle.core.health import Check, DoctorReport, doctor_report
from rankle.core.product import VERSION
from rankle.kb.workspace_info import WorkspaceInfo
from rankle.models.catalog import DEFAULT_MODEL


def examine(*, workspace: str | None = None, cwd: Path | None = None) -> DoctorReport:
    """Everything that can be looked at, whatever of it is broken. Changes nothing; asks servers.

    workspace: the one to look at; None for that of the project.
    """
    here = (cwd or Path.cwd()).absolute()
    return doctor_report([*_of_machine(), *_of_project(here, workspace)], version=VERSION)


def _of_machine() -> Iterator[Check]:
    yield from check_python()
    yield from check_sqlite()
    yield from check_extras()
    yield from check_threads(variables(THREAD_VARIABLES), processors())
    yield from check_variables(unread_variables())


def _of_project(here: Path, workspace: str | None) -> Iterator[Check]:
    project, gates = check_project(here)
    yield project
    if gates is None:  # where the workspace and the records are is not known
        return
    try:
        settings = load_settings(workspace=workspace, cwd=here)
        place = records_place(cwd=here)
    except RankleError as error:
        yield Check(name="Workspace", state="fault", says=str(error))
        return
    except OSError as error:
        yield unreadable("Workspace", error)
        return
    checks, info = check_workspace(settings)
    needs_none = info is None and are_measured_without_workspace(here)
    yield from map(_unneeded, checks) if needs_none else checks
    models = ModelPlaces(model_cache(), model_hub(), openai_key())
    of_models = _whatever_fails("Model", check_models(_models(settings, info), models))
    yield from map(_unneeded, of_models) if needs_none else of_models
    yield from check_systems(here)
    sets = check_sets(
        find_project(here).folder,
        gates,
        here=here,
        workspace=settings.workspace,
        is_indexed=bool(info and info.roots),
    )
    yield from _whatever_fails("Set", sets)
    yield check_records(place)
    places = [("workspaces", settings.home), ("models", model_cache())]
    yield from check_disk([*places, *([("records", place.path)] if place.path else [])])
    written = [("workspaces", settings.home, "RANKLE_HOME")]
    if place.path is not None:
        written.append(("records", place.path.parent, "RANKLE_RECORDS"))
    yield from check_writable(written)


def _unneeded(check: Check) -> Check:
    """What would be a warning about a workspace, where only searches of their own are measured."""
    if check.state != "warning":
        return check
    return msgspec.structs.replace(
        check, state="ok", says=f"{check.says}; systems of {PROJECT_FILE} need none"
    )


def _whatever_fails(name: str, checks: Iterator[Check]) -> Iterator[Check]:
    """The checks; a folder that may not be read is a fault, and the rest is looked at all the same."""
    try:
        yield from checks
    except OSError as error:
        yield unreadable(name, error)


def _models(settings: Settings, info: WorkspaceInfo | None) -> Iterator[str]:
    """The model of the workspace, and that of new ones."""
    if info is not None and info.vectors is not None:
        yield info.vectors.model
    yield settings.model or DEFAULT_MODEL
