"""Which runs a list shows, and which a prune may delete."""

from datetime import UTC, datetime
from typing import Any

import pytest

from fakes.recorded import made_up
from rankle.core.errors import InputError
from rankle.records.choosing import RunFilter, prunable
from rankle.records.run_info import RunInfo, RunState


def info(day: int, **changed: Any) -> RunInfo:
    created = f"2026-11-{day:02}T12:00:00Z"
    known = made_up(f"{day:012}", created=created, set_name="Queries.jsonl").facts
    members = {name: getattr(known, name) for name in known.__slots__}
    return RunInfo(**(members | {"state": RunState.COMPLETE, "n_done": 4} | changed))


RUNS = [
    info(9, state=RunState.RUNNING),
    info(8),
    info(7, tags=("main",)),
    info(6, state=RunState.INTERRUPTED),
    info(5, pinned_for="a baseline"),
    info(4, name="Bigger Chunks"),
    info(3),
]


def days(runs: list[RunInfo]) -> list[int]:
    return [int(run.id) for run in runs]


def on(day: int) -> datetime:
    return datetime(2026, 11, day, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (RunFilter(), [9, 8, 7, 6, 5, 4, 3]),
        (RunFilter(name="chunks"), [4]),
        (RunFilter(set_name="queries"), [9, 8, 7, 6, 5, 4, 3]),
        (RunFilter(set_name="other"), []),
        (RunFilter(tag="main"), [7]),
        (RunFilter(tag="mai"), []),
        (RunFilter(since=on(8)), [9, 8]),
        (RunFilter(until=on(4)), [3]),
        (RunFilter(since=on(4), until=on(6)), [5, 4]),
    ],
    ids=repr,
)
def test_a_filter_keeps_what_fits_all_of_it(wanted: RunFilter, expected: list[int]) -> None:
    assert days([run for run in RUNS if wanted.fits(run)]) == expected


@pytest.mark.parametrize(
    ("keep", "before", "expected"),
    [
        (0, None, [8, 6, 4, 3]),
        (2, None, [6, 4, 3]),
        (6, None, [3]),
        (100, None, []),
        (None, on(6), [4, 3]),
        (None, on(1), []),
        (6, on(6), [3]),
        (2, on(4), [3]),
    ],
)
def test_a_prune_takes_what_is_beyond_both_limits_and_unprotected(
    keep: int | None, before: datetime | None, expected: list[int]
) -> None:
    assert days(prunable(RUNS, keep=keep, before=before)) == expected


def test_a_prune_without_a_limit_is_refused() -> None:
    with pytest.raises(InputError, match=r"--keep N .* --older-than AGE"):
        prunable(RUNS)


def test_a_negative_number_of_runs_cannot_be_kept() -> None:
    with pytest.raises(InputError, match="at least 0, got -1"):
        prunable(RUNS, keep=-1)
