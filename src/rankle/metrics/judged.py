"""The only facts that ranking measures need: where the judged results stand, and what there was to find."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

UNJUDGED = -1
"""Grade of a result that was in the judging pool but got no grade (a negative grade in the qrels)."""
REPEATED = -2
"""Grade of a result that holds judged targets, all of which results above it hold too: it is known to add
nothing, and is neither relevant nor judged not relevant."""
UNSTATED = -1
"""In `stated` and `n_stated`: the query states no relevant set apart from its grades."""


@dataclass(frozen=True, eq=False)
class JudgedRanks:
    """The judged results of a run, all queries together, as columns of one row a judged result.

    Unjudged results leave no row; they still count in `rank` and `n_retrieved`. Rows are ordered by
    query, then by rank. J rows, Q queries, T judged targets. Only the measures read these arrays;
    nobody writes to them.
    """

    query: NDArray[np.int64]
    """Index of the row's query, shape (J,), ascending."""
    rank: NDArray[np.int64]
    """Rank of the result, from 1, shape (J,); strictly ascending within a query."""
    grade: NDArray[np.int64]
    """Grade, shape (J,): 0 is judged not relevant, -1 is pooled but unjudged (a negative grade), -2 repeats
    what stands above it."""
    stated: NDArray[np.int8]
    """1 or 0: in or not in the relevant set that the query states apart from its grades; -1: the
    query states none, and the grade decides. Shape (J,)."""
    n_retrieved: NDArray[np.int64]
    """Distinct results, shape (Q,); 0 for a query that the run does not have."""
    ideal_offsets: NDArray[np.int64]
    """`ideal_grades[ideal_offsets[q]:ideal_offsets[q + 1]]` are query q's; shape (Q + 1,)."""
    ideal_grades: NDArray[np.int64]
    """Grades of all judged targets, retrieved or not, highest first within a query, shape (T,).
    No negative grades: what is unjudged is not a target."""
    n_stated: NDArray[np.int64]
    """Size of the relevant set that the query states apart from its grades, shape (Q,); -1: none."""
    found_row: NDArray[np.int64] | None = None
    """Where a result can find several targets at once, as a chunk can hold several passages: the row of the
    result that finds each target first, shape (F,). None: every row is one target. Its grade is then the
    highest of those that it finds."""
    found_grade: NDArray[np.int64] | None = None
    """Grade of each of these targets, shape (F,)."""

    @classmethod
    def from_lists(
        cls,
        results: Sequence[Sequence[str]],
        judgments: Sequence[Mapping[str, int]],
        *,
        relevant: Sequence[frozenset[str] | None] | None = None,
    ) -> "JudgedRanks":
        """Join ranked results to judgments, query by query.

        results: the ids of each query, best first; an id that occurs again is passed over, so that
            it counts once, at its best rank.
        judgments: target id to grade for each query; a negative grade means unjudged.
        relevant: where a query states its relevant set apart from its grades, that set; it decides
            for the binary measures at `rel=1`, while nDCG and ERR read the grades. A target that is
            in the set but has no grade is judged with grade 0. None where the grades decide.
        Raises ValueError if the sequences differ in length.
        """
        sets = relevant if relevant is not None else [None] * len(results)
        if not len(results) == len(judgments) == len(sets):
            raise ValueError(
                f"results, judgments and relevant must have one entry a query, got {len(results)}, "
                f"{len(judgments)} and {len(sets)}"
            )
        rows: list[tuple[int, int, int, int]] = []
        n_retrieved, offsets, ideal = [], [0], list[int]()
        for index, (ids, grades, stated) in enumerate(zip(results, judgments, sets, strict=True)):
            known = _with_stated(grades, stated)
            distinct = dict.fromkeys(ids)
            n_retrieved.append(len(distinct))
            for rank, target in enumerate(distinct, start=1):
                if target in known:
                    mark = UNSTATED if stated is None else int(target in stated)
                    rows.append((index, rank, max(known[target], UNJUDGED), mark))
            ideal += sorted((grade for grade in known.values() if grade >= 0), reverse=True)
            offsets.append(len(ideal))
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4)
        return cls(
            query=columns[:, 0].copy(),
            rank=columns[:, 1].copy(),
            grade=columns[:, 2].copy(),
            stated=columns[:, 3].astype(np.int8),
            n_retrieved=np.array(n_retrieved, dtype=np.int64),
            ideal_offsets=np.array(offsets, dtype=np.int64),
            ideal_grades=np.array(ideal, dtype=np.int64),
            n_stated=np.array([UNSTATED if s is None else len(s) for s in sets], dtype=np.int64),
        )

    @property
    def n_queries(self) -> int:
        return len(self.n_retrieved)

    @cached_property
    def n_judged(self) -> NDArray[np.int64]:
        """Judged targets of each query, relevant or not, shape (Q,)."""
        return np.diff(self.ideal_offsets)

    @cached_property
    def ideal_query(self) -> NDArray[np.int64]:
        """Query index of each ideal grade, shape (T,)."""
        return np.repeat(np.arange(self.n_queries), self.n_judged)

    def is_judged(self) -> NDArray[np.bool_]:
        """Whether somebody has judged what each row holds, shape (J,); False for pooled but unjudged."""
        seen: NDArray[np.bool_] = self.grade != UNJUDGED
        return seen

    def is_relevant(self, rel: int) -> NDArray[np.bool_]:
        """Whether each row is relevant to a binary measure, shape (J,).

        A relevant set that the query states decides at `rel=1`; a higher `rel` asks for grades by
        name, and gets them.
        """
        by_grade = self.grade >= rel
        return np.where(self.stated == UNSTATED, by_grade, self.stated == 1) if rel == 1 else by_grade

    def n_relevant(self, rel: int) -> NDArray[np.int64]:
        """Relevant targets of each query, retrieved or not, for a binary measure; shape (Q,)."""
        if rel not in self._n_relevant:
            self._n_relevant[rel] = self._count_relevant(rel)
        return self._n_relevant[rel]

    @cached_property
    def _n_relevant(self) -> dict[int, NDArray[np.int64]]:
        return {}

    def _count_relevant(self, rel: int) -> NDArray[np.int64]:
        by_grade = np.bincount(self.ideal_query[self.ideal_grades >= rel], minlength=self.n_queries)
        return np.where(self.n_stated == UNSTATED, by_grade, self.n_stated) if rel == 1 else by_grade

    def n_graded(self, rel: int = 1) -> NDArray[np.int64]:
        """Targets of each query with a grade of at least rel, whatever is stated beside it; shape (Q,)."""
        return np.bincount(self.ideal_query[self.ideal_grades >= rel], minlength=self.n_queries)

    def hits(self, rel: int, k: int | None) -> NDArray[np.int64]:
        """Relevant results of each query among its first k (None: all), shape (Q,)."""
        return self.count(self.is_relevant(rel) & self.within(k))

    def n_found(self, rel: int) -> NDArray[np.int64]:
        """How many relevant targets each row finds first, shape (J,): 1 where it is relevant, unless results
        can find several."""
        if self.found_row is None or self.found_grade is None:
            return self.is_relevant(rel).astype(np.int64)
        return np.bincount(self.found_row[self.found_grade >= rel], minlength=len(self.rank))

    def found(self, rel: int, k: int | None) -> NDArray[np.int64]:
        """Relevant targets of each query that its first k results find (None: all), shape (Q,)."""
        if self.found_row is None:
            return self.hits(rel, k)
        within = self.within(k)
        counted = np.bincount(self.query[within], self.n_found(rel)[within], minlength=self.n_queries)
        return counted.astype(np.int64)

    def within(self, k: int | None) -> NDArray[np.bool_]:
        """Whether each row is among the first k results (None: always), shape (J,)."""
        return np.ones(len(self.rank), dtype=bool) if k is None else self.rank <= k

    def count(self, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Number of the marked rows of each query, shape (Q,)."""
        return np.bincount(self.query[rows], minlength=self.n_queries)

    def total(self, values: NDArray[np.float64], rows: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Sum of the marked rows' values of each query, added from the first rank down, shape (Q,)."""
        sums: NDArray[np.float64] = np.bincount(
            self.query[rows], weights=values[rows], minlength=self.n_queries
        ).astype(np.float64, copy=False)
        return sums

    def running_count(self, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Of each row, how many of the marked rows of its query stand at its rank or above; shape (J,)."""
        if not len(rows):
            return np.zeros(0, dtype=np.int64)
        counted: NDArray[np.int64] = np.cumsum(rows, dtype=np.int64)
        first = np.flatnonzero(np.diff(self.query, prepend=-1))
        before: NDArray[np.int64] = counted[first] - rows[first]
        return counted - np.repeat(before, np.diff(first, append=len(rows)))


def _with_stated(grades: Mapping[str, int], stated: frozenset[str] | None) -> Mapping[str, int]:
    """The grades, and grade 0 for whatever is stated as relevant without one."""
    if stated is None:
        return grades
    return {**dict.fromkeys(sorted(stated), 0), **grades}
