"""docs/systems.md tells every option of a system. That it runs: tests/docs/test_pages_run.py."""

import re
from typing import Final

import msgspec
import pytest

from rankle.systems.command_system import CommandOptions
from rankle.systems.http_options import HttpOptions
from rankle.systems.options import Reading
from rankle.systems.python_callable import PythonOptions
from rankle.systems.recorded_run import RunOptions
from tools.docs_check import REPOSITORY

_TEXT: Final = (REPOSITORY / "docs" / "systems.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [Reading, HttpOptions, PythonOptions, CommandOptions, RunOptions])
def test_every_option_is_on_the_page(options: type[msgspec.Struct]) -> None:
    absent = [name for name in options.__struct_fields__ if not re.search(rf"\b{name}\b", _TEXT)]
    assert absent == []
