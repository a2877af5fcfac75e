"""The words about settings are about the settings that the code reads, all of them and no others."""

import inspect
import re

from rankle.app import eval_settings, project_keys, wiring
from rankle.gates import reading
from rankle.models import openai_name


def names(keys: tuple[project_keys.ProjectKey, ...]) -> list[str]:
    return sorted(key.name for key in keys)


def test_every_key_at_the_top_of_a_project_file_has_its_words() -> None:
    assert names(project_keys.TOP) == sorted(wiring._PROJECT_KEYS)


def test_every_key_of_run_has_its_words() -> None:
    assert names(project_keys.RUN) == sorted(eval_settings._KEYS)


def test_every_key_of_a_gate_and_of_a_slice_has_its_words() -> None:
    assert names(project_keys.GATES) == sorted(reading.KEYS)
    assert names(project_keys.SLICES) == sorted(reading.SLICE_KEYS)


def test_every_variable_that_is_read_has_its_words() -> None:
    """The environment is read in one file."""
    read = set(re.findall(r'\benv(?:\.get\(|\[)"(\w+)"', inspect.getsource(wiring)))
    assert "RANKLE_HOME" in read
    assert {variable.name for variable in project_keys.VARIABLES} == {*read, openai_name.KEY_VARIABLE}
