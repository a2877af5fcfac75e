"""Which workspace is used, and where it lives: flag, environment, project file and default, weighed."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.app.wiring.project import read_project_file
from rankle.core.errors import InputError
from rankle.core.product import NAME

DEFAULT_WORKSPACE: Final = "default"
CHOICE_FILE: Final = "workspace"
"""In the home; holds the name that `workspace use` chose, so no workspace can have this name."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things live, after flags, environment, project file and defaults were weighed."""

    home: Path
    """Folder of the workspaces."""
    workspace: str
    """Name of the workspace to use."""
    workspace_from: str
    """What decided the workspace: `-w`, `RANKLE_WORKSPACE`, the project file, `workspace use`, `default`."""
    model: str | None = None
    """The embedding model of new workspaces, or `none`; None where nobody chose one."""


def load_settings(
    *,
    workspace: str | None = None,
    given_as: str = "-w",
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Settings:
    """Weigh flag, environment, project file, stored choice and default, in this order.

    given_as: what the user calls the place from which `workspace` is, for an error.
    """
    env = os.environ if environ is None else environ
    home = Path(env["RANKLE_HOME"]).expanduser() if env.get("RANKLE_HOME") else _default_home()
    project = read_project_file(cwd or Path.cwd())
    chosen = home / CHOICE_FILE
    candidates = (
        (workspace, "-w"),
        (env.get("RANKLE_WORKSPACE"), "RANKLE_WORKSPACE"),
        (project.get("workspace"), "project file"),
        (chosen.read_text(encoding="utf-8").strip() if chosen.is_file() else None, "workspace use"),
        (DEFAULT_WORKSPACE, "default"),
    )
    name, source = next((name, source) for name, source in candidates if name)
    checked = _checked_name(name, source=given_as if source == "-w" else source)
    model = env.get("RANKLE_MODEL") or project.get("model") or None
    return Settings(home=home.absolute(), workspace=checked, workspace_from=source, model=model)


def _checked_name(name: str, *, source: str) -> str:
    if (
        name in {".", ".."}
        or not all(char.isalnum() or char in "-_." for char in name)
        or name.startswith(".")
    ):
        raise InputError(
            'a workspace is named by letters, digits, "-", "_" and ".", not beginning with "."; '
            f'got "{name}" from {source}'
        )
    if name.casefold() == CHOICE_FILE:
        raise InputError(
            f'"{name}" (from {source}) is no name for a workspace: the file of that name holds the choice of '
            "`workspace use`"
        )
    return name


def _default_home() -> Path:
    from platformdirs import user_data_path

    return user_data_path(NAME, appauthor=False)
