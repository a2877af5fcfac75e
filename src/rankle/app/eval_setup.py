"""Sets up what evals need before the first file of them is loaded."""

import importlib.util
import sys
from collections.abc import Iterable, MutableMapping
from io import StringIO
from pathlib import Path

from rankle.app.wiring import set_variables
from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.text_file import read_text_file


def set_up(files: Iterable[Path], *, environ: MutableMapping[str, str] | None = None) -> None:
    """Load files in their order: variables of the environment from `.env` files, and Python files by running.

    Variables that are set already stay as they are. No value of them is kept in any record. environ: None for
    the environment of the process.
    Raises InputError on a file of another kind, or one that cannot be read; and what a Python file raises.
    """
    for file in files:
        if file.name.startswith(".env") or file.suffix == ".env":
            set_variables(_variables(file), environ=environ)
        elif file.suffix == ".py":
            _run(file)
        else:
            raise InputError(f"{file} sets up nothing; name .env files and Python files under setup")


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
