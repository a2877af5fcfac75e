"""Earlier runs of an eval are found by its key, and cases to run again by what they came to."""

from pathlib import Path

import pytest

from fakes.recorded_evals import (
    KEY,
    SECOND,
    done,
    fill,
    finish,
    interrupt_evals,
    keeper_at,
    plan,
    record_evals,
    whole_summary,
)
from rankle.app.eval_history import failed_cases, failing_cases, previous_run
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.trials import ErrorReport, ScoreReport, TrialReport
from rankle.harness.evals.keeping import Place
from rankle.records.store import open_store

CRASH = ErrorReport(type="ValueError", message="no")
TRIALS = (
    done(value=0.9),
    done(value=0.4),
    TrialReport(trial=0, status="failed", error=CRASH, took_ms=1.0),
    TrialReport(trial=0, status="timed out", error=CRASH, took_ms=1.0),
    TrialReport(
        trial=0,
        status="done",
        took_ms=1.0,
        scores=[ScoreReport(name="exact", value=1.0), ScoreReport(name="other", error=CRASH)],
    ),
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "records.db"


def answer(where: Place) -> TrialReport:
    return TRIALS[where[0]]


def ids(*places: int) -> frozenset[str]:
    return frozenset(f"case-{place:012x}" for place in places)


def test_the_run_before_is_the_newest_complete_full_one_of_the_key(place: Path) -> None:
    record_evals(place, plan(3), answer=lambda _: done(value=0.25))
    record_evals(place, plan(3), answer=lambda _: done(value=0.75))
    record_evals(place, plan(2, is_full=False))
    record_evals(place, plan(3, key=SECOND))
    interrupt_evals(place, plan(3))
    with keeper_at(place) as keeper, keeper.begin(plan(3)) as kept:
        fill(kept, plan(3))
        finish(kept, plan(3))
        found = keeper.previous(KEY)
    assert found is not None
    assert found.scores == {"exact": dict.fromkeys(ids(0, 1, 2), 0.75)}
    with open_store(place) as store:
        newest = previous_run(store, KEY)
        assert newest is not None
        assert newest.id == kept.id, "an eval that is complete counts, though its command went no further"
        assert previous_run(store, "evals/none.py::None") is None


def test_crashed_and_low_cases_are_told_apart(place: Path) -> None:
    record_evals(place, plan(5), plan(2, key=SECOND), answer=answer)
    with open_store(place) as store:
        assert failed_cases(store, "latest") == {KEY: ids(2, 3, 4), SECOND: ids()}
        assert failing_cases(store, "latest") == {KEY: ids(1, 2, 3, 4), SECOND: ids(1)}
        assert failing_cases(store, "latest#Answers") == {SECOND: ids(1)}


@pytest.mark.parametrize(("threshold", "low"), [(None, (1,)), (95, (0, 1)), (30, ())], ids=str)
def test_what_is_low_is_what_the_threshold_says(
    place: Path, threshold: float | None, low: tuple[int, ...]
) -> None:
    asked = plan(2)
    with keeper_at(place) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked, answer=answer)
        keeper.finish(whole_summary(keeper), [finish(kept, asked, threshold=threshold)])
    with open_store(place) as store:
        assert failing_cases(store, "latest") == {KEY: ids(*low)}


def test_cases_of_an_interrupted_run_are_not_chosen(place: Path) -> None:
    family = interrupt_evals(place)
    with open_store(place) as store:
        with pytest.raises(CannotMeasureError, match="interrupted at 2 of 4 cases"):
            failed_cases(store, family)
        with pytest.raises(InputError, match="holds 0"):
            failed_cases(store, "latest")
