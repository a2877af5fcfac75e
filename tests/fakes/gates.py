"""Gates from the text of a project file, and runs to judge by them."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fakes.runs import run_report
from rankle.core.gate import RuleVerdict
from rankle.core.run import QueryReport, ResultReport, RunReport, TargetReport
from rankle.gates.judge import judge
from rankle.gates.reading import read_gates
from rankle.gates.rules import Gate

PATH = "rankle.toml"


def gates_of(text: str, *, lines: Mapping[str, Sequence[str]] | None = None) -> tuple[Gate, ...]:
    """The gates of a project file's text; lines: of the files that it names."""
    return read_gates(tomllib.loads(text)["gates"], path=PATH, read_lines=lambda name: (lines or {})[name])


def gate_of(text: str, **more: Any) -> Gate:
    (gate,) = gates_of(text, **more)
    return gate


def run_of(scores: Mapping[str, Sequence[float | None]], **changed: Any) -> RunReport:
    """A run whose queries are q0, q1, ...; None where the system failed."""
    return run_report("hybrid", scores, **changed)


def with_queries(run: RunReport, changes: Mapping[str, Mapping[str, Any]]) -> RunReport:
    """The run with members of some of its queries changed, by their ids."""
    queries = [
        msgspec.structs.replace(query, **changes[query.id]) if query.id in changes else query
        for query in run.queries
    ]
    return msgspec.structs.replace(run, queries=queries)


def target(name: str, rank: int | None, *, relevant: bool = True) -> TargetReport:
    return TargetReport(id=name, grade=int(relevant), relevant=relevant, rank=rank, rank_at={}, lost_at=None)


def results(*grades: int | None) -> list[ResultReport]:
    """A list of results with these grades, best first; None for unjudged."""
    return [
        ResultReport(rank=rank, id=f"d{rank}", document=f"d{rank}", score=1 / rank, grade=grade, chunks=[])
        for rank, grade in enumerate(grades, start=1)
    ]


def rules(run: RunReport, text: str, **more: Any) -> list[RuleVerdict]:
    """What the rules of a gate come to, without the two that every gate has."""
    return judge(run, gate_of(text), **more).rules[2:]


def rule(run: RunReport, text: str, **more: Any) -> RuleVerdict:
    (only,) = rules(run, text, **more)
    return only


def query(run: RunReport, name: str) -> QueryReport:
    return next(query for query in run.queries if query.id == name)
