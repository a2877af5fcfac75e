"""Sets up what evals need before the first file of them is loaded."""

import importlib.util
import sys
from collections.abc import Iterable, MutableMapping
from io import StringIO
from pathlib import Path
from typing import Final

from rankle.app.wiring.variables import set_variables
from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.text_file import read_text_file

SHORTEST: Final = 6
"""Characters of a value that is withheld from records."""


def set_up(files: Iterable[Path], *, environ: MutableMapping[str, str] | None = None) -> tuple[str, ...]:
    """Load files in their order: variables of the environment from `.env` files, and Python files by running.

    Returns what no record may hold: the values of `.env` files, but for those so short that they would be
    found in anything. Variables that are set already stay as they are. environ: None for the environment of
    the process.
    Raises InputError on a file of another kind, or one that cannot be read; and what a Python file raises.
    """
    withheld: dict[str, None] = {}
    for file in files:
        if file.name.startswith(".env") or file.suffix == ".env":
            variables = _variables(file)
            set_variables(variables, environ=environ)
            withheld.update(dict.fromkeys(value for value in variables.values() if len(value) >= SHORTEST))
        elif file.suffix == ".py":
            _run(file)
        else:
            raise InputError(f"{file} sets up nothing; name .env files and Python files under setup")
    return tuple(withheld)


def _variables(file: Path) -> dict[str, str]:
    """What a file of variables sets; `${OTHER}` is filled in. Raises BadLinesError with all faults."""
    from dotenv import dotenv_values
    from dotenv.parser import parse_stream

    text = read_text_file(file, what="variables, NAME=value a line").text
    faults = [
        Fault(one.original.line, "is no variable; write NAME=value")
        for one in parse_stream(StringIO(text))
        if one.error or (one.key is not None and one.value is None)
    ]
    if faults:
        raise BadLinesError(path=str(file), faults=faults)
    return {name: value for name, value in dotenv_values(stream=StringIO(text)).items() if value is not None}


def _run(file: Path) -> None:
    folder = str(file.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    spec.loader.exec_module(module)
