"""What the fingerprint of a system changes with: its files, and the variables it names that are no keys."""

import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest

from fakes.command import write_files
from fakes.opened import opened, write_project
from rankle.core import canonical
from rankle.systems.identity import Identity
from rankle.systems.options import Common

_NUMBER = count()
_ENVIRON = {"HOST": "one.example", "TENANT": "a", "SEARCH_TOKEN": "planted-key-0123456789"}


def fingerprint(name: str, folder: Path, environ: Mapping[str, str] = _ENVIRON) -> str:
    with opened(name, cwd=folder, environ=environ) as system:
        return system.describe().fingerprint


def forget(*names: str) -> None:
    """A process of its own would import them anew."""
    for name in names:
        del sys.modules[name]


@pytest.mark.parametrize("edited", ["search.py", "base.py"])
def test_a_python_system_is_another_when_its_module_or_one_of_its_package_is_edited(
    tmp_path: Path, edited: str
) -> None:
    package = f"edited_{next(_NUMBER)}"
    search = "from .base import FOUND\n\ndef find(query):\n    return FOUND\n"
    files = {"__init__.py": "", "search.py": search, "base.py": 'FOUND = ["a.md"]\n'}
    folder = write_files(tmp_path / package, files)
    names = [package, f"{package}.search", f"{package}.base"]
    before = fingerprint(f"python:{package}.search:find", tmp_path)
    forget(*names)
    assert fingerprint(f"python:{package}.search:find", tmp_path) == before
    (folder / edited).write_text(files[edited] + "# edited\n", encoding="utf-8")
    forget(*names)
    assert fingerprint(f"python:{package}.search:find", tmp_path) != before
    forget(*names)


def test_a_python_system_is_another_when_a_module_beside_it_that_it_imports_is_edited(tmp_path: Path) -> None:
    number = next(_NUMBER)
    top, beside = f"top_{number}", f"beside_{number}"
    search = f"from {beside} import FOUND\n\ndef find(query):\n    return FOUND\n"
    write_files(tmp_path, {f"{top}.py": search, f"{beside}.py": "FOUND = []\n"})
    before = fingerprint(f"python:{top}:find", tmp_path)
    forget(top, beside)
    (tmp_path / f"{beside}.py").write_text('FOUND = ["a.md"]\n', encoding="utf-8")
    assert fingerprint(f"python:{top}:find", tmp_path) != before
    forget(top, beside)


def test_a_program_is_another_when_a_file_that_its_command_names_is_edited(tmp_path: Path) -> None:
    write_files(tmp_path, {"search.py": "pass\n", "more.py": "pass\n"})
    uri = f"command:{sys.executable} search.py --words more.py"
    found = [fingerprint(uri, tmp_path), fingerprint(uri, tmp_path)]
    assert found[0] == found[1]
    for name in ("search.py", "more.py"):
        (tmp_path / name).write_text("pass  # edited\n", encoding="utf-8")
        found.append(fingerprint(uri, tmp_path))
    assert len(set(found)) == 3


def test_a_large_file_of_a_command_is_told_by_its_size_and_time(tmp_path: Path) -> None:
    (tmp_path / "index.bin").write_bytes(bytes(2**20 + 1))
    before = fingerprint("command:./search --index index.bin", tmp_path)
    (tmp_path / "index.bin").write_bytes(bytes(2**20 + 2))
    assert fingerprint("command:./search --index index.bin", tmp_path) != before


@pytest.mark.parametrize("variable", ["HOST", "TENANT"])
def test_a_search_is_another_under_other_values_of_its_variables(tmp_path: Path, variable: str) -> None:
    options = 'uri = "http://${HOST}/search"\nheaders = {X-Tenant = "${TENANT}"}\nbody = ["{{ query }}"]'
    write_project(tmp_path, "served", options)
    before = fingerprint("served", tmp_path)
    assert fingerprint("served", tmp_path) == before
    assert fingerprint("served", tmp_path, {**_ENVIRON, variable: "other"}) != before


@pytest.mark.parametrize(
    "options",
    [
        'uri = "http://h/s"\nheaders = {Authorization = "Bearer ${SEARCH_TOKEN}"}',
        'uri = "http://h/s"\nheaders = {Authorization = "Bearer ${TENANT}"}',
        'uri = "http://h/s"\nheaders = {X-More = "${SEARCH_TOKEN}"}',
        'uri = "http://me:${TENANT}@h/s"',
        'uri = "http://h/s?q={{ query }}&api_key=${TENANT}"',
    ],
)
def test_the_change_of_a_key_leaves_a_search_the_same(tmp_path: Path, options: str) -> None:
    write_project(tmp_path, "served", options)
    before = fingerprint("served", tmp_path)
    assert fingerprint("served", tmp_path, {**_ENVIRON, "SEARCH_TOKEN": "new-key", "TENANT": "new"}) == before


def test_where_there_is_neither_code_nor_a_variable_it_is_that_of_records_of_before() -> None:
    described = Identity("mine", "mine", {"uri": "http://h/s"}).describe(Common(version="2"))
    assert described.fingerprint == canonical.fingerprint(["mine", {"uri": "http://h/s"}, "2", {}])
