"""List, create, choose, describe and delete workspaces."""

from dataclasses import dataclass, replace
from pathlib import Path

from rankle.app.wiring.knowledge_base import missing_workspace, open_knowledge_base
from rankle.app.wiring.settings import CHOICE_FILE, Settings, load_settings
from rankle.core.errors import InputError, WorkspaceError
from rankle.kb.ratings import Ratings
from rankle.kb.workspace_info import WorkspaceInfo
from rankle.kb.workspaces import delete_workspace, is_workspace, may_be_deleted, workspace_names


@dataclass(frozen=True, slots=True)
class ListedWorkspace:
    """One workspace of the home."""

    name: str
    is_current: bool
    info: WorkspaceInfo | None
    """None where it cannot be opened."""
    problem: str | None


@dataclass(frozen=True, slots=True)
class Deletion:
    """What is to be deleted."""

    name: str
    folder: Path
    info: WorkspaceInfo | None
    """None where it cannot be opened."""
    n_ratings: int | None
    """None where they cannot be read."""


def list_workspaces(settings: Settings) -> list[ListedWorkspace]:
    """By name; also those that cannot be opened, with the reason."""
    return [
        _listed(name, settings=settings, is_current=name == settings.workspace)
        for name in workspace_names(settings.home)
    ]


def create_workspace(settings: Settings) -> Path:
    """Make an empty workspace of the name in `settings`. Raises InputError where there is one."""
    folder = settings.home / settings.workspace
    if is_workspace(folder):
        raise InputError(f'there is a workspace "{settings.workspace}" already, at {folder}')
    open_knowledge_base(settings, create=True).close()
    return folder


def use_workspace(settings: Settings) -> Settings:
    """Remember the workspace of `settings` for all commands to come. Returns what they will use.

    That is another one where the environment or a project file decides first. Raises WorkspaceError where the
    workspace does not exist.
    """
    if not is_workspace(settings.home / settings.workspace):
        raise missing_workspace(settings)
    (settings.home / CHOICE_FILE).write_text(settings.workspace + "\n", encoding="utf-8")
    return load_settings()


def describe_workspace(settings: Settings) -> WorkspaceInfo:
    """Raises WorkspaceError where it does not exist or cannot be opened."""
    with open_knowledge_base(settings) as kb:
        return kb.info()


def plan_deletion(settings: Settings) -> Deletion:
    """What would go, before anyone is asked. Raises WorkspaceError for what is no workspace of ours."""
    folder = settings.home / settings.workspace
    if not is_workspace(folder):
        if folder.is_dir():
            raise WorkspaceError(f"{folder} holds no workspace; it stays as it is")
        raise missing_workspace(settings)
    if folder.is_symlink() or not may_be_deleted(folder):
        raise WorkspaceError(f"{folder} was not made by this program; it stays as it is. Delete it by hand")
    info = _listed(settings.workspace, settings=settings).info
    return Deletion(settings.workspace, folder, info, _n_ratings(folder))


def _n_ratings(folder: Path) -> int | None:
    """They stand apart from the index, and are there where that cannot be opened."""
    try:
        return Ratings(folder).count()
    except WorkspaceError:
        return None


def delete(settings: Settings, deletion: Deletion) -> bool:
    """Delete it. Returns whether the choice of `workspace use` pointed to it and was dropped too."""
    delete_workspace(deletion.folder)
    choice = settings.home / CHOICE_FILE
    if choice.is_file() and choice.read_text(encoding="utf-8").strip() == deletion.name:
        choice.unlink()
        return True
    return False


def _listed(name: str, *, settings: Settings, is_current: bool = False) -> ListedWorkspace:
    own = replace(settings, workspace=name)
    try:
        return ListedWorkspace(name, is_current, describe_workspace(own), None)
    except WorkspaceError as error:
        return ListedWorkspace(name, is_current, None, str(error))
