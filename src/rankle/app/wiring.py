"""Builds the adapters from flags, environment, project file and defaults; no other file reads them."""

import os
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rankle.core.errors import InputError, UnknownNameError, WorkspaceError
from rankle.core.product import NAME

if TYPE_CHECKING:
    from rankle.core.embedding import Embedder, OpenEmbedder
    from rankle.core.ports import PassageSource, SearchSystem
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.search_settings import SearchSettings
    from rankle.kb.vectors.choice import DefaultModel
    from rankle.models.progress import OnModelProgress
    from rankle.models.readiness import Readiness
    from rankle.systems.knowledge_base import KnowledgeBaseSystem
    from rankle.systems.opening import Named
    from rankle.systems.uri import SystemUri

DEFAULT_WORKSPACE: Final = "default"
CHOICE_FILE: Final = "workspace"
"""In the home; holds the name that `workspace use` chose, so no workspace can have this name."""
PROJECT_FILE: Final = f"{NAME}.toml"
_PROJECT_KEYS: Final = ("workspace", "model", "records")
_PROJECT_TABLES: Final = ("gates", "run", "systems")
"""Keys of the project file whose tables are read by those whom they concern."""
NO_RECORDS: Final = "none"
"""What `RANKLE_RECORDS` and the project file say where runs are to leave no record."""


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


@dataclass(frozen=True, slots=True)
class Project:
    """The nearest project file."""

    folder: Path
    settings: Mapping[str, Any]


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


def read_project_file(start: Path) -> Mapping[str, Any]:
    """The settings of the nearest project file; see `find_project`."""
    return find_project(start).settings


def find_project(start: Path) -> Project:
    """The nearest `rankle.toml` upward, or `[tool.rankle]` in `pyproject.toml`; else `start`, no settings.

    Raises InputError where the file is not TOML, UnknownNameError on a key that does not exist.
    """
    import tomllib  # costs 2 ms, and every start of the command line imports this module

    for folder in (start.absolute(), *start.absolute().parents):
        for path in (folder / PROJECT_FILE, folder / "pyproject.toml"):
            if not path.is_file():
                continue
            try:
                table = tomllib.loads(path.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                quotes = '. Measures stand in quotes: "nDCG@10" = 0.7' if "after a key" in str(error) else ""
                raise InputError(f"{path} is not valid TOML: {error}{quotes}") from error
            if path.name == "pyproject.toml":
                table = table.get("tool", {}).get(NAME)
                if table is None:
                    continue
            return Project(folder, _checked_project(table, path=path))
    return Project(start.absolute(), {})


def open_knowledge_base(
    settings: Settings,
    *,
    create: bool = False,
    lazy: bool = False,
    open_embedder: "OpenEmbedder | None" = None,
) -> "KnowledgeBase":
    """Open the workspace of `settings`. Raises WorkspaceError where it does not exist, unless `create`.

    lazy: open it on first use, which raises then.
    open_embedder: opens models by name; None for one that tells nobody what it is doing.
    """
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.workspaces import is_workspace

    folder = settings.home / settings.workspace
    if not create and not lazy and not is_workspace(folder):
        raise missing_workspace(settings)
    return KnowledgeBase(
        folder,
        name=settings.workspace,
        create=create,
        lazy=lazy,
        open_embedder=open_embedder or embedder_factory(),
        default_model=lambda: default_model(settings),
    )


def default_model(settings: Settings) -> "DefaultModel":
    """The embedding model of a workspace that has none."""
    from rankle.kb.vectors.choice import DefaultModel
    from rankle.models.catalog import DEFAULT_MODEL
    from rankle.models.readiness import Readiness

    if settings.model is not None:
        return DefaultModel(settings.model, is_ready=True)
    return DefaultModel(DEFAULT_MODEL, is_ready=model_readiness() is Readiness.READY)


def model_readiness(environ: Mapping[str, str] | None = None) -> "Readiness":
    """What stands between the user and the default model."""
    from rankle.models.readiness import default_readiness

    return default_readiness(model_cache(environ))


def missing_workspace(settings: Settings) -> WorkspaceError:
    """The error for a workspace that does not exist, with the nearest that do."""
    from rankle.kb.workspaces import no_such_workspace

    options = "" if settings.workspace == DEFAULT_WORKSPACE else f" -w {settings.workspace}"
    return no_such_workspace(settings.home / settings.workspace, options=options)


def _checked_project(table: Mapping[str, Any], *, path: Path) -> Mapping[str, Any]:
    for key, value in table.items():
        if key in _PROJECT_TABLES:
            continue
        if key not in _PROJECT_KEYS:
            known = (*_PROJECT_KEYS, *_PROJECT_TABLES)
            raise UnknownNameError(what=f"key in {path}", name=key, known=known)
        if not isinstance(value, str):
            raise InputError(f'{path}: "{key}" must be text, got {value!r}')
    return table


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


def knowledge_base_systems(
    kb: "KnowledgeBase",
    *,
    methods: Sequence[str | None],
    settings: "SearchSettings | None" = None,
    texts: bool = False,
) -> "tuple[KnowledgeBaseSystem, ...]":
    """An open knowledge base as systems to measure, one a method; None is its best method.

    settings: of all of them. texts: whether results come with their texts, which takes time.
    Raises InputError where the fusion was set and none of them fuses anything, and whatever a method raises
    that the workspace cannot do.
    """
    from rankle.kb.methods import HYBRID
    from rankle.kb.search_settings import DEFAULT_SETTINGS, check_used
    from rankle.systems.knowledge_base import KnowledgeBaseSystem

    chosen = DEFAULT_SETTINGS if settings is None else settings
    systems = tuple(
        KnowledgeBaseSystem(kb, method=method, settings=chosen, texts=texts) for method in methods
    )
    names = [system.method for system in systems]
    check_used(chosen, method=HYBRID if HYBRID in names else names[0])
    return systems


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


def passage_source(kb: "KnowledgeBase") -> "PassageSource":
    """The texts of an open knowledge base, in which labels of passages are looked for."""
    from rankle.systems.passages import KnowledgeBasePassages

    return KnowledgeBasePassages(kb)


def default_rater(environ: Mapping[str, str] | None = None) -> str:
    """Who rates and labels where nobody says: `RANKLE_RATER`, else the user's login name.

    Raises InputError where the system does not know it.
    """
    env = os.environ if environ is None else environ
    named = (env.get("RANKLE_RATER") or "").strip()
    if named:
        return named
    import getpass

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError) as error:
        raise InputError("the system does not tell who you are; say it: --rater NAME") from error


def model_cache(environ: Mapping[str, str] | None = None) -> Path:
    """The folder in which models are kept: `RANKLE_CACHE`, else the platform's cache folder of the user."""
    env = os.environ if environ is None else environ
    if env.get("RANKLE_CACHE"):
        return Path(env["RANKLE_CACHE"]).expanduser().absolute()
    from platformdirs import user_cache_path

    return user_cache_path(NAME, appauthor=False)


def embedder_factory(
    *, environ: Mapping[str, str] | None = None, on_progress: "OnModelProgress | None" = None
) -> "OpenEmbedder":
    """What opens an embedding model by its name, with the cache that the environment names.

    on_progress: told what happens while a model is made ready, which takes seconds the first time. None logs
        what a user should know: that a model was damaged, or is downloaded.
    """
    cache = model_cache(environ)

    def open_model(name: str) -> "Embedder":
        from rankle.models.catalog import open_embedder
        from rankle.models.progress import tell_notable

        return open_embedder(
            name,
            cache=cache,
            hub=model_hub(environ),
            openai_key=openai_key(environ),
            on_progress=on_progress or tell_notable,
        )

    return open_model


def model_hub(environ: Mapping[str, str] | None = None) -> str | None:
    """Address of the hub that models are downloaded from; None where the network is to be left alone.

    By the names by which users of the hub know its mirror and its switch.
    """
    from rankle.models.hub_file import PUBLIC_HUB

    env = os.environ if environ is None else environ
    return None if env.get("HF_HUB_OFFLINE") == "1" else env.get("HF_ENDPOINT") or PUBLIC_HUB


def openai_key(environ: Mapping[str, str] | None = None) -> str | None:
    """What the servers of `openai:` models are sent; None where there is no key."""
    from rankle.models.openai_name import KEY_VARIABLE

    env = os.environ if environ is None else environ
    return env.get(KEY_VARIABLE) or None


def variables(names: Sequence[str], *, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Those of these variables of the environment that are set and not empty."""
    env = os.environ if environ is None else environ
    return {name: env[name] for name in names if env.get(name)}


def forces_colour(environ: Mapping[str, str] | None = None) -> bool:
    """Whether the user wants colour where there is no terminal: `FORCE_COLOR`, which `NO_COLOR` outranks."""
    env = os.environ if environ is None else environ
    return bool(env.get("FORCE_COLOR")) and not env.get("NO_COLOR")


def set_variables(values: Mapping[str, str], *, environ: MutableMapping[str, str] | None = None) -> None:
    """Set variables of the environment; those that are set already stay as they are."""
    env = os.environ if environ is None else environ
    for name, value in values.items():
        env.setdefault(name, value)


def secret_values(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The values of variables that hold keys by their names, which no record may hold."""
    from rankle.core.redaction import SHORTEST_SECRET
    from rankle.systems.secrets import SECRET_NAME

    env = os.environ if environ is None else environ
    return tuple(
        value for name, value in env.items() if SECRET_NAME.search(name) and len(value) >= SHORTEST_SECRET
    )


def step_summary(environ: Mapping[str, str] | None = None) -> Path:
    """The file that GitHub Actions shows as a job's summary. Raises InputError outside of such a job."""
    env = os.environ if environ is None else environ
    named = env.get("GITHUB_STEP_SUMMARY")
    if not named:
        raise InputError(
            "--github adds to the summary of a job of GitHub Actions, and GITHUB_STEP_SUMMARY is not set "
            "here; elsewhere write Markdown to a file, with an --output that ends in .md or --format markdown"
        )
    return Path(named)
