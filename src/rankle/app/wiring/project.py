"""The project file: the nearest upward, and which keys it may have at its top."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import InputError, UnknownNameError
from rankle.core.product import NAME

PROJECT_FILE: Final = f"{NAME}.toml"
_PROJECT_KEYS: Final = ("workspace", "model", "records")
_PROJECT_TABLES: Final = ("gates", "run", "systems")
"""Keys of the project file whose tables are read by those whom they concern."""


@dataclass(frozen=True, slots=True)
class Project:
    """The nearest project file."""

    folder: Path
    settings: Mapping[str, Any]


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


def _checked_project(table: Mapping[str, Any], *, path: Path) -> Mapping[str, Any]:
    for key, value in table.items():
        if key in _PROJECT_TABLES:
            continue
        if key not in _PROJECT_KEYS:
            known = (*_PROJECT_KEYS, *_PROJECT_TABLES)
            hint = f"There is: {', '.join(known)}"
            raise UnknownNameError(what=f"key in {path}:", name=key, known=known, hint=hint)
        if not isinstance(value, str):
            raise InputError(f'{path}: "{key}" must be text, got {value!r}')
    return table
