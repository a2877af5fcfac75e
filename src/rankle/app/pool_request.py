"""What is to be judged, and what a pool of results offers to those who judge it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rankle.core.evalset import EvalQuery
from rankle.core.judgment import Judgment
from rankle.labels.pooling import Pooled

Progress = Callable[[int, int], None]
"""Called with the queries done, and all."""


@dataclass(frozen=True, slots=True)
class PoolRequest:
    """What is to be judged."""

    set_file: Path
    methods: tuple[str, ...] = ()
    """Of the workspace. None: all that it is ready for."""
    depth: int = 10
    """Results of each method, or of each system."""
    empty_means_nothing: bool = False
    """Whether a query with an empty list of targets should find nothing, and so is left out."""
    systems: tuple[str, ...] = ()
    """URIs, or names of `[systems.NAME]`, that are asked in place of the workspace."""


class Pool(Protocol):
    """A set, and the results for its queries that are judged."""

    @property
    def judgments(self) -> Sequence[Judgment]:
        """Those that stood beside the set when it was opened."""
        ...

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of what finds the results."""
        ...

    @property
    def by_document(self) -> bool:
        """Whether documents are judged, rather than passages."""
        ...

    @property
    def has_lines(self) -> bool:
        """Whether the lines of a passage are those of its document."""
        ...

    @property
    def queries(self) -> Sequence[EvalQuery]:
        """Those that should find something."""
        ...

    def pooled(self, query: EvalQuery) -> list[Pooled]:
        """What is found, each result once."""
        ...

    def unjudged(
        self, query: EvalQuery, pooled: Sequence[Pooled], *, judge: str | None = None
    ) -> list[Pooled]:
        """What of it is still to be judged: by anyone, or by one judge, who may judge what others did.

        What the set labels without a judge beside it is settled.
        """
        ...

    def text_around(self, item: Pooled, *, n_characters: int) -> tuple[str, str]:
        """What stands before and behind a passage in its document."""
        ...


def still_open(
    query: EvalQuery,
    pooled: Sequence[Pooled],
    *,
    judgments: Sequence[Judgment],
    judge: str | None,
    is_labelled: Callable[[Pooled], bool],
) -> list[Pooled]:
    """What of the results of a query is to be judged, as `Pool.unjudged` says.

    is_labelled: whether a label of the set is about a result.
    """
    judged = {each.target for each in judgments if each.query == query.id}
    own = {each.target for each in judgments if each.query == query.id and each.judge == judge}
    closed = own if judge is not None else judged
    return [
        item
        for item in pooled
        if item.target not in closed and (item.target in judged or not is_labelled(item))
    ]
