"""List what of a set is still to be judged, what tells most first."""

from dataclasses import dataclass

from rankle.app.label_set import agreement_of
from rankle.app.pool_request import PoolRequest, Progress
from rankle.app.pooling import opened_pool
from rankle.app.wiring.settings import Settings
from rankle.labels.judges import JudgesAgreement
from rankle.labels.pooling import Pooled, most_informative


@dataclass(frozen=True, slots=True)
class PooledSet:
    """The results of a set's queries that nobody judged."""

    unjudged: tuple[Pooled, ...]
    n_pooled: int
    """All results, judged ones too."""
    n_queries: int
    """Of which results were asked for."""
    methods: tuple[str, ...]
    by_document: bool
    """Whether documents are judged, rather than passages."""
    agreement: JudgesAgreement | None
    has_lines: bool = True
    """Whether the lines of passages are those of their documents."""


def pool_set(settings: Settings, asked: PoolRequest, *, on_progress: Progress) -> PooledSet:
    """Asks every method every query. Raises as `app.pooling.opened_pool` does."""
    with opened_pool(settings, asked, on_progress=on_progress) as pool:
        unjudged = []
        n_pooled = 0
        for done, query in enumerate(pool.queries, start=1):
            pooled = pool.pooled(query)
            n_pooled += len(pooled)
            unjudged += pool.unjudged(query, pooled)
            on_progress(done, len(pool.queries))
        return PooledSet(
            tuple(most_informative(unjudged)),
            n_pooled,
            len(pool.queries),
            pool.methods,
            pool.by_document,
            agreement_of(pool.judgments),
            has_lines=pool.has_lines,
        )
