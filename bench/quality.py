"""Retrieval quality of the knowledge base on public data sets: `make quality`.

Writes bench/results/quality.json and the table in docs/quality.md. The floors are held by tests/quality.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bench.public_sets import SETS
from rankle.app.evaluate import evaluate
from rankle.core.product import VERSION
from rankle.kb.knowledge_base import KnowledgeBase

REPOSITORY: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = REPOSITORY / "bench" / "results" / "quality.json"
PAGE: Final = REPOSITORY / "docs" / "quality.md"
_BEGIN: Final = "<!-- begin: written by `make quality` -->"
_END: Final = "<!-- end -->"
_MEASURES: Final = ("nDCG@10", "R@10", "RR@10", "Hit@10")


@dataclass(frozen=True, slots=True)
class Floor:
    """What the default method must reach on one data set, by document."""

    measure: str
    floor: float
    trial: float | None
    """What a trial of the same parts reached before they were built; None where there was none."""


FLOORS: Final = {
    "jsquad": Floor("R@10", 0.970, 0.975),
    "drcd": Floor("R@10", 0.990, 0.996),
    "korquad": Floor("R@10", 0.985, 0.992),
    "xquad-en": Floor("R@10", 0.990, None),
    "xquad-de": Floor("R@10", 0.970, None),
    "xquad-es": Floor("R@10", 0.985, None),
    "xquad-zh": Floor("R@10", 0.988, None),
    "xquad-ar": Floor("R@10", 0.950, None),
    "xquad-th": Floor("R@10", 0.985, 0.998),
    "cranfield": Floor("nDCG@10", 0.375, 0.382),
    "scifact-test": Floor("nDCG@10", 0.685, 0.693),
    "docs_qa": Floor("Hit@10", 0.95, None),
}


@dataclass(frozen=True, slots=True)
class Quality:
    """One data set under one method."""

    name: str
    method: str
    n_documents: int
    n_chunks: int
    n_queries: int
    measures: dict[str, float]
    index_s: float
    """Wall time; a fact of the machine, gated by nothing."""
    p50_ms: float | None
    p95_ms: float | None

    @property
    def passed(self) -> bool:
        return self.measures[FLOORS[self.name].measure] >= FLOORS[self.name].floor


def measure(name: str, *, data: Path, folder: Path) -> Quality:
    """Writes the data set's documents as files, indexes them, and evaluates its questions by document."""
    public = SETS[name](data)
    eval_set = public.write(folder / "documents")
    with KnowledgeBase(folder / "workspace", name=name, create=True) as kb:
        started = time.perf_counter()
        report = kb.index(folder / "documents")
        index_s = time.perf_counter() - started
        run = evaluate(eval_set, kb=kb, k=10, measures=_MEASURES, level="document")
    summaries = run.measures.items()
    assert not report.failures
    assert all(summary.n_scored == len(public.queries) for _name, summary in summaries)
    return Quality(
        name=name,
        method=run.system.method,
        n_documents=len(report.added),
        n_chunks=report.n_chunks,
        n_queries=len(public.queries),
        measures={key: summary.mean for key, summary in summaries if summary.mean is not None},
        index_s=round(index_s, 2),
        p50_ms=run.latency_ms.p50,
        p95_ms=run.latency_ms.p95,
    )


def table(rows: list[Quality]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| data set | documents | queries | method | nDCG@10 | R@10 | RR@10 | Hit@10 | floor | trial |",
        "|---|---:|---:|---|---:|---:|---:|---:|---|---:|",
    ]
    for row in rows:
        floor = FLOORS[row.name]
        figures = " | ".join(f"{row.measures[name]:.4f}" for name in _MEASURES)
        trial = "" if floor.trial is None else f"{floor.trial:.3f}"
        lines.append(
            f"| {row.name} | {row.n_documents} | {row.n_queries} | {row.method} | {figures} "
            f"| {floor.measure} {floor.floor:.3f} | {trial} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SET", help=f"any of: {' '.join(SETS)} (default: all)")
    names = parser.parse_args().names or list(SETS)
    data = Path(os.environ.get("RANKLE_SHARED_DATA") or REPOSITORY.parent / "shared" / "data")
    if not data.is_dir():
        print(f"no public data at {data}; set RANKLE_SHARED_DATA", file=sys.stderr)
        return 2
    rows = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            row = measure(name, data=data, folder=Path(folder))
        floor = FLOORS[name]
        verdict = "ok" if row.passed else "BELOW THE FLOOR"
        figure = f"{floor.measure} {row.measures[floor.measure]:.4f}"
        print(f"{name:14} {figure}  floor {floor.floor:.3f}  {verdict}  ({row.index_s:.0f} s)", flush=True)
        rows.append(row)
    if names == list(SETS):
        _save(rows)
    return 0 if all(row.passed for row in rows) else 1


def _save(rows: list[Quality]) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    result = {"rankle_version": VERSION, "rows": [asdict(row) for row in rows]}
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    before, rest = PAGE.read_text(encoding="utf-8").split(_BEGIN)
    after = rest.split(_END)[1]
    PAGE.write_text(f"{before}{_BEGIN}\n\n{table(rows)}\n\n{_END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
