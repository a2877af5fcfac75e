"""Chooses the field weights of full text: `python -m bench.weights`.

Chosen on SciFact train and on every second query of each other set; reported on SciFact test and the rest.

Prints, for each setting, the mean over the sets of nDCG@10 on the choosing queries, best first, and for the
best and the default the figures on the reporting queries.
"""

import itertools
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.public_sets import SETS, PublicSet, scifact
from rankle.app.evaluate import evaluate
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.kb.fulltext import DEFAULT_WEIGHTS, FieldWeights
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_settings import SearchSettings
from rankle.systems.knowledge_base import KnowledgeBaseSystem

_AT_MOST: Final = 100
"""Choosing queries per set, evenly spaced; all of them would take hours."""
GRID: Final = tuple(
    FieldWeights(title=title, breadcrumb=breadcrumb, body=body, variants=variants)
    for title, breadcrumb, body, variants in itertools.product(
        (1.0, 2.0, 4.0), (1.0,), (0.6, 0.8, 1.0, 1.3), (0.8, 1.0, 1.3)
    )
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """One data set, indexed, with its queries parted."""

    kb: KnowledgeBase
    choosing: EvalSet
    reporting: EvalSet


def prepare(name: str, *, data: Path, folder: Path) -> Prepared:
    public = SETS[name](data)
    public.write(folder / "documents")
    kb = KnowledgeBase(folder / "workspace", name=name, create=True)
    kb.index(folder / "documents")
    if name == "scifact-test":
        choosing, reporting = scifact(data, split="train").queries, public.queries
    else:
        choosing, reporting = public.queries[::2], public.queries[1::2]
    return Prepared(kb, _set(public, _spaced(choosing)), _set(public, reporting))


def ndcg(prepared: Prepared, eval_set: EvalSet, weights: FieldWeights) -> float:
    system = KnowledgeBaseSystem(prepared.kb, method="fts5", settings=SearchSettings(weights=weights))
    mean = evaluate(eval_set, system=system, k=10, measures="nDCG@10").measures["nDCG@10"].mean
    assert mean is not None
    return mean


def main() -> int:
    data = Path(os.environ.get("RANKLE_SHARED_DATA") or "../shared/data")
    with tempfile.TemporaryDirectory() as folder:
        sets = {name: prepare(name, data=data, folder=Path(folder) / name) for name in SETS}
        means = {weights: _mean(sets, weights) for weights in dict.fromkeys((*GRID, DEFAULT_WEIGHTS))}
        ranked = sorted(means.items(), key=lambda item: -item[1])
        for weights, mean in ranked:
            print(f"{mean:.4f}  {weights}", flush=True)
        for name, prepared in sets.items():
            best = ndcg(prepared, prepared.reporting, ranked[0][0])
            default = ndcg(prepared, prepared.reporting, DEFAULT_WEIGHTS)
            print(f"{name:14} best {best:.4f}  default {default:.4f}", flush=True)
    return 0


def _mean(sets: Mapping[str, Prepared], weights: FieldWeights) -> float:
    figures = [ndcg(prepared, prepared.choosing, weights) for prepared in sets.values()]
    return sum(figures) / len(figures)


def _spaced(queries: tuple[EvalQuery, ...]) -> tuple[EvalQuery, ...]:
    step = -(-len(queries) // _AT_MOST)
    return queries[::step]


def _set(public: PublicSet, queries: tuple[EvalQuery, ...]) -> EvalSet:
    return EvalSet(name=public.name, queries=queries)


if __name__ == "__main__":
    sys.exit(main())
