"""Several systems on one set: joined once, asked one after another, each with a record of its own."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fakes.hand_worked import scripted_system, write_set
from fakes.scripted_system import ScriptedSystem
from rankle.core.catalog import Catalog
from rankle.core.evalset import EvalSet
from rankle.core.run import RunReport
from rankle.formats.eval_set import read_eval_set
from rankle.harness.evaluation import Stamp, evaluate_system, evaluate_systems
from rankle.harness.settings import Settings


@dataclass
class Listed(ScriptedSystem):
    """Counts how often it was asked for what it holds."""

    n_listed: list[int] = field(default_factory=list)

    def catalog(self) -> Catalog | None:
        self.n_listed.append(1)
        return super().catalog()


@pytest.fixture
def eval_set(tmp_path: Path) -> EvalSet:
    return read_eval_set(write_set(tmp_path))


def nothing() -> Listed:
    return Listed(documents=["a.md", "b.md", "c.md", "d.md"])


def stamps() -> Iterator[Stamp]:
    return (Stamp(f"run-{number}", "2026-11-30T09:00:00Z") for number in range(9))


def run(eval_set: EvalSet, *systems: ScriptedSystem, **options: Any) -> tuple[RunReport, ...]:
    made = stamps()
    given: dict[str, Any] = {"on_progress": lambda done, total: None} | options
    work = evaluate_systems(
        eval_set,
        systems,
        Settings(k=(1, 3)),
        stamp=lambda: next(made),
        clock=lambda: 0.0,
        **given,
    )
    return asyncio.run(work)


def test_each_record_is_the_one_of_its_system_alone(eval_set: EvalSet) -> None:
    together = run(eval_set, scripted_system(), nothing())
    alone = [
        asyncio.run(
            evaluate_system(
                eval_set,
                system,
                Settings(k=(1, 3)),
                stamp=stamp,
                clock=lambda: 0.0,
                on_progress=lambda done, total: None,
            )
        )
        for system, stamp in zip((scripted_system(), nothing()), stamps(), strict=False)
    ]
    assert list(together) == alone
    assert [report.id for report in together] == ["run-0", "run-1"]


def test_labels_are_joined_to_one_catalog(eval_set: EvalSet) -> None:
    systems = [nothing(), nothing(), nothing()]
    run(eval_set, *systems)
    assert [len(system.n_listed) for system in systems] == [1, 0, 0]


def test_progress_counts_the_queries_of_all_systems(eval_set: EvalSet) -> None:
    told: list[tuple[int, int]] = []
    run(eval_set, nothing(), nothing(), on_progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 12) for done in range(1, 13)]
