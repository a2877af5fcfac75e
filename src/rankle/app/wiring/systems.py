"""Opens the systems that URIs and tables of the project file name."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rankle.app.wiring.knowledge_base import knowledge_base_systems, open_knowledge_base
from rankle.app.wiring.project import Project, find_project
from rankle.app.wiring.settings import load_settings
from rankle.app.wiring.variables import secret_values
from rankle.core.errors import InputError

if TYPE_CHECKING:
    from rankle.core.ports import SearchSystem
    from rankle.systems.opening import Named
    from rankle.systems.uri import SystemUri


@contextmanager
def open_systems(
    names: Sequence[str],
    *,
    texts: bool = False,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> "Iterator[tuple[SearchSystem, ...]]":
    """The systems that URIs and names of `[systems.NAME]` mean, in their order; closed again at the end.

    texts: whether workspaces give results with their texts; of other systems, they are what comes.
    Raises InputError on a name that no table has, and on what cannot be opened.
    """
    from rankle.systems.opening import Surroundings, open_system

    env = os.environ if environ is None else environ
    named = [_named_system(name, find_project(cwd or Path.cwd()), cwd or Path.cwd()) for name in names]
    with ExitStack() as stack:

        def open_workspace(uri: "SystemUri", options: Mapping[str, object]) -> "SearchSystem":
            return _workspace_system(uri, options, stack=stack, texts=texts, environ=env, cwd=cwd)

        around = Surroundings(env, secret_values(env), open_workspace)
        yield tuple(open_system(each, around) for each in named)


def check_command(command: str, folder: Path) -> None:
    """Raises InputError where the program that a `command:` of a folder names is not there."""
    from rankle.systems.starting import check_program

    check_program(command, folder, os.environ)


def _named_system(name: str, project: Project, cwd: Path) -> "Named":
    from rankle.systems.opening import Named
    from rankle.systems.uri import is_uri, unknown_system

    if is_uri(name):
        return Named(name, {}, None, cwd.absolute())
    tables = project.settings.get("systems", {})
    table = tables.get(name) if isinstance(tables, Mapping) else None
    if table is None:
        raise unknown_system(name, tables if isinstance(tables, Mapping) else ())
    if not isinstance(table, Mapping) or not isinstance(table.get("uri"), str):
        raise InputError(f'[systems.{name}] needs what it is, such as uri = "http://localhost:8080/search"')
    options = {key: value for key, value in table.items() if key != "uri"}
    return Named(table["uri"], options, name, project.folder)


def _workspace_system(
    uri: "SystemUri",
    options: Mapping[str, object],
    *,
    stack: ExitStack,
    texts: bool,
    environ: Mapping[str, str],
    cwd: Path | None,
) -> "SearchSystem":
    from rankle.systems.options import read_options
    from rankle.systems.workspace_options import WorkspaceOptions

    named = f"{uri.scheme}:{uri.rest}"
    chosen = read_options(options, WorkspaceOptions, where=named)
    settings = load_settings(workspace=uri.rest, given_as=named, environ=environ, cwd=cwd)
    kb = stack.enter_context(open_knowledge_base(settings))
    (system,) = knowledge_base_systems(kb, methods=[chosen.method], settings=chosen.settings, texts=texts)
    return system
