"""The commonest measures of one query in plain Python, as their formulas read.

They are what a small input is scored by, since importing numpy takes longer than all the rest of it, and what
the vectorised families are held against: a test demands equal values of both, to the last bit.
"""

from collections.abc import Callable, Mapping, Sequence
from math import log2
from typing import Final, NamedTuple


class JudgedQuery(NamedTuple):
    """The judged results of one query, best first, and what there was to find."""

    ranks: Sequence[int]
    """Ranks of the judged results, from 1, ascending."""
    grades: Sequence[int]
    """Grade of each, 0 or more."""
    ideal: Sequence[int]
    """Grades of all judged targets, retrieved or not, highest first; at least one of them above 0."""

    def relevant(self, k: int) -> list[int]:
        """Ranks of the relevant results among the first k."""
        return [rank for rank, grade in zip(self.ranks, self.grades, strict=True) if grade > 0 and rank <= k]

    @property
    def n_relevant(self) -> int:
        return sum(grade > 0 for grade in self.ideal)


def join_query(results: Mapping[str, float], judgments: Mapping[str, int]) -> JudgedQuery:
    """The ranks of the judged results: by score, ties by id, both descending (code points as bytes)."""
    best_first = sorted(zip(results.values(), results, strict=True), reverse=True)
    ranked = [
        (rank, judgments[target])
        for rank, (_, target) in enumerate(best_first, start=1)
        if target in judgments
    ]
    return JudgedQuery(
        ranks=[rank for rank, _ in ranked],
        grades=[grade for _, grade in ranked],
        ideal=sorted(judgments.values(), reverse=True),
    )


def recall(query: JudgedQuery, k: int) -> float:
    return len(query.relevant(k)) / query.n_relevant


def precision(query: JudgedQuery, k: int) -> float:
    return len(query.relevant(k)) / k


def hit_rate(query: JudgedQuery, k: int) -> float:
    return float(bool(query.relevant(k)))


def reciprocal_rank(query: JudgedQuery, k: int) -> float:
    found = query.relevant(k)
    return 1 / found[0] if found else 0.0


def average_precision(query: JudgedQuery, k: int) -> float:
    found = query.relevant(k)
    total = 0.0
    for n_found, rank in enumerate(found, start=1):
        total += n_found / rank
    return total / query.n_relevant


def ndcg(query: JudgedQuery, k: int) -> float:
    return dcg(query, k) / ideal_dcg(query, k)


def dcg(query: JudgedQuery, k: int) -> float:
    """The discounted gain of the first k results."""
    return _discounted(query.ranks, query.grades, k)


def ideal_dcg(query: JudgedQuery, k: int) -> float:
    """The highest that any ranking of the judged targets could have."""
    return _discounted(range(1, len(query.ideal) + 1), query.ideal, k)


def _discounted(ranks: Sequence[int], grades: Sequence[int], k: int) -> float:
    total = 0.0  # a loop, since sum() of later Pythons rounds in another way than numpy adds
    for rank, grade in zip(ranks, grades, strict=True):
        if rank <= k and grade > 0:
            total += grade / log2(rank + 1)
    return total


OF_ONE: Final[Mapping[str, Callable[[JudgedQuery, int], float]]] = {
    "R": recall,
    "P": precision,
    "RR": reciprocal_rank,
    "nDCG": ndcg,
    "Hit": hit_rate,
    "AP": average_precision,
}
"""By the canonical name of the family; each equals it at `rel=1` and without parameters."""
NEED_CUT: Final = frozenset({"R", "P", "Hit"})
"""Families that have no figure without a cut."""
