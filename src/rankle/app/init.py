"""Start a project: write what it takes to measure search, and leave what is there as it is."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.app.starter_files import WORKFLOW, Known, StarterFile, starter_files, workflow_name
from rankle.app.wiring.project import PROJECT_FILE, find_project
from rankle.app.wiring.settings import CHOICE_FILE, load_settings
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.product import NAME
from rankle.kb.workspaces import workspace_names
from rankle.systems.uri import parse_uri

_DOCUMENTS: Final = ("docs", "doc", "documents", "documentation", "notes", "handbook", "wiki", "content")
"""Folders in which a project may keep its documents, the likeliest first."""
SYSTEM_EXAMPLES: Final = {
    "http": "http://localhost:8080/search",
    "python": "python:evals.example_eval:words_in_common",
    "command": "command:./search",
    "run": "run:results.run",
    "kb": "kb:default",
}
"""Kinds of search, each with a URI to begin with; that of Python names the search of the example."""
_FALLBACK: Final = "project"
"""Workspace of a folder whose name has no letter that one may have."""
_PYPROJECT: Final = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Written:
    """One file that was made, or was there."""

    path: Path
    purpose: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Started:
    """What a project has now."""

    folder: Path
    """Absolute."""
    files: tuple[Written, ...]
    workspace: str
    is_workspace_there: bool
    """Whether a workspace of that name is there already, of this folder or of another."""
    documents: str | None
    """Folder of documents that was found, relative to the folder."""
    system: str | None
    """URI of a search of the user's own."""
    table: str
    """What stands before the name of a table of the settings: `tool.rankle.` in a pyproject.toml."""
    has_gates: bool
    """Whether the settings have gates, which the workflow judges by."""

    @property
    def has_new_settings(self) -> bool:
        """Whether the project file was made now."""
        return any(file.is_new and file.path == self.folder / PROJECT_FILE for file in self.files)


def start_project(folder: Path, *, system: str | None = None) -> Started:
    """Write the files that are not there. None is written over, whatever it holds.

    system: a search of the user's own, which is measured in place of a workspace: its URI, or its kind.
    folder: made where it is missing. Raises InputError where it is a file, OSError where nothing can be
    written.
    """
    here = folder.absolute().resolve()
    if here.exists() and not here.is_dir():
        raise InputError(f"{folder} is a file; name a folder, or none for this one")
    repository = _repository(here)
    below = here.relative_to(repository).as_posix()
    uri = None if system is None else _uri(system)
    known = Known(
        workspace=_workspace(here),
        below="" if below == "." else below,
        documents=_documents(here),
        system=uri,
        workflow=_workflow(repository, "" if below == "." else below, here.name),
    )
    written = tuple(
        _write(file, here=repository if file.name == known.workflow else here)
        for file in starter_files(known)
    )
    workspace = load_settings(cwd=here)
    return Started(
        folder=here,
        files=written,
        workspace=workspace.workspace,
        is_workspace_there=workspace.workspace in workspace_names(workspace.home),
        documents=known.documents,
        system=uri,
        table="" if (here / PROJECT_FILE).exists() else f"tool.{NAME}.",
        has_gates=bool(find_project(here).settings.get("gates")),
    )


def _write(file: StarterFile, *, here: Path) -> Written:
    path = here / file.name
    if file.name == PROJECT_FILE and _has_own_table(here):
        return Written(here / _PYPROJECT, f"[tool.{NAME}], {file.purpose}", is_new=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as out:
            out.write(file.text)
    except FileExistsError:
        return Written(path, file.purpose, is_new=False)
    return Written(path, file.purpose, is_new=True)


def _has_own_table(folder: Path) -> bool:
    """Whether the settings stand in `pyproject.toml`, which a file of their own would put out of force.

    Raises InputError where that is no TOML.
    """
    path = folder / _PYPROJECT
    if not path.is_file():
        return False
    try:
        return NAME in tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not valid TOML: {error}") from error


def _repository(folder: Path) -> Path:
    """Where GitHub looks for workflows: the top of the repository; the folder itself where there is none."""
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), folder)


def _check_kind(uri: str) -> None:
    """Raises UnknownNameError on a kind of system that neither is built in nor comes with a package."""
    from rankle.systems.plugins import plugin_schemes

    known = (*SYSTEM_EXAMPLES, "https", *plugin_schemes())
    scheme = parse_uri(uri).scheme
    if scheme not in known:
        hint = f"There is: {', '.join(f'{name}:' for name in known)}"
        raise UnknownNameError(what="kind of system", name=scheme, known=known, hint=hint)


def _workflow(repository: Path, below: str, folder: str) -> str:
    """The name of the workflow's file; another where that of another project has the usual one."""
    usual = repository / WORKFLOW
    first = usual.read_text(encoding="utf-8", errors="replace") if usual.is_file() else None
    return workflow_name(below, first=first, folder=folder)


def _uri(system: str) -> str:
    """The URI that was given, or an example of that kind. Raises InputError on what is neither."""
    if ":" in system:
        if parse_uri(system).shown != system.strip():
            raise InputError(
                "the URI holds a key or a password, which would stand in a file. Write the name of a "
                "variable in its place, such as ${SEARCH_TOKEN}"
            )
        _check_kind(system)
        return system.strip()
    if system not in SYSTEM_EXAMPLES:
        hint = f"There is: {', '.join(SYSTEM_EXAMPLES)}; or write a URI, such as {SYSTEM_EXAMPLES['http']}"
        raise UnknownNameError(what="kind of system", name=system, known=SYSTEM_EXAMPLES, hint=hint)
    return SYSTEM_EXAMPLES[system]


def _workspace(folder: Path) -> str:
    """A name for the workspace of a folder: its own, of signs that a workspace may have."""
    name = re.sub(r"[^\w.-]+|_", "-", folder.name).strip("-._")
    return name if name and name.casefold() != CHOICE_FILE else _FALLBACK


def _documents(folder: Path) -> str | None:
    return next((name for name in _DOCUMENTS if (folder / name).is_dir()), None)
