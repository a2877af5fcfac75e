"""The environment is read in app/wiring alone; everything else is given what it needs of it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankle.core

_SOURCE = Path(rankle.core.__file__).parent.parent
_READERS = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv", "expandvars"}


def readings(source: str) -> Iterator[str]:
    """What of a module reads or sets the environment, however it is imported."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in _READERS and isinstance(node.value, ast.Name):
            if node.value.id in ("os", "path"):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "os.path"):
            yield from (alias.name for alias in node.names if alias.name in _READERS)


def test_nothing_but_wiring_reads_the_environment() -> None:
    found = {
        path.relative_to(_SOURCE).as_posix(): names
        for path in sorted(_SOURCE.rglob("*.py"))
        if (names := list(readings(path.read_text(encoding="utf-8"))))
    }
    assert found, "the folder of wiring was not looked at"
    assert [path for path in found if not path.startswith("app/wiring/")] == []


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.environ['X']",
        "import os\nos.getenv('X')",
        "from os import environ",
        "path.expandvars('$X')",
    ],
)
def test_the_check_sees_what_it_is_for(source: str) -> None:
    assert list(readings(source))
