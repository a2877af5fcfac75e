"""Evals from Python: what `rankle.run` takes, gives and keeps."""

import asyncio
from pathlib import Path

import pytest

import rankle
from rankle.core.errors import InputError, UnknownNameError
from rankle.scorers import exact


def doubled(name: str = "Doubled", **options: object) -> rankle.Suite:
    def task(input: int) -> int:
        return input * 2 if input < 3 else 0

    rows = [{"input": n, "expected": 2 * n} for n in range(4)]
    return rankle.Suite(name, data=rows, task=task, scorers=[exact()], **options)  # type: ignore[arg-type]


def test_figures_and_cases_of_a_suite() -> None:
    result = rankle.run(doubled())
    assert result["Doubled"].score == 0.75
    assert [case.score for case in result.cases("Doubled")] == [1.0, 1.0, 1.0, 0.0]
    assert (result.exit_code, result.passed) == (0, True)


def test_missed_threshold_is_told() -> None:
    result = rankle.run(doubled(threshold=80))
    assert (result.exit_code, result.passed) == (1, False)
    assert str(result) == ('"Doubled" scores 75.0 %, under its threshold of 80 %. Exit code 1.')


def test_result_is_a_table() -> None:
    result = rankle.run(doubled(), doubled("Again"))
    frame = result.to_polars()
    assert frame["scorer"].to_list() == ["exact", "exact"]
    assert frame["mean"].to_list() == [0.75, 0.75]
    assert result.to_pandas().shape == (2, 10)
    assert result.to_dict()["evals"][0]["score"] == 0.75
    assert "<td>Doubled</td>" in result._repr_html_()


def test_two_suites_of_one_name_are_both_told_of() -> None:
    result = rankle.run(doubled(), doubled())
    assert result.exit_code == 2
    assert all(one.error is not None for one in result.evals)


def test_options_of_the_call_outrank_those_of_the_suite() -> None:
    result = rankle.run(doubled(trials=2), trials=3)
    assert result["Doubled"].trials == 3


def test_within_a_running_loop_it_waits_and_can_be_awaited() -> None:
    async def both() -> list[float | None]:
        return [rankle.run(doubled())["Doubled"].score, (await rankle.arun(doubled()))["Doubled"].score]

    assert asyncio.run(both()) == [0.75, 0.75]


def test_recorded_where_asked_and_read_again(tmp_path: Path) -> None:
    place = tmp_path / "records.db"
    first = rankle.run(doubled(), record=place)
    assert place.is_file()
    assert [case.score for case in first.cases()] == [1.0, 1.0, 1.0, 0.0]
    second = rankle.run(doubled(), record=place)["Doubled"]
    assert second.previous is not None
    assert second.previous.id == first["Doubled"].id


def test_without_a_record_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rankle.run(doubled())
    assert list(tmp_path.iterdir()) == []


def test_unknown_eval_says_which_there_are() -> None:
    with pytest.raises(UnknownNameError, match="Doubled"):
        rankle.run(doubled())["Doubeld"]


def test_decorator_without_a_task_is_refused() -> None:
    definition = rankle.eval("Half", data=[{"input": 1}], scorers=[exact()])
    with pytest.raises(InputError, match="must decorate a task"):
        rankle.run(definition)  # type: ignore[arg-type]


def test_impossible_option_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="trials= must be a whole number >= 1"):
        rankle.run(doubled(), trials=0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("trails", 'unknown option of rankle.run "trails"; did you mean "trials"'),
        ("trialCount", 'unknown option of rankle.run "trialCount"; here it is "trials"'),
    ],
)
def test_misspelt_option_is_not_passed_over(name: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        rankle.run(doubled(), **{name: 3})  # type: ignore[arg-type]
    assert words in str(refused.value)
