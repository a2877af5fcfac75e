"""Records of runs with scores that are written down, for what reads records."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from rankle.core.run import (
    LabelReport,
    Latency,
    QueryReport,
    RunReport,
    SetInfo,
    SystemInfo,
)
from rankle.harness.summary import summarise_scores


def run_report(
    method: str, scores: Mapping[str, Sequence[float | None]], *, error: str = "boom", **changed: Any
) -> RunReport:
    """A run with one query an entry, named q0, q1, ...; None where the system failed on it.

    scores: measure to the scores of all queries; the measures fail on the same ones.
    """
    columns = {name: list(values) for name, values in scores.items()}
    n = len(next(iter(columns.values())))
    failed = [any(values[row] is None for values in columns.values()) for row in range(n)]
    answered = {
        name: np.array([value for value in values if value is not None], dtype=np.float64)
        for name, values in columns.items()
    }
    report = RunReport(
        id="0123456789ab",
        created="2026-11-30T09:00:00Z",
        rankle_version="0",
        set=SetInfo(name="set", fingerprint="0" * 64, n_queries=n, n_in_file=n),
        level="document",
        depth=100,
        k=[10],
        ties="system",
        seed=0,
        system=SystemInfo(name="fake", method=method, fingerprint="0" * 64, stages=[]),
        measures={name: summarise_scores(values, n_failed=sum(failed)) for name, values in answered.items()},
        latency_ms=Latency(p50=1.0, p95=2.0),
        labels=LabelReport(n_labels=n, n_joined=n, unknown=[]),
        documents=[],
        notices=[],
        n_duplicates_dropped=0,
        queries=[_query(row, columns, failed=failed[row], error=error) for row in range(n)],
    )
    return msgspec.structs.replace(report, **changed)


def _query(
    row: int, columns: Mapping[str, Sequence[float | None]], *, failed: bool, error: str
) -> QueryReport:
    values = {name: column[row] for name, column in columns.items()}
    return QueryReport(
        id=f"q{row}",
        query=f"text {row}",
        status="failed" if failed else "scored",
        scores={} if failed else {name: value for name, value in values.items() if value is not None},
        first_relevant_rank=None,
        targets=[],
        results=[],
        took_ms=None if failed else 1.0,
        error=error if failed else None,
    )
