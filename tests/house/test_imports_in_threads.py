"""Imports that several threads may make at once."""

import ast
from collections.abc import Iterator
from pathlib import Path

import rankle.core

_SOURCE = Path(rankle.core.__file__).parent.parent


def _modules(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_rapidfuzz_is_entered_by_its_own_door() -> None:
    """Its modules import each other. Where one thread enters by `rapidfuzz.distance` while another enters by
    `rapidfuzz`, either may find it half made: ImportError, in one of ten processes."""
    assert list(_modules("def f():\n    from rapidfuzz.distance import Indel")) == ["rapidfuzz.distance"]
    files = sorted(_SOURCE.rglob("*.py"))
    imported = {(file.name, name) for file in files for name in _modules(file.read_text(encoding="utf-8"))}
    found = {name: file for file, name in imported if name.startswith("rapidfuzz")}
    assert list(found) == ["rapidfuzz"], f"write `from rapidfuzz import NAME`: {found}"
