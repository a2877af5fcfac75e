"""Runs of evals as JSON."""

from collections.abc import Iterable

import pytest

from fakes.evals_runs import evals_run, plain_run, rich_run
from fakes.schemas import valid_json
from rankle.core.errors import InputError
from rankle.core.evals import EvalsRun
from rankle.core.trials import CaseReport
from rankle.reports.evals_json import evals_json, parse_evals_json, run_of


def _text(run: EvalsRun) -> str:
    return b"".join(evals_json(run)).decode()


@pytest.mark.parametrize("run", [plain_run(), rich_run(), evals_run()], ids=["plain", "rich", "nothing"])
def test_it_is_what_is_published_and_reads_back_as_the_same_run(run: EvalsRun) -> None:
    text = _text(run)
    assert valid_json(text)["schema"] == "rankle.evals/1"
    assert text.endswith("}\n")
    assert parse_evals_json(text) == run.report()


def test_a_record_that_was_read_gives_the_same_text() -> None:
    text = _text(rich_run())
    assert _text(run_of(parse_evals_json(text))) == text


def test_cases_are_written_one_by_one() -> None:
    run, read = plain_run(), 0

    def counting(eval_id: str) -> Iterable[CaseReport]:
        nonlocal read
        for case in run.read_cases(eval_id):
            read += 1
            yield case

    seen = [read for part in evals_json(EvalsRun(run.summary, run.evals, counting)) if b'"id":"case-' in part]
    assert seen == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("text", ["", "{}", '{"schema": "rankle.run/1"}', b"\xff"])
def test_another_text_is_no_run_of_evals(text: str | bytes) -> None:
    with pytest.raises(InputError, match="not a record of a run of evals"):
        parse_evals_json(text)
