"""What a keeper is told while a run goes on, and what is not asked again."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from fakes.hand_worked import STAMP, scripted_system, write_set
from fakes.scripted_system import BatchScriptedSystem, ScriptedSystem
from rankle.core.errors import InputError, RecordError
from rankle.core.outcome import Outcome
from rankle.core.run import RunReport
from rankle.formats.eval_set import read_eval_set
from rankle.harness.evaluation import evaluate_system, report_run
from rankle.harness.keeping import KeptRun, Plan, Stamp
from rankle.harness.settings import Settings
from rankle.harness.stored_plan import pack_plan, unpack_plan

AT_1_3 = Settings(k=(1, 3))


@dataclass
class Notebook:
    """A keeper that writes down what it is told."""

    known: Mapping[int, Outcome] = field(default_factory=dict)
    stamp: Stamp = STAMP
    plan: Plan | None = None
    kept: list[dict[int, Outcome]] = field(default_factory=list)
    report: RunReport | None = None
    is_left: bool = False

    @contextmanager
    def begin(self, plan: Plan, *, stamp: Callable[[], Stamp]) -> Iterator[KeptRun]:
        self.plan = plan
        try:
            yield self
        finally:
            self.is_left = True

    def keep(self, outcomes: Mapping[int, Outcome]) -> None:
        self.kept.append(dict(outcomes))

    def finish(self, report: RunReport) -> None:
        self.report = report


def run(folder: Path, system: ScriptedSystem, keeper: Notebook, settings: Settings = AT_1_3) -> RunReport:
    return asyncio.run(
        evaluate_system(
            read_eval_set(write_set(folder)),
            system,
            settings,
            stamp=STAMP,
            clock=lambda: 0.0,
            on_progress=lambda done, total: None,
            keeper=keeper,
        )
    )


@pytest.mark.parametrize("concurrency", [1, 3])
def test_each_case_is_kept_once_and_then_the_report(tmp_path: Path, concurrency: int) -> None:
    notebook = Notebook()
    report = run(tmp_path, scripted_system(), notebook, Settings(k=(1, 3), concurrency=concurrency))
    assert sorted(place for outcomes in notebook.kept for place in outcomes) == [0, 1, 2, 3, 4, 5]
    assert all(len(outcomes) == 1 for outcomes in notebook.kept)
    assert notebook.report == report
    assert notebook.is_left


def test_the_cases_of_a_batch_are_kept_together(tmp_path: Path) -> None:
    notebook = Notebook()
    run(tmp_path, BatchScriptedSystem(**vars(scripted_system())), notebook)
    assert [sorted(outcomes) for outcomes in notebook.kept] == [[0, 1, 2, 3, 4, 5]]


@pytest.mark.parametrize("kind", [ScriptedSystem, BatchScriptedSystem])
def test_what_is_known_is_not_asked_again_and_changes_nothing(
    tmp_path: Path, kind: type[ScriptedSystem]
) -> None:
    first, second = Notebook(), Notebook()
    whole = run(tmp_path, kind(**vars(scripted_system())), first)
    every = {place: outcome for outcomes in first.kept for place, outcome in outcomes.items()}
    second.known = {place: every[place] for place in (1, 4)}
    system = kind(**vars(scripted_system()))
    system.calls = []
    again = run(tmp_path, system, second)
    assert len(system.calls) == 4
    assert sorted(place for outcomes in second.kept for place in outcomes) == [0, 2, 3, 5]
    assert [query.results for query in again.queries] == [query.results for query in whole.queries]


def test_a_run_of_which_all_is_known_asks_nothing(tmp_path: Path) -> None:
    first = Notebook()
    whole = run(tmp_path, scripted_system(), first)
    second = Notebook({place: outcome for outcomes in first.kept for place, outcome in outcomes.items()})
    silent = ScriptedSystem(documents=["a.md", "b.md", "c.md", "d.md"])
    assert msgspec.json.encode(run(tmp_path, silent, second)) == msgspec.json.encode(whole)
    assert silent.calls == []


def test_a_run_that_ends_early_is_left_without_a_report(tmp_path: Path) -> None:
    notebook = Notebook()
    system = scripted_system()
    system.answers = {**system.answers, "the third question": InputError("no such thing")}
    with pytest.raises(InputError, match="no such thing"):
        run(tmp_path, system, notebook)
    assert (notebook.is_left, notebook.report, len(notebook.kept)) == (True, None, 2)


def test_a_report_is_made_again_from_a_stored_plan_to_the_byte(tmp_path: Path) -> None:
    notebook = Notebook()
    report = run(tmp_path, scripted_system(), notebook)
    assert notebook.plan is not None
    plan = unpack_plan(pack_plan(notebook.plan))
    every = {place: outcome for outcomes in notebook.kept for place, outcome in outcomes.items()}
    again = report_run(plan, [every[place] for place in range(6)], stamp=STAMP)
    assert msgspec.json.encode(again) == msgspec.json.encode(report)


def test_a_stored_plan_names_no_folder_of_this_machine(tmp_path: Path) -> None:
    notebook = Notebook()
    run(tmp_path, scripted_system(), notebook)
    assert notebook.plan is not None
    assert str(tmp_path).encode() not in pack_plan(notebook.plan)


def test_a_plan_of_another_version_is_told() -> None:
    with pytest.raises(RecordError, match="another version of rankle and can be shown, but not"):
        unpack_plan(msgspec.msgpack.encode({"prepared": 7}))
