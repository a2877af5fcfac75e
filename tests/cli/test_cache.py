"""`rankle cache` says what is cached, and removes what it is told to and nothing else."""

import json
import time
from functools import partial
from pathlib import Path

import pytest

from fakes.command import fail, succeed
from fakes.no_problem import no_problem
from fakes.recorded import made_up, record
from rankle.records.cache import RecordCache
from rankle.records.cache_contents import CacheLimits
from rankle.records.store import open_store

DAY = 24 * 60 * 60.0
VALUES = (("task", 1, 400), ("task", 40, 400), ("model", 2, 300), ("model", 3, 500))
"""Kind, age in days, size."""

LIMITS = CacheLimits(max_age_s=365 * DAY)


def _ago(now: float, days: float) -> float:
    return now - days * DAY


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with a run and a cache, as `RANKLE_RECORDS` would name it."""
    path = tmp_path / "records.db"
    with open_store(path, create=True) as store:
        record(store, made_up())
    now = time.time()
    for number, (kind, days, n_bytes) in enumerate(VALUES):
        with RecordCache(path, on_problem=no_problem, limits=LIMITS, clock=partial(_ago, now, days)) as cache:
            cache.put(f"{number:064x}", b"1" * n_bytes, took_ms=1500, kind=kind)
    return path


def kinds(place: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(succeed("cache", "info", "--json", "--records", place))[
        "kinds"
    ]
    return found


def test_what_is_cached_is_told_kind_by_kind(place: Path) -> None:
    assert kinds(place) == {
        "model": {"n": 2, "n_bytes": 800, "took_s": 3.0},
        "task": {"n": 2, "n_bytes": 800, "took_s": 3.0},
    }
    lines = succeed("cache", "info", "--records", place).splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["Values", "Size", "Took", "to", "make"],
        ["Models", "2", "800", "B", "3.0", "s"],
        ["Tasks", "2", "800", "B", "3.0", "s"],
    ]
    assert lines[-1].startswith("1.6 kB in ")


def test_an_empty_cache_says_what_fills_it(tmp_path: Path) -> None:
    place = tmp_path / "records.db"
    open_store(place, create=True).close()
    assert succeed("cache", "info", "--records", place).endswith("Evals fill it: rankle run\n")
    assert succeed("cache", "clear", "--records", place) == "Nothing to remove.\n"
    assert json.loads(succeed("cache", "info", "--json", "--records", place))["oldest"] is None


def test_clearing_asks_first(place: Path) -> None:
    assert "Remove 4 values (1.6 kB)" in fail("cache", "clear", "--records", place)
    assert sum(one["n"] for one in kinds(place).values()) == 4


def test_clearing_leaves_runs_and_other_kinds(place: Path) -> None:
    assert succeed("cache", "clear", "--kind", "model", "--yes", "--records", place) == (
        "Removed: 2 values, 800 B.\n"
    )
    assert list(kinds(place)) == ["task"]
    assert succeed("cache", "clear", "--yes", "--records", place) == "Removed: 2 values, 800 B.\n"
    assert kinds(place) == {}
    with open_store(place) as store:
        assert len(store.runs()) == 1


PRUNES: dict[str, tuple[tuple[str, ...], dict[str, float]]] = {
    "usual limits": ((), {"model": 2, "task": 1}),
    "age": (("--older-than", "36h"), {"task": 1}),
    "size": (("--older-than", "52w", "--max-size", "0.9kB"), {"model": 1, "task": 1}),
    "kind": (("--older-than", "1d", "--kind", "task"), {"model": 2}),
    "nothing left": (("--max-size", "0"), {}),
}


@pytest.mark.parametrize("prune", PRUNES)
def test_pruning_leaves_what_is_within_the_limits(place: Path, prune: str) -> None:
    args, left = PRUNES[prune]
    assert succeed("cache", "prune", *args, "--records", place).startswith("Removed: ")
    assert {kind: one["n"] for kind, one in kinds(place).items()} == left


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("prune", "--max-size", "much"), "--max-size is a size such as 500MB"),
        (("prune", "--older-than", "old"), "--older-than is an age such as 30d"),
        (("info", "--records", "missing.db"), "there are no records at"),
    ],
    ids=["size", "age", "missing"],
)
def test_what_cannot_be_done_is_told(args: tuple[str, ...], words: str) -> None:
    assert words in fail("cache", *args)
