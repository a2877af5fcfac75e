"""What `rankle doctor` looks at of the searches that a project file names: whether they can be asked."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from rankle.app.wiring.project import find_project
from rankle.app.wiring.systems import check_command, open_systems
from rankle.core.errors import RankleError
from rankle.core.health import Check, State
from rankle.core.ports import RunningSystem
from rankle.core.product import NAME
from rankle.systems.plugins import plugin_schemes

_ASKED: Final = ("http", "https")
"""Kinds that a question does nothing to. Programs are not started and modules not imported."""
_LEFT_ALONE: Final = ("python",)
_READ: Final = ("run", "kb")
_FOUND: Final = "command"
"""A program is looked for, and not started."""


def check_systems(here: Path) -> Iterator[Check]:
    """Each table `[systems.NAME]` of the nearest project file; one behind HTTP is asked its health check."""
    tables: Any = find_project(here).settings.get("systems", {})
    if not isinstance(tables, Mapping):
        yield _system("fault", f"systems must be tables, [systems.NAME], got {tables!r:.80}")
        return
    for name, table in tables.items():
        yield _check_system(name, table, here)


def are_measured_without_workspace(here: Path) -> bool:
    """Whether the nearest project file names searches, and no workspace of rankle among them."""
    tables: Any = find_project(here).settings.get("systems", {})
    if not isinstance(tables, Mapping) or not tables:
        return False
    return not any(str(table).startswith("kb:") for table in map(_uri, tables.values()))


def _uri(table: Any) -> object:
    return table.get("uri") if isinstance(table, Mapping) else None


def _check_system(name: str, table: Any, here: Path) -> Check:
    uri = _uri(table)
    kind = uri.partition(":")[0].lower() if isinstance(uri, str) else ""
    unasked = f"is not asked here; to ask it: {NAME} eval SET --system {name}"
    if kind in (*_LEFT_ALONE, *plugin_schemes()):
        return _system("ok", f"{name}, by {kind}:, {unasked}")
    is_open = False
    try:
        with open_systems([name], cwd=here) as (system,):
            is_open = True
            if kind == _FOUND:
                command = str(uri).partition(":")[2]
                if "${" not in command:  # what variables make of it is known to those who open it alone
                    check_command(command, find_project(here).folder)
                return _system("ok", f"{name}, by {kind}:, {unasked}")
            if kind in _READ or not isinstance(system, RunningSystem):
                return _system("ok", f"{name} can be read")
            asyncio.run(_asked(system))
    except RankleError as error:
        start = "start it, or " if is_open and kind in _ASKED else ""
        words = str(error).removeprefix(f"{name}: ")
        return _system("fault", f"{name}: {words}", f"{start}mend [systems.{name}]")
    return _system("ok", f"{name} answers")


async def _asked(system: RunningSystem) -> None:
    try:
        await system.start()
    finally:
        await system.stop()


def _system(state: State, says: str, advice: str | None = None) -> Check:
    return Check(name="System", state=state, says=says, next=advice)
