"""How a project runs its evals: table `[run]` of its file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast

from rankle.app.wiring.project import PROJECT_FILE, find_project
from rankle.core.errors import InputError
from rankle.harness.evals.asking import check_whole, checked_asked
from rankle.harness.evals.option_names import unknown_option
from rankle.harness.evals.options import DEFAULT_CONCURRENCY, Asked, RunOptions

DEFAULT_PORT: Final = 3006
_TABLE: Final = "run"
_ASKED: Final = ("timeout_s", "data_timeout_s", "concurrency", "trials", "threshold", "cache", "max_failures")
_KEYS: Final = (*_ASKED, "storage", "setup", "port", "limits")
_STORAGES: Final = ("sqlite", "memory")
_GREATEST_PORT: Final = 65535
Storage = Literal["sqlite", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSettings:
    """What the project file says of runs of evals."""

    asked: Asked = Asked()  # noqa: RUF009 - frozen
    """What it asks for all evals; None where it says nothing."""
    options: RunOptions
    """Of the whole run, where a command says nothing."""
    setup_files: tuple[Path, ...] = ()
    """Absolute; what is loaded before the first file of evals: files of variables, and Python files."""
    port: int = DEFAULT_PORT
    """Of the page that shows evals while they run."""
    root: Path
    """The project's folder, absolute: that of its file; the current one where there is none."""

    def options_for(self, asked: Asked, *, seed: int = 0) -> RunOptions:
        """The options of a run of which a command asks something too: it outranks the project file."""
        return RunOptions(
            concurrency=asked.concurrency or self.options.concurrency,
            limits=self.options.limits,
            max_failures=self.options.max_failures if asked.max_failures is None else asked.max_failures,
            seed=seed,
            storage=self.options.storage,
        )


def load_eval_settings(cwd: Path | None = None) -> EvalSettings:
    """Table `[run]` of the nearest project file; the defaults where there is none.

    Raises InputError on a key that does not exist and on a value that is not allowed.
    """
    project = find_project((cwd or Path.cwd()).absolute())
    shown = PROJECT_FILE if (project.folder / PROJECT_FILE).is_file() else "pyproject.toml"
    table = project.settings.get(_TABLE, {})
    if not isinstance(table, Mapping):
        raise InputError(f'{shown}: "{_TABLE}" must be a table, [{_TABLE}], got {table!r:.80}')
    for key in table:
        if key not in _KEYS:
            raise unknown_option(key, known=_KEYS, what=f"key in [{_TABLE}] of {shown}")
    asked = checked_asked(
        Asked(**{key: table[key] for key in _ASKED if key in table}), called=lambda key: _called(key, shown)
    )
    options = RunOptions(
        concurrency=DEFAULT_CONCURRENCY if asked.concurrency is None else asked.concurrency,
        limits=_limits(table.get("limits", {}), shown),
        max_failures=asked.max_failures or 0,
        storage=_storage(table.get("storage", "sqlite"), shown),
    )
    setup = _setup(table.get("setup", []), shown, folder=project.folder)
    port = _port(table.get("port", DEFAULT_PORT), shown)
    return EvalSettings(asked=asked, options=options, setup_files=setup, port=port, root=project.folder)


def _called(key: str, shown: str) -> str:
    return f'{shown}: "{key}" in [{_TABLE}]'


def _limits(given: Any, shown: str) -> dict[str, int]:
    if not isinstance(given, Mapping):
        raise InputError(
            f"{_called('limits', shown)} must be a table such as {{ gpu = 1 }}, got {given!r:.80}"
        )
    for resource, limit in given.items():
        check_whole(limit, least=1, what=f"{_called('limits', shown)} of {resource}")
    return dict(given)


def _storage(given: Any, shown: str) -> Storage:
    if given not in _STORAGES:
        raise InputError(f'{_called("storage", shown)} must be "sqlite" or "memory", got {given!r:.80}')
    return cast("Storage", given)


def _setup(given: Any, shown: str, *, folder: Path) -> tuple[Path, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) and name for name in given):
        raise InputError(
            f'{_called("setup", shown)} must be a list of files, such as [".env"], got {given!r:.80}'
        )
    files = tuple(folder / Path(name).expanduser() for name in given)
    for name, file in zip(given, files, strict=True):
        if not file.is_file():
            raise InputError(f"{_called('setup', shown)}: there is no file {name} in {folder}")
    return files


def _port(given: Any, shown: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= _GREATEST_PORT:
        raise InputError(f"{_called('port', shown)} must be from 1 to {_GREATEST_PORT}, got {given!r:.80}")
    return given
