"""The words about settings are about the settings that the code reads, all of them and no others."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from rankle.app import eval_settings, project_keys
from rankle.app.wiring import project
from rankle.gates import reading
from rankle.models import openai_name
from rankle.systems.command_system import CommandOptions
from rankle.systems.http_options import HttpOptions
from rankle.systems.options import read_options
from rankle.systems.python_callable import PythonOptions
from rankle.systems.recorded_run import RunOptions


def names(keys: tuple[project_keys.ProjectKey, ...]) -> list[str]:
    return sorted(key.name for key in keys)


def test_every_key_at_the_top_of_a_project_file_has_its_words() -> None:
    assert names(project_keys.TOP) == sorted(project._PROJECT_KEYS)


def test_every_key_of_run_has_its_words() -> None:
    assert names(project_keys.RUN) == sorted(eval_settings._KEYS)


def test_every_key_of_a_gate_and_of_a_slice_has_its_words() -> None:
    assert names(project_keys.GATES) == sorted(reading.KEYS)
    assert names(project_keys.SLICES) == sorted(reading.SLICE_KEYS)


def test_every_variable_that_is_read_has_its_words() -> None:
    """The environment is read in one folder."""
    files = Path(project.__file__).parent.glob("*.py")
    read = {
        name
        for file in files
        for name in re.findall(r'\benv(?:\.get\(|\[)"(\w+)"', file.read_text(encoding="utf-8"))
    }
    assert "RANKLE_HOME" in read
    assert {variable.name for variable in project_keys.VARIABLES} == {*read, openai_name.KEY_VARIABLE}


KINDS = (HttpOptions, PythonOptions, CommandOptions, RunOptions)


def test_every_option_of_a_system_has_its_words() -> None:
    options = {name for kind in KINDS for name in kind.__struct_fields__}
    assert names(project_keys.SYSTEMS) == sorted({"uri", *options})


@pytest.mark.parametrize("kind", KINDS)
def test_the_examples_of_options_are_allowed(kind: type[msgspec.Struct]) -> None:
    table = tomllib.loads("\n".join(f"{key.name} = {key.example}" for key in project_keys.SYSTEMS))
    own = {name: value for name, value in table.items() if name in kind.__struct_fields__}
    assert set(own) == set(kind.__struct_fields__)
    read_options(own, kind, where="the table")
