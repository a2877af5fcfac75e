"""Chooses how full text and vectors are fused: `python -m bench.fusion_weights`, after `make quality`.

Chosen on SciFact train and on every second query of each other set; reported on SciFact test and the rest.
Prints nDCG@10 by data set for every setting, and the mean over the sets.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.public_sets import SETS, scifact
from bench.quality import REPOSITORY, WORKSPACES
from rankle.app.evaluate import evaluate
from rankle.app.wiring.models import embedder_factory
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.kb.fusion import Fusion
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_settings import SearchSettings
from rankle.systems.knowledge_base import KnowledgeBaseSystem

_AT_MOST: Final = 200
"""Queries per set, evenly spaced."""
_WEIGHTS: Final = (0.2, 0.3, 0.4, 0.5, 0.6)
SETTINGS: Final[Mapping[str, Fusion]] = {
    **{f"convex {weight}": Fusion(kind="convex", vector_weight=weight) for weight in _WEIGHTS},
    "rrf": Fusion(kind="rrf"),
}


@dataclass(frozen=True, slots=True)
class Halves:
    """The queries of one set, parted."""

    choosing: tuple[EvalQuery, ...]
    reporting: tuple[EvalQuery, ...]


def halves(name: str, *, data: Path) -> Halves:
    """The queries to choose on, and the others to report."""
    queries = SETS[name](data).queries
    if name == "scifact-test":
        return Halves(_spaced(scifact(data, split="train").queries), queries)
    return Halves(_spaced(queries[::2]), _spaced(queries[1::2]))


def ndcg(kb: KnowledgeBase, queries: tuple[EvalQuery, ...], fusion: Fusion) -> float:
    """nDCG@10 of hybrid search under one fusion."""
    system = KnowledgeBaseSystem(kb, method="hybrid", settings=SearchSettings(fusion=fusion))
    run = evaluate(EvalSet(name=kb.name, queries=queries), system=system, k=10, measures="nDCG@10")
    mean = run.measures["nDCG@10"].mean
    assert mean is not None
    return mean


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SET", help=f"any of: {' '.join(SETS)} (default: all)")
    names = parser.parse_args().names or list(SETS)
    data = Path(os.environ.get("RANKLE_SHARED_DATA") or REPOSITORY.parent / "shared" / "data")
    chosen, reported = {}, {}
    for name in names:
        parted = halves(name, data=data)
        folder = WORKSPACES / name / "workspace"
        with KnowledgeBase(folder, name=name, open_embedder=embedder_factory()) as kb:
            chosen[name] = [ndcg(kb, parted.choosing, fusion) for fusion in SETTINGS.values()]
            reported[name] = [ndcg(kb, parted.reporting, fusion) for fusion in SETTINGS.values()]
        print(f"{name}: {_figures(chosen[name])} | {_figures(reported[name])}", flush=True)
    print("\n".join(_table("choosing half", chosen)))
    print("\n".join(_table("reporting half", reported)))
    return 0


def _table(title: str, figures: Mapping[str, Sequence[float]]) -> Iterator[str]:
    yield ""
    yield f"| {title} | {' | '.join(SETTINGS)} |"
    yield f"|---|{'---:|' * len(SETTINGS)}"
    for name, row in figures.items():
        yield f"| {name} | {' | '.join(f'{figure:.4f}' for figure in row)} |"
    means = [sum(column) / len(figures) for column in zip(*figures.values(), strict=True)]
    yield f"| mean | {' | '.join(f'{mean:.4f}' for mean in means)} |"


def _figures(row: Sequence[float]) -> str:
    return " ".join(f"{figure:.4f}" for figure in row)


def _spaced(queries: tuple[EvalQuery, ...]) -> tuple[EvalQuery, ...]:
    step = -(-len(queries) // _AT_MOST)
    return queries[::step]


if __name__ == "__main__":
    sys.exit(main())
