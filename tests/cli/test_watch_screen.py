"""What a watch says of a run: for which changes it was, how it ended, and what stands beside it."""

from datetime import UTC, datetime

import pytest

from fakes.evals_runs import case_report, eval_summary
from rankle.app.watch_evals import Began, Ended, Left
from rankle.app.watched_messages import Told
from rankle.app.watched_process import Outcome
from rankle.cli.watch_screen import event_text
from rankle.core.errors import InputError

AT = datetime(2026, 11, 30, 9, 5, 7, tzinfo=UTC)
OTHER = eval_summary("Other", [case_report(0, {"exact": 1.0})])


def shown(changed: tuple[str, ...] = (), *, is_all: bool = False, **outcome: object) -> str:
    values: dict[str, object] = {"told": Told(text="the table\n"), "exit_code": 0}
    ended = Ended(Began(changed, is_all), Outcome(**(values | outcome)), ())  # type: ignore[arg-type]
    return event_text(ended, at=AT)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (("a.py",), "a.py changed"),
        (("a.py", "b.py"), "a.py and b.py changed"),
        (("a.py", "b.py", "c.py", "d.py"), "a.py, b.py, c.py and d.py changed"),
        (("a.py", "b.py", "c.py", "d.py", "e.py"), "a.py, b.py, c.py and 2 others changed"),
    ],
    ids=["1", "2", "4", "5"],
)
def test_head_names_what_changed(changed: tuple[str, ...], words: str) -> None:
    assert shown(changed) == f"09:05:07 {words}\n\nthe table\n"
    assert shown(changed, is_all=True).startswith(f"09:05:07 {words}: all evals\n")


def test_first_run_is_of_all_evals() -> None:
    assert shown(is_all=True) == "09:05:07 All evals\n\nthe table\n"


@pytest.mark.parametrize(("code", "words"), [(9, "exit code 9"), (-11, "signal 11")], ids=["exit", "signal"])
def test_process_that_ended_is_told_of(code: int, words: str) -> None:
    assert f"ended by {words} before" in shown(told=None, exit_code=code)


def test_fault_of_the_project_file_and_of_the_record_are_told() -> None:
    assert "\n\nError: wrong key\n" in shown(told=Told(error="wrong key"))
    assert shown(told=Told(text="the table\n", not_recorded="disk full")).endswith(
        "\n\nWarning: the figures are complete, but the run is not recorded: disk full\n"
    )


def test_what_evals_print_cannot_disturb_the_screen() -> None:
    assert shown(printed=("a\x1b[2Jb\n",), n_printed=1).endswith("\n\nPrinted:\n  a?[2Jb\n")
    assert "Printed, the last 1 of 2,000 lines:" in shown(printed=("x",), n_printed=2000)


def test_what_is_left_is_shown_as_it_was() -> None:
    text = event_text(Left(("a_eval.py",), (OTHER,)), at=AT)
    assert text.startswith("09:05:07 a_eval.py is gone\n\nAs they were last:\nEval ")
    assert "\nOther " in text
    nothing = event_text(Left(("a_eval.py", "b_eval.py"), (), InputError("no file of evals")), at=AT)
    assert nothing == "09:05:07 a_eval.py and b_eval.py are gone\n\nError: no file of evals\n"
