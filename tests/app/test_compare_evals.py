"""`rankle.compare_evals`: whole runs of evals, eval by eval."""

from pathlib import Path
from typing import Any

import pytest

import rankle
from fakes.compared import compared_run
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.reports.json import write_json
from rankle.scorers import exact

ROWS = [{"input": n, "expected": n} for n in range(6)]


def suite(name: str, *, right: int) -> rankle.Suite:
    """An eval of which so many of six cases are right."""

    def task(input: int) -> int:
        return input if input < right else -1

    return rankle.Suite(name, data=ROWS, task=task, scorers=[exact()])


def ran(*, record: Path | bool = False, **right: int) -> rankle.EvalsResult:
    return rankle.run(*(suite(name, right=n) for name, n in right.items()), record=record)


def differences(found: rankle.Comparisons) -> list[tuple[Any, Any]]:
    return [(row["eval"].rpartition("::")[2], row["difference"]) for row in found.to_rows()]


def test_results_are_compared_eval_by_eval() -> None:
    found = rankle.compare_evals(ran(One=3, Two=6), ran(Two=0, One=6))
    assert differences(found) == [("One", 0.5), ("Two", -1.0)]
    assert [len(found), found["Two"].n_queries] == [2, 6]
    assert found.to_dict()["schema"] == "rankle.comparisons/1"
    assert found.to_polars().shape[0] == 2


def test_names_of_recorded_runs_are_compared_as_the_command_does(tmp_path: Path) -> None:
    records = tmp_path / "records.db"
    first, second = (ran(record=records, One=n, Two=6) for n in (3, 6))
    found = rankle.compare_evals(first.id, "latest", records=records)
    assert (
        differences(found) == differences(rankle.compare_evals(first, second)) == [("One", 0.5), ("Two", 0.0)]
    )
    assert [run.name for run in found["One"].runs] == [f"{first.id}#One", "latest#One"]


def test_what_only_one_run_has_stands_beside_and_is_told() -> None:
    found = rankle.compare_evals(ran(One=3, Old=1), ran(One=6, New=1))
    assert differences(found) == [("One", 0.5)]
    assert [one.eval.rpartition("::")[2] for one in found.unpaired] == ["Old", "New"]
    for told in (str(found), found._repr_html_()):
        assert "Only in" in told
        assert "New" in told


def test_a_name_that_no_eval_has_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"There is: tests/app/test_compare_evals\.py::One"):
        rankle.compare_evals(ran(One=3), ran(One=6))["Other"]


def test_runs_without_a_common_eval_cannot_be_compared() -> None:
    with pytest.raises(CannotMeasureError, match="no eval in common"):
        rankle.compare_evals(ran(Old=1), ran(New=1))


def test_a_run_of_search_is_none_of_evals(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_json(path, [compared_run("fts5", {"R@10": [1.0, 0.0]})])
    with pytest.raises(InputError, match=r"is a run of search, not of evals; rankle\.compare takes such"):
        rankle.compare_evals(path, ran(One=1))


def test_compare_names_what_takes_whole_runs(tmp_path: Path) -> None:
    records = tmp_path / "records.db"
    first = ran(record=records, One=3, Two=6)
    with pytest.raises(
        InputError, match=rf'name it, such as "{first.id}#One"\. rankle\.compare_evals'
    ) as caught:
        rankle.compare(first.id, "latest", records=records)
    assert "run of 2 evals" in str(caught.value)
