"""Floors and abstention in records: kept to the byte, scored again, and what going on is held against."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.scripted_system import ScriptedSystem
from rankle.app.compare import compare
from rankle.app.evaluate import evaluate
from rankle.app.record_request import Recording
from rankle.app.rescore import rescore
from rankle.app.runs import load_run
from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError
from rankle.core.ports import SystemDescription
from rankle.core.run import AbstentionReport, RunReport
from rankle.records.exported import read_exported
from rankle.reports.json import write_json

RECORDS: list[dict[str, Any]] = [
    {"id": "found", "query": "first", "relevant": ["a.md"]},
    {"id": "low", "query": "second", "relevant": ["b.md"]},
    {"id": "let through", "query": "third", "answerable": False},
    {"id": "abstained", "query": "fourth", "answerable": False},
]
ANSWERS = {"first": ["a.md"], "second": ["b.md"], "third": ["a.md"], "fourth": ["b.md"]}


@dataclass
class Floored(ScriptedSystem):
    """It states a floor as the knowledge base does: in its settings and its fingerprint too."""

    floor: float | None = None

    def describe(self) -> SystemDescription:
        settings = {} if self.floor is None else {"floor": self.floor}
        own = replace(super().describe(), settings=settings, floor=self.floor)
        return replace(own, fingerprint=fingerprint(["scripted", self.floor]))


def system(floor: float | None, answers: dict[str, Any] = ANSWERS) -> Floored:
    return Floored(
        answers, documents=["a.md", "b.md"], scores={"a.md": 0.9, "b.md": 0.4}, floor=floor
    )  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


def run(place: Path, floor: float | None, **options: Any) -> RunReport:
    return evaluate(
        RECORDS, system=system(floor), **{"k": 1, "clock": lambda: 0.0, "record": place, **options}
    )


def shares(report: RunReport) -> list[float | None]:
    found = report.abstention
    assert isinstance(found, AbstentionReport)
    return [found.floor, found.precision.share, found.recall.share, found.answered.share]


@pytest.mark.parametrize("floor", [None, 0.5])
def test_a_record_and_a_file_give_abstention_back_to_the_byte(floor: float | None, place: Path) -> None:
    report = run(place, floor)
    assert shares(report) == ([None, None, 0.0, 1.0] if floor is None else [0.5, 0.5, 0.5, 0.5])
    assert msgspec.json.encode(load_run("latest", records=place).report) == msgspec.json.encode(report)
    write_json(place.parent / "run.json", [report])
    assert read_exported(str(place.parent / "run.json")) == report


def test_scoring_again_takes_the_floor_of_the_day_it_ran(place: Path) -> None:
    first, second = run(place, 0.5), run(place, 0.1)
    for report in (first, second):
        again = rescore(report.id, "AP", records=place).report
        assert shares(again) == shares(report)
        assert [query.abstained for query in again.queries] == [query.abstained for query in report.queries]


def test_a_comparison_tells_the_floor_that_changed_and_what_came_of_it(place: Path) -> None:
    (pair,) = compare(run(place, None), run(place, 0.5)).pairs
    assert pair.changed == ["floor none → 0.5"]
    assert pair.abstention is not None
    assert (pair.abstention.recall.share_a, pair.abstention.recall.share_b) == (0.0, 0.5)
    assert [one.difference for one in pair.measures] == [0.0] * len(pair.measures)


@pytest.mark.parametrize(("then", "now"), [(0.5, 0.6), (None, 0.5), (0.5, None)])
def test_a_run_that_began_under_another_floor_is_not_gone_on_with(
    then: float | None, now: float | None, place: Path
) -> None:
    stopped = system(then, {**ANSWERS, "third": InputError("stopped")})
    with pytest.raises(InputError, match="stopped"):
        evaluate(RECORDS, system=stopped, k=1, record=place)
    with pytest.raises(InputError, match="The search settings of scripted changed"):
        run(place, now, record=Recording(path=place, resume=True))
    report = run(place, then, record=Recording(path=place, resume=True))
    assert shares(report)[0] == then
