"""Evals are recorded trial by trial, go on after an interruption, and are read back as they were reported."""

from pathlib import Path

import pytest

from fakes.recorded_evals import (
    as_json,
    fill,
    finish,
    interrupt_evals,
    keeper_at,
    plan,
    reports,
    whole_summary,
)
from rankle.records.store import open_store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "records.db"


def test_a_recorded_run_is_read_as_it_was_reported(place: Path) -> None:
    asked = plan(3, trials=2)
    with keeper_at(place) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked)
        summary = finish(kept, asked)
        told = as_json(reports(kept, asked))
        whole = whole_summary(keeper)
        keeper.finish(whole, [summary])
    with open_store(place) as store:
        run = store.load_evals("latest")
    assert (run.summary, run.evals) == (whole, (summary,))
    assert as_json(run.read_cases(summary.id)) == told
    assert as_json(run.read_cases(summary.id)) == told, "it can be read again"


def test_an_interrupted_run_goes_on(place: Path) -> None:
    family = interrupt_evals(place, plan(4))
    asked = plan(4)
    with keeper_at(place, resume=True) as keeper, keeper.begin(asked) as kept:
        assert sorted(kept.known) == [(0, 0), (1, 0)]
        assert fill(kept, asked) == [(2, 0), (3, 0)]
        summary = finish(kept, asked)
        keeper.finish(whole_summary(keeper), [summary])
        assert keeper.id == family
    with open_store(place) as store:
        run = store.load_evals(family)
        assert len(list(run.read_cases(summary.id))) == 4
        assert store.load(family).id == summary.id
