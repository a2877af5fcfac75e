"""core, metrics and stats touch no file, network, process, environment or database."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankle.core

_SOURCE = Path(rankle.core.__file__).parent.parent
PURE = [path for room in ("core", "metrics", "stats") for path in sorted((_SOURCE / room).rglob("*.py"))]
_MODULES = {
    "os", "io", "pathlib", "shutil", "tempfile", "glob", "socket", "http", "urllib", "ssl", "subprocess",
    "multiprocessing", "sqlite3", "requests", "httpx", "ctypes", "fcntl", "mmap",
}  # fmt: skip
_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}


def impurities(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in _MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in _MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            yield f"{node.func.id}()"


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.relative_to(_SOURCE).as_posix())
def test_a_pure_module_touches_nothing_outside(path: Path) -> None:
    assert list(impurities(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source", ["open('x')", "import os.path", "from pathlib import Path", "def f():\n    import sqlite3"]
)
def test_the_check_sees_what_it_is_for(source: str) -> None:
    assert list(impurities(source))
