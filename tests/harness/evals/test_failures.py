"""What is kept of an exception of a user's code."""

import asyncio
import os
from pathlib import Path

import pytest

from rankle.harness.evals.failures import error_report


def caught(function, *args) -> BaseException:  # type: ignore[no-untyped-def]
    with pytest.raises(BaseException) as info:  # noqa: PT011 - any
        function(*args)
    return info.value


def test_class_words_and_last_call_are_kept() -> None:
    def inner() -> None:
        raise ValueError("no such index")

    report = error_report(caught(inner))
    assert (report.type, report.message) == ("ValueError", "no such index")
    assert report.traceback is not None
    assert report.traceback.splitlines()[-1].strip() == 'raise ValueError("no such index")'


def test_frames_of_machinery_are_left_out() -> None:
    async def fails() -> None:
        raise KeyError("x")

    traceback = error_report(caught(asyncio.run, fails())).traceback
    assert traceback is not None
    assert "asyncio" not in traceback
    assert "in fails" in traceback


def test_cause_stands_before_what_was_raised_from_it() -> None:
    def fails() -> None:
        try:
            os.environ["NO SUCH KEY"]
        except KeyError as error:
            raise RuntimeError("wrapped") from error

    traceback = error_report(caught(fails)).traceback
    assert traceback is not None
    assert traceback.index("KeyError") < traceback.index('raise RuntimeError("wrapped")')


def test_group_of_one_is_what_it_holds() -> None:
    report = error_report(ExceptionGroup("tasks", [ValueError("inner")]))
    assert (report.type, report.message, report.traceback) == ("ValueError", "inner", None)


def test_no_words_are_told_by_the_class() -> None:
    assert error_report(ValueError()).message == "ValueError()"


def test_page_of_a_server_is_cut() -> None:
    assert len(error_report(ValueError("x" * 10_000)).message) < 2_100


def test_files_are_named_from_the_current_folder_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "evals" / "some_eval.py"
    code = compile("\nraise ValueError", str(file), "exec")
    found = error_report(caught(exec, code)).traceback
    assert found is not None
    assert found.splitlines()[-1] == '  File "evals/some_eval.py", line 2, in <module>'
