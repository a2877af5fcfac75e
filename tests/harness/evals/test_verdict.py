from typing import Any

import msgspec
import pytest

from fakes.running_evals import prepared, run
from rankle.core.evals import BrokenFile, EvalSummary
from rankle.core.trials import ErrorReport
from rankle.harness.evals.verdict import verdict

ERROR = ErrorReport(type="ImportError", message="no module named kb")
PLAIN = run(prepared()).evals[0]


def one(**changed: Any) -> EvalSummary:
    """An eval of ten cases, as it is where nothing is said."""
    return msgspec.structs.replace(PLAIN, **{"name": "search", "n_cases": 10, "n_in_data": 10} | changed)


@pytest.mark.parametrize(
    ("evals", "given", "exit_code", "sentence"),
    [
        ([one()], {}, 0, "10 cases of 1 eval ran; none failed; no threshold was set."),
        (
            [one(threshold=70.0, score=0.7, passed=True), one()],
            {},
            0,
            "20 cases of 2 evals ran; none failed; 1 eval reached the threshold.",
        ),
        (
            [one(threshold=70.0, score=0.69999, passed=False)],
            {},
            1,
            '"search" scores 69.9 %, under its threshold of 70 %.',
        ),
        (
            [one(threshold=60.0, score=0.52396, passed=False)],
            {},
            1,
            '"search" scores 52.4 %, under its threshold of 60 %.',
        ),
        ([one(n_failed=1)], {}, 2, "1 case failed, where none may."),
        (
            [one(n_failed=2)],
            {"max_failures": 2},
            0,
            "10 cases of 1 eval ran; 2 failed, as is allowed; no threshold was set.",
        ),
        ([one(n_failed=2), one(n_failed=1)], {"max_failures": 2}, 2, "3 cases failed, where 2 may."),
        ([one(n_failed=10)], {"max_failures": 50}, 2, 'Every case of "search" failed.'),
        (
            [one(n_failed=1, threshold=70.0, score=0.5, passed=False, variant="deep")],
            {},
            2,
            '1 case failed, where none may; "search [deep]" scores 50.0 %, under its threshold of 70 %.',
        ),
        ([one(threshold=70.0, score=None)], {}, 2, '"search" has a threshold, and no score.'),
        ([one(n_cases=0, error=ERROR)], {}, 2, 'Could not run "search".'),
        (
            [one()],
            {"broken_files": [BrokenFile(file="evals/a_eval.py", error=ERROR)]},
            2,
            "Could not load evals/a_eval.py.",
        ),
        (
            [one(n_cases=0, error=ERROR), one(n_failed=10)],
            {"broken_files": [BrokenFile(file="a_eval.py", error=ERROR)]},
            2,
            'Could not load a_eval.py; could not run "search"; 10 cases failed, where none may.',
        ),
        ([], {}, 2, "No case was found to run."),
        ([one(n_cases=0)], {}, 2, "No case was found to run."),
        ([one(n_cases=0, n_in_data=0)], {}, 0, "0 cases of 1 eval ran; none failed; no threshold was set."),
        ([one()], {"interrupted": True}, 2, "The run was stopped before its last case."),
        ([], {"interrupted": True}, 2, "The run was stopped before its last case."),
    ],
)
def test_a_run_is_judged_and_the_verdict_says_why(
    evals: list[EvalSummary], given: dict[str, Any], exit_code: int, sentence: str
) -> None:
    found = verdict(evals, **given)
    assert (found.exit_code, found.sentence) == (exit_code, sentence)


def test_an_eval_all_of_whose_cases_fail_is_no_success_without_a_threshold() -> None:
    def task(input: Any) -> Any:
        raise RuntimeError("the service is down")

    ran = run(prepared(task))
    assert verdict(ran.evals).exit_code == 2


def test_a_missed_threshold_does_not_hide_that_cases_crashed() -> None:
    def task(input: int) -> int:
        return 1 // input

    ran = run(prepared(task, [0, 1, 2], expected=[0, 0, 0], options={"threshold": 90.0}))
    found = verdict(ran.evals)
    assert found.exit_code == 2
    assert (
        found.sentence == '1 case failed, where none may; "echo" scores 50.0 %, under its threshold of 90 %.'
    )
