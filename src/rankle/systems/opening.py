"""Opens whatever a URI or a table of the project file names, and puts the guard before it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.canonical import Json
from rankle.core.errors import InputError, UnknownNameError, nearest
from rankle.core.ports import SearchSystem
from rankle.core.redaction import REDACTED, secrets_of_uri
from rankle.systems.guard import guard
from rankle.systems.identity import Identity
from rankle.systems.options import plain, read_options
from rankle.systems.plugins import load_plugin, open_plugin, plugin_schemes
from rankle.systems.secrets import Redactor, secrets_of_headers
from rankle.systems.uri import SystemUri, parse_uri
from rankle.systems.variables import Variables, literal_secrets, told_values, without_literal_secrets

KB: Final = "kb"
_LONGEST_METHOD: Final = 40


@dataclass(frozen=True, slots=True)
class Named:
    """A system as somebody named it."""

    uri: str
    options: Mapping[str, object]
    """Those of its table in the project file, without `uri`."""
    name: str | None
    """Of that table; None for a URI."""
    folder: Path
    """What its relative paths and modules are relative to."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What systems are opened in."""

    environ: Mapping[str, str]
    secrets: tuple[str, ...]
    """Values that no record may hold, whatever system they are of."""
    open_workspace: Callable[[SystemUri, Mapping[str, object]], SearchSystem]
    """Opens a knowledge base, which lies in a home that this floor does not know."""


@dataclass(frozen=True, slots=True)
class _Opening:
    uri: SystemUri
    options: Mapping[str, object]
    identity: Identity
    folder: Path
    where: str
    environ: Mapping[str, str]


def open_system(named: Named, around: Surroundings) -> SearchSystem:
    """Raises InputError on what cannot be opened, and what the kind of system raises."""
    where = f"[systems.{named.name}]" if named.name else "the system"
    variables = Variables(around.environ, where)
    uri = parse_uri(variables.fill(named.uri))
    options = {**variables.fill(dict(named.options)), **uri.options}
    if uri.scheme == KB:
        return _workspace(named, uri, options, around)
    literal = tuple(literal_secrets(named.options))
    own = (*variables.secrets, *literal)
    secrets = (*around.secrets, *own, *_parts(own), *secrets_of_uri(uri.rest))
    identity = _identity(named, around.environ)
    opening = _Opening(uri, options, identity, named.folder, where, around.environ)
    redact = Redactor(secrets)
    try:
        return guard(_opened(opening), identity, redact)
    except SystemExit as error:  # which would end the command as if all were well
        raise InputError(redact(f"{identity.name} cannot be opened: SystemExit: {error}")) from None
    except InputError as error:
        words = redact(str(error))
        if words == str(error):
            raise
        raise InputError(words) from None


def _workspace(
    named: Named, uri: SystemUri, options: Mapping[str, object], around: Surroundings
) -> SearchSystem:
    """Under the name of its table, or with the options of its URI beside its method, so that several of one
    workspace are told apart. A URI without such options calls itself as commands call the workspace."""
    system = around.open_workspace(uri, options)
    ranking = {name: value for name, value in uri.options.items() if name != "method"}
    if named.name is None and not ranking:
        return system
    found = system.describe()
    if named.name is not None:
        settings: Mapping[str, Json] = {"uri": parse_uri(named.uri).shown, "method": found.method}
        identity = Identity(named.name, named.name, settings, is_named=True)
    else:
        told = " ".join(f"{name}={value}" for name, value in ranking.items())
        identity = Identity(found.name, f"{found.method} {told}", is_named=True)
    return guard(system, identity, Redactor(around.secrets))


def _opened(opening: _Opening) -> SearchSystem:
    scheme = opening.uri.scheme
    built_in = _BUILT_IN.get(scheme)
    if built_in is not None:
        return built_in(opening)
    plugin = load_plugin(scheme)
    if plugin is None:
        known = (KB, *_BUILT_IN, *plugin_schemes())
        hint = f"There is: {', '.join(f'{name}:' for name in known)}"
        raise UnknownNameError(what="kind of system", name=scheme, known=known, hint=hint)
    return open_plugin(plugin, opening.uri.rest, opening.options, scheme=scheme)


def _identity(named: Named, environ: Mapping[str, str]) -> Identity:
    """Variables stand in it by their names, and keys that are written out not at all."""
    written = parse_uri(named.uri)
    settings: dict[str, Json] = {"uri": written.shown}
    settings |= plain(without_literal_secrets(dict(named.options), REDACTED))
    values = told_values(settings, environ)
    if named.name:
        return Identity(named.name, named.name, settings, is_named=True, values=values)
    return Identity(written.shown, _method(written), settings, values=values)


def _method(uri: SystemUri) -> str:
    """The last part of what is named, which tells it from others best."""
    if uri.scheme == "run":
        return Path(uri.rest).name
    if uri.scheme == "command":
        program, *words = uri.shown.partition(":")[2].split()
        return " ".join([Path(program).name, *words])[:_LONGEST_METHOD].strip()
    if uri.scheme in ("http", "https"):
        return _told_by(uri.shown.partition("//")[2])[-_LONGEST_METHOD:]
    return uri.shown.partition(":")[2][-_LONGEST_METHOD:] or uri.scheme


def _told_by(url: str) -> str:
    """A URL with those of its arguments that are the same for every query, and are no keys."""
    path, _, arguments = url.partition("?")
    fixed = [each for each in arguments.split("&") if each and "{" not in each and REDACTED not in each]
    return f"{path}?{'&'.join(fixed)}" if fixed else path


def _parts(values: tuple[str, ...]) -> tuple[str, ...]:
    return secrets_of_headers({f"key-{place}": value for place, value in enumerate(values)})


def _python(opening: _Opening) -> SearchSystem:
    from rankle.systems.python_callable import PythonOptions, open_python

    options = read_options(opening.options, PythonOptions, where=opening.where)
    return open_python(opening.uri.rest, options, identity=opening.identity, folder=opening.folder)


def _run(opening: _Opening) -> SearchSystem:
    from rankle.systems.recorded_run import RunOptions, open_run

    options = read_options(opening.options, RunOptions, where=opening.where)
    path = opening.folder / Path(opening.uri.rest).expanduser()
    if not path.is_file():
        raise InputError(f"there is no file {opening.uri.rest}; a recorded run is run:FILE{_near(path)}")
    return open_run(path, options, identity=opening.identity)


def _near(path: Path) -> str:
    """The file beside it that was probably meant; nothing where none is like it."""
    names = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
    found = nearest(path.name, names, limit=1)
    return f". Did you mean {path.with_name(found[0]).name}?" if found else ""


def _http(opening: _Opening) -> SearchSystem:
    from rankle.systems.http_options import HttpOptions
    from rankle.systems.http_system import open_http

    options = read_options(opening.options, HttpOptions, where=opening.where)
    return open_http(opening.uri.rest, options, identity=opening.identity)


def _command(opening: _Opening) -> SearchSystem:
    from rankle.systems.command_system import CommandOptions, open_command

    options = read_options(opening.options, CommandOptions, where=opening.where)
    return open_command(
        opening.uri.rest,
        options,
        identity=opening.identity,
        folder=opening.folder,
        environ=opening.environ,
    )


_BUILT_IN: Final[Mapping[str, Callable[[_Opening], SearchSystem]]] = {
    "python": _python,
    "http": _http,
    "https": _http,
    "command": _command,
    "run": _run,
}
