"""Retrieval quality of the knowledge base on public data sets: `make quality`.

Writes bench/results/quality.json and the tables in docs/quality.md. Workspaces stay in bench/.workspaces, so
that a second run embeds only what changed. The floors are in bench/quality_floors.py, held by tests/quality.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bench.public_sets import SETS, PublicSet
from bench.quality_across import Across, measure_across
from bench.quality_floors import HYBRID_MAY_LOSE, floors_of
from bench.quality_tables import write_page
from rankle.app.evaluate import evaluate
from rankle.app.wiring.models import embedder_factory
from rankle.core.product import VERSION
from rankle.kb.knowledge_base import KnowledgeBase

REPOSITORY: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = REPOSITORY / "bench" / "results" / "quality.json"
WORKSPACES: Final = REPOSITORY / "bench" / ".workspaces"
METHODS: Final = ("fts5", "vector", "hybrid")
MODEL: Final = "e5-small"
MEASURES: Final = ("nDCG@10", "R@10", "R@20", "RR@10", "Hit@10")


@dataclass(frozen=True, slots=True)
class Quality:
    """One data set under one method."""

    name: str
    method: str
    n_documents: int
    n_chunks: int
    n_queries: int
    measures: dict[str, float]
    took_s: float
    """Wall time of the evaluation; a fact of the machine, gated by nothing."""

    @property
    def misses(self) -> list[str]:
        """The floors that it does not reach, in words."""
        return [
            f"{self.name} {self.method}: {floor.measure} {figure:.4f}, floor {floor.floor:.3f}"
            for floor in floors_of(self.name, self.method)
            if (figure := self.measures[floor.measure]) < floor.floor
        ]


def measure(
    public: PublicSet, *, folder: Path, methods: Sequence[str] = METHODS, log: bool = False
) -> list[Quality]:
    """Writes the data set's documents as files, indexes them, and evaluates its questions by document."""
    eval_set = public.write(folder / "documents")
    with_vectors = any(method != "fts5" for method in methods)
    kb = KnowledgeBase(folder / "workspace", name=public.name, create=True, open_embedder=embedder_factory())
    with kb:
        started = time.perf_counter()
        report = kb.index(folder / "documents", vectors=with_vectors, model=MODEL if with_vectors else None)
        assert not report.failures
        if log:
            print(f"{public.name:14} indexed in {time.perf_counter() - started:.0f} s", flush=True)
        rows = []
        for method in methods:
            started = time.perf_counter()
            run = evaluate(eval_set, kb=kb, method=method, k=20, measures=MEASURES, level="document")
            summaries = run.measures.items()
            assert all(summary.n_scored == len(public.queries) for _name, summary in summaries)
            rows.append(
                Quality(
                    name=public.name,
                    method=run.system.method,
                    n_documents=len(public.documents),
                    n_chunks=kb.info().n_chunks,
                    n_queries=len(public.queries),
                    measures={key: summary.mean for key, summary in summaries if summary.mean is not None},
                    took_s=round(time.perf_counter() - started, 2),
                )
            )
    return rows


def hybrid_misses(rows: Sequence[Quality]) -> list[str]:
    """The sets on which hybrid stays under the better of its parts by more than it may, in words."""
    figures = {(row.name, row.method): row.measures["nDCG@10"] for row in rows}
    misses = []
    for name in dict.fromkeys(row.name for row in rows):
        hybrid, fts5, vector = (figures.get((name, method)) for method in ("hybrid", "fts5", "vector"))
        if hybrid is not None and fts5 is not None and vector is not None:
            better = max(fts5, vector)
            if hybrid < better - HYBRID_MAY_LOSE:
                misses.append(
                    f"{name} hybrid: nDCG@10 {hybrid:.4f}, {better - hybrid:.4f} under its better part"
                )
    return misses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="SET", help=f"any of: {' '.join(SETS)} across (default: all)"
    )
    names = parser.parse_args().names or [*SETS, "across"]
    data = Path(os.environ.get("RANKLE_SHARED_DATA") or REPOSITORY.parent / "shared" / "data")
    if not data.is_dir():
        print(f"no public data at {data}; set RANKLE_SHARED_DATA", file=sys.stderr)
        return 2
    rows: list[Quality] = []
    misses: list[str] = []
    for name in names:
        if name == "across":
            continue
        found = measure(SETS[name](data), folder=WORKSPACES / name, log=True)
        for row in found:
            figures = "  ".join(f"{key} {row.measures[key]:.4f}" for key in MEASURES)
            print(f"{row.name:14} {row.method:7} {figures}  ({row.took_s:.0f} s)", flush=True)
            misses += row.misses
        misses += hybrid_misses(found)
        rows += found
    across = _across(data) if "across" in names else None
    misses += across.misses if across else []
    for miss in misses:
        print(f"BELOW THE FLOOR  {miss}")
    if across and {row.name for row in rows} == set(SETS):
        _save(rows, across)
    return 1 if misses else 0


def _across(data: Path) -> Across:
    across = measure_across(data, folder=WORKSPACES / "across", model=MODEL)
    print(
        f"across languages: mean R@10 {across.mean:.4f}, lowest {across.lowest[1]:.4f} ({across.lowest[0]})"
    )
    return across


def _save(rows: Sequence[Quality], across: Across) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    result = {
        "rankle_version": VERSION,
        "rows": [asdict(row) for row in rows],
        "across": {"R@10": across.recall},
    }
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    write_page(REPOSITORY / "docs" / "quality.md", rows=rows, across=across)


if __name__ == "__main__":
    sys.exit(main())
