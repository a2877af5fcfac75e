"""Before evals are loaded, variables are set and Python files are run, in the order of the project file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankle.app.eval_setup import set_up
from rankle.core.errors import BadLinesError, InputError


@pytest.fixture(autouse=True)
def _path_as_before() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_variables_are_set_unless_they_are(tmp_path: Path) -> None:
    environ = {"SET": "before"}
    first = write(tmp_path, ".env", '# keys\nSET=after\nexport NAME="a b"\nWHOLE="${NAME}!"\nEMPTY=\n')
    second = write(tmp_path, "more.env", "NAME=second\nMORE=1\n")

    set_up([first, second], environ=environ)
    assert environ == {"SET": "before", "NAME": "a b", "WHOLE": "a b!", "EMPTY": "", "MORE": "1"}


def test_all_lines_that_are_no_variable_are_told(tmp_path: Path) -> None:
    file = write(tmp_path, ".env.local", "GOOD=1\nno variable\nALONE\n")
    environ: dict[str, str] = {}
    with pytest.raises(BadLinesError) as caught:
        set_up([file], environ=environ)

    assert [fault.line for fault in caught.value.faults] == [2, 3]
    assert "write NAME=value" in str(caught.value)
    assert environ == {}


def test_a_python_file_is_run_and_may_be_imported(tmp_path: Path) -> None:
    write(tmp_path, "beside_the_setup.py", "NAME = 'beside'\n")
    file = write(tmp_path, "my_setup.py", "from beside_the_setup import NAME\nTWICE = NAME * 2\n")

    set_up([file], environ={})
    assert sys.modules["my_setup"].TWICE == "besidebeside"


def test_what_a_python_file_raises_is_not_swallowed(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        set_up([write(tmp_path, "my_setup.py", "1 / 0\n")], environ={})


def test_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"setup.json sets up nothing; name .env files and Python files"):
        set_up([write(tmp_path, "setup.json", "{}")], environ={})
