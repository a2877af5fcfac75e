"""What differs from an interrupted run of evals is said exactly."""

from pathlib import Path
from typing import Any

import pytest

from fakes.recorded_evals import (
    KEY,
    SECOND,
    cases,
    fill,
    finish,
    interrupt_evals,
    keeper_at,
    plan,
    record_evals,
    whole_summary,
)
from rankle.core.errors import InputError
from rankle.harness.evals.options import EvalOptions


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "records.db"


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "cases": ({"cases": cases(3)}, "Number of cases: 4 then, 3 now"),
    "trials": ({"options": EvalOptions(trials=2)}, "Trials: 1 then, 2 now"),
    "scorers": ({"scorers": ("exact", "R@5")}, "Scorers: exact then, exact, R@5 now"),
    "data": ({"data_fingerprint": "0" * 64}, "The inputs or expectations in its data were changed"),
    "order": ({"cases": cases(4)[::-1]}, "Other cases are run, or in another order"),
    "task": ({"task_fingerprint": "0" * 64}, "Its task, or what that declares to depend on, was changed"),
    "several": (
        {"task_fingerprint": "0" * 64, "scorers": ()},
        "Scorers: exact then, none now; its task, or what that declares to depend on, was changed",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_differs_is_told(place: Path, change: str) -> None:
    family = interrupt_evals(place, plan(4))
    given, words = CHANGES[change]
    with (
        keeper_at(place, resume=True) as keeper,
        pytest.raises(InputError) as caught,
        keeper.begin(plan(4, **given)),
    ):
        pytest.fail("it began")
    assert str(caught.value) == (
        f"run {family} ({KEY}, 2 of 4 cases) cannot be gone on with, since something differs. {words}. "
        "To begin a new run, leave out --resume"
    )


def test_what_differs_in_a_later_eval_is_told(place: Path) -> None:
    interrupt_evals(place, plan(3), plan(4, key=SECOND))
    changed = plan(4, key=SECOND, task_fingerprint="0" * 64)
    with keeper_at(place, resume=True) as keeper:
        with keeper.begin(plan(3)) as kept:
            assert len(kept.known) == 3
        with (
            pytest.raises(InputError, match=rf"something differs in {SECOND}\. Its task, or what"),
            keeper.begin(changed),
        ):
            pytest.fail("it began")


def test_without_an_interrupted_run_there_is_nothing_to_go_on_with(place: Path) -> None:
    record_evals(place)
    with (
        keeper_at(place, resume=True) as keeper,
        pytest.raises(InputError, match="no interrupted run of evals to go on with; see: rankle history"),
        keeper.begin(plan()),
    ):
        pytest.fail("it began")


def test_a_run_of_other_evals_that_was_asked_otherwise_is_left_alone(place: Path) -> None:
    family = interrupt_evals(place, plan(4))
    with (
        keeper_at(place, resume=True, settings={"paths": ["others"]}) as keeper,
        pytest.raises(InputError, match=rf"run {family} .* otherwise, and {SECOND} is not .* \({KEY}\)"),
        keeper.begin(plan(4, key=SECOND)),
    ):
        pytest.fail("it began")


def test_an_eval_that_was_not_begun_goes_on_in_the_run_that_was_asked_the_same(place: Path) -> None:
    family = interrupt_evals(place, plan(4))
    with keeper_at(place, resume=True) as keeper:
        first, second = plan(4, key=SECOND), plan(4)
        with keeper.begin(first) as kept:
            assert len(fill(kept, first)) == 4
        with keeper.begin(second) as kept:
            assert len(fill(kept, second)) == 2
        assert keeper.id == family


def test_the_newest_run_that_fits_is_gone_on_with(place: Path) -> None:
    fitting = interrupt_evals(place, plan(4), stop_after=3)
    interrupt_evals(place, plan(4, task_fingerprint="0" * 64))
    with keeper_at(place, resume=True) as keeper, keeper.begin(plan(4)) as kept:
        assert (keeper.id, len(kept.known)) == (fitting, 3)


def test_a_run_that_was_gone_on_with_and_interrupted_again_goes_on(place: Path) -> None:
    family = interrupt_evals(place, plan(4), stop_after=1)
    for _ in range(2):
        with keeper_at(place, resume=True) as keeper, keeper.begin(plan(4)) as kept:
            fill(kept, plan(4), stop_after=1)
    with keeper_at(place, resume=True) as keeper:
        with keeper.begin(plan(4)) as kept:
            assert fill(kept, plan(4)) == [(3, 0)]
            summary = finish(kept, plan(4))
        keeper.finish(whole_summary(keeper), [summary])
        assert keeper.id == family
