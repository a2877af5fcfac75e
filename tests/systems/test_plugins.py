"""Systems that packages bring. One that pip installs for real: docs/systems-of-packages.md, which is run."""

import sys
from pathlib import Path

import pytest

from fakes.command import fail, rankle, succeed, write_files

SYSTEM = """
import hashlib
from dataclasses import replace
from rankle.core.ports import SystemDescription
from rankle.core.search import Hit, SearchResult


class One:
    def describe(self):
        return SystemDescription("one", "one", hashlib.sha256(b"one").hexdigest(), stages=())

    def catalog(self):
        return None

    async def search(self, query, *, depth, level, collection=None):
        return SearchResult(query, "one", (Hit("a.md", "a.md", 1.0, 1),), stages=(), took_ms=0.0)


def open_one(rest, options):
    return One()


def open_half(rest, options):
    return object()


def open_failing(rest, options):
    raise {"value": ValueError("no index"), "exit": SystemExit(4)}[rest]


class Odd(One):
    def __init__(self, part):
        self.part = part

    def describe(self):
        found = {"method": None, "settings": {"x": object()}, "parts": {1: "x"}, "notices": "text"}
        if self.part == "describe":
            return None
        return replace(super().describe(), **({self.part: found[self.part]} if self.part in found else {}))

    def catalog(self):
        return [] if self.part == "catalog" else None

    async def start(self):
        if self.part == "start":
            raise SystemExit(4)

    async def stop(self):
        pass

    async def search(self, query, *, depth, level, collection=None):
        return SearchResult(query, "one", (Hit(7, "a.md", 1.0, 1),), stages=(), took_ms=0.0)


def open_odd(rest, options):
    return Odd(rest)
"""


def write_package(folder: Path, name: str, entry_points: str) -> None:
    """What pip leaves of a package beside its modules."""
    write_files(
        folder / f"{name}-1.0.dist-info",
        {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
            "entry_points.txt": f"[rankle.systems]\n{entry_points}",
        },
    )


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where packages are installed, with one that is whole and one that is broken."""
    folder = write_files(tmp_path / "installed", {"one_of_plugins.py": SYSTEM})
    write_package(folder, "ones", "one = one_of_plugins:open_one\nhalf = one_of_plugins:open_half\n")
    write_package(folder, "wrong", "failing = one_of_plugins:open_failing\nwrong = one_of_plugins:open_odd\n")
    write_package(folder, "broken", "broken = no_such_module:open\nodd = json:decoder\n")
    write_files(tmp_path, {"set.jsonl": '{"query": "a", "relevant": ["a.md"]}\n'})
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "one_of_plugins", raising=False)
    return folder


def test_one_is_imported_only_when_it_is_named() -> None:
    assert "unknown kind of system" in fail("eval", "set.jsonl", "--system", "won:x")
    assert "one_of_plugins" not in sys.modules
    assert "MRR             1.000" in succeed("eval", "set.jsonl", "--system", "one:x", "-k", "1")


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("onne:x", 'unknown kind of system "onne"; did you mean "one"?'),
        ("broken:x", '"broken:" of broken (no_such_module:open) cannot be loaded: ModuleNotFoundError'),
        ("odd:x", '"odd:" of broken (json:decoder) is no function, which it must be: open(rest, options)'),
        ("half:x", '"half:" opened object, which has no method describe'),
        ("failing:value", '"failing:value" cannot be opened: ValueError: no index'),
        ("failing:exit", '"failing:exit" cannot be opened: SystemExit: 4'),
        ("wrong:describe", "wrong:describe: describe returned nothing, and no SystemDescription"),
        ("wrong:method", "wrong:method: the method that describe returned must be text, got None"),
        ("wrong:settings", "wrong:settings: the settings that describe returned cannot be kept as JSON: "),
        ("wrong:parts", "wrong:parts: the parts that describe returned cannot be kept as JSON: "),
        ("wrong:notices", "the notices that describe returned must be a tuple of texts, got 'text'"),
        ("wrong:catalog", "wrong:catalog: catalog returned list, and no Catalog; None is for none"),
        ("wrong:start", "wrong:start: SystemExit: 4"),
    ],
)
def test_what_is_wrong_with_it_is_told_with_whose_it_is(uri: str, words: str) -> None:
    assert words in fail("eval", "set.jsonl", "--system", uri)


def test_two_packages_with_one_name_are_both_named(installed: Path) -> None:
    write_package(installed, "others", "one = json:loads\n")
    words = fail("eval", "set.jsonl", "--system", "one:x")
    assert '"one:" is brought by several packages: ' in words
    assert "ones (one_of_plugins:open_one)" in words
    assert "others (json:loads)" in words


def test_an_id_that_is_no_text_is_a_failure_that_says_so() -> None:
    outcome = rankle("eval", "set.jsonl", "--system", "wrong:id", "-k", "1")
    assert outcome.code == 2
    assert '"a": the id of result 1 must be text, got 7' in " ".join(outcome.err.split())
