"""Vectors across languages: questions of one language of XQuAD, paragraphs of another."""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Final

from bench.public_sets import XQUAD_LANGUAGES, xquad
from bench.quality_floors import ACROSS_EACH, ACROSS_MEAN, WITHIN
from rankle.app.evaluate import evaluate
from rankle.app.wiring.models import embedder_factory
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.kb.knowledge_base import KnowledgeBase

_MEASURE: Final = "R@10"


@dataclass(frozen=True, slots=True)
class Across:
    """R@10 of vector search for every pair of languages."""

    recall: dict[str, float]
    """By `de-th`: German questions, Thai paragraphs."""

    @property
    def pairs(self) -> dict[str, float]:
        """Those of two different languages."""
        return {pair: figure for pair, figure in self.recall.items() if len(set(pair.split("-"))) == 2}

    @property
    def mean(self) -> float:
        return sum(self.pairs.values()) / len(self.pairs)

    @property
    def lowest(self) -> tuple[str, float]:
        return min(self.pairs.items(), key=lambda item: item[1])

    @property
    def misses(self) -> list[str]:
        """The floors that are not reached, in words."""
        found = []
        if self.mean < ACROSS_MEAN:
            found.append(f"across languages: mean R@10 {self.mean:.4f}, floor {ACROSS_MEAN}")
        found += [
            f"across languages, {pair}: R@10 {figure:.4f}, floor {floor}"
            for pair, figure in self.recall.items()
            if figure < (floor := ACROSS_EACH if pair in self.pairs else WITHIN)
        ]
        return found


def measure_across(data: Path, *, folder: Path, model: str) -> Across:
    """Indexes the paragraphs of each language as a collection, and asks it the questions of all languages."""
    sets = {language: xquad(data, language=language) for language in XQUAD_LANGUAGES}
    kb = KnowledgeBase(folder / "workspace", name="across", create=True, open_embedder=embedder_factory())
    with kb:
        for language, public in sets.items():
            documents = folder / "documents" / language
            public.write(documents)
            kb.index(documents, collection=language, name=language, vectors=True, model=model)
        recall = {}
        for asked, searched in product(sets, sets):
            queries = tuple(_within(query, language=searched) for query in sets[asked].queries)
            run = evaluate(
                EvalSet(name=f"{asked}-{searched}", queries=queries),
                kb=kb,
                method="vector",
                k=10,
                measures=_MEASURE,
                level="document",
            )
            mean = run.measures[_MEASURE].mean
            assert mean is not None
            recall[f"{asked}-{searched}"] = mean
    return Across(recall)


def _within(query: EvalQuery, *, language: str) -> EvalQuery:
    labels = tuple(replace(label, name=f"{language}/{label.name}") for label in query.labels)
    return replace(query, labels=labels, collection=language)
