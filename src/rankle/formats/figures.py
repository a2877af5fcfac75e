"""Figures of judgments and results that tell whether a file is what its owner thinks it is."""

from collections import Counter
from itertools import pairwise

import numpy as np

from rankle.core.inspection import JudgmentFigures, ResultFigures
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run


def judgment_figures(qrels: Qrels) -> JudgmentFigures:
    grades = Counter(qrels.grades.tolist())
    relevant = np.unique(qrels.query_of[qrels.grades > 0])
    return JudgmentFigures(
        n_queries=len(qrels.queries),
        n_judgments=qrels.n_judgments,
        grades={str(grade): grades[grade] for grade in sorted(grades)},
        n_queries_without_relevant=len(qrels.queries) - len(relevant),
    )


def result_figures(run: Run) -> ResultFigures:
    lengths = np.diff(run.offsets)
    targets = run.targets if isinstance(run.targets, list) else list(run.targets)
    scores = run.scores.tolist()
    n_tied = n_queries_with_ties = n_duplicates = 0
    for start, end in pairwise(run.offsets.tolist()):
        found: dict[str, float] = {}
        for target, score in zip(targets[start:end], scores[start:end], strict=True):
            found[target] = max(score, found.get(target, score))
        _, counts = np.unique(list(found.values()), return_counts=True)
        n_duplicates += end - start - len(found)
        tied = int(counts[counts > 1].sum())
        n_tied += tied
        n_queries_with_ties += tied > 0
    return ResultFigures(
        name=run.name,
        n_queries=len(run.queries),
        n_results=run.n_results,
        fewest=int(lengths.min(initial=run.n_results)),
        median=float(np.median(lengths)) if len(lengths) else 0.0,
        most=int(lengths.max(initial=0)),
        n_queries_with_ties=n_queries_with_ties,
        n_tied=n_tied,
        n_duplicates=n_duplicates,
    )


def judgment_notices(figures: JudgmentFigures) -> list[str]:
    """What must be said of judgments before anything is measured by them."""
    notices = []
    negative = sum(count for grade, count in figures.grades.items() if int(grade) < 0)
    if negative:
        notices.append(f"judgments with a negative grade, taken as unjudged: {negative}")
    if figures.n_queries_without_relevant == figures.n_queries:
        notices.append("no judgment is above 0, so recall, nDCG and the like are undefined for all queries")
    elif figures.n_queries_without_relevant:
        notices.append(
            "queries without a relevant judgment, which recall, nDCG and the like leave out: "
            f"{figures.n_queries_without_relevant}"
        )
    return notices


def result_notices(figures: ResultFigures) -> list[str]:
    """What must be said of results before they are measured."""
    notices = []
    if figures.n_duplicates and figures.n_duplicates * 2 == figures.n_results:
        notices.append("every result stands twice, as in a run that was pasted twice; each counts once")
    elif figures.n_duplicates:
        notices.append(f"results that stand in their query already, counted once: {figures.n_duplicates}")
    n_distinct = figures.n_results - figures.n_duplicates
    if n_distinct > figures.n_queries and figures.n_tied == n_distinct:
        notices.append("every score is tied, so the order within a query is that of the tie-break alone")
    return notices
