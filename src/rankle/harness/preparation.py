"""What an evaluation works out before it asks anything: which queries, where, and what should be found."""

from collections.abc import Sequence
from dataclasses import dataclass

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError
from rankle.core.evalset import EvalSet, Level
from rankle.core.ports import CatalogSource, PassageSource
from rankle.core.product import NAME
from rankle.harness.outcome import NOTHING
from rankle.harness.plan import Item, Selection, plan_items, select_queries
from rankle.harness.scoring import score_outcomes
from rankle.harness.settings import Settings
from rankle.harness.spans import SpanView, span_view
from rankle.labels.join import JoinedQuery, JoinedSet, join_labels


@dataclass(frozen=True, slots=True)
class Prepared:
    """A set, joined to what a system holds; it serves for every system that holds the same."""

    selection: Selection
    items: tuple[Item, ...]
    joined: JoinedSet
    elsewhere: tuple[frozenset[str], ...]
    """For each query, the targets that its search cannot reach, since they lie in other collections."""
    has_catalog: bool
    """Whether the system could tell what it holds."""
    has_texts: bool = False
    """Whether it stores texts, so that passages can be looked for."""
    view: SpanView | None = None
    """How its chunks are seen as passages, at level SPAN."""

    @property
    def asked_level(self) -> Level:
        """What the system is asked for: no system ranks passages, so they are seen in chunks."""
        return Level.CHUNK if self.joined.level is Level.SPAN else self.joined.level


def prepare(eval_set: EvalSet, system: CatalogSource, settings: Settings) -> Prepared:
    """Choose the queries, place them in collections, and join their labels to what a system holds.

    Raises InputError on what the set and the catalog do not allow, MeasureError on grades that a measure
    refuses, CannotMeasureError where no label joins, or no query has a relevant label or should find nothing.
    """
    catalog = system.catalog()
    source = system if isinstance(system, PassageSource) else None
    selection = select_queries(eval_set, collection=settings.collection, max_queries=settings.max_queries)
    items = plan_items(selection.eval_set, collection=settings.collection, catalog=catalog)
    joined = join_labels(selection.eval_set, catalog, level=settings.level, source=source)
    _check_something_to_measure(joined, name=eval_set.name)
    elsewhere = _elsewhere(joined.queries, items, catalog)
    # Grades that a measure does not allow are refused before the system is asked, not after.
    nothing = [NOTHING] * len(items)
    score_outcomes(joined.queries, nothing, measures=settings.all_measures, elsewhere=elsewhere)
    view = None
    if joined.level is Level.SPAN and source is not None:
        view = span_view(source.chunk_places(), joined.queries, coverage=settings.coverage)
    return Prepared(
        selection,
        items,
        joined,
        elsewhere,
        has_catalog=catalog is not None,
        has_texts=source is not None,
        view=view,
    )


def _elsewhere(
    queries: Sequence[JoinedQuery], items: Sequence[Item], catalog: Catalog | None
) -> tuple[frozenset[str], ...]:
    homes = {document.id: document.collection for document in catalog.documents} if catalog else {}
    return tuple(
        frozenset(
            target.id
            for target in query.targets
            if item.collection is not None
            and target.documents
            and all(homes.get(document, item.collection) != item.collection for document in target.documents)
        )
        for query, item in zip(queries, items, strict=True)
    )


def _check_something_to_measure(joined: JoinedSet, *, name: str) -> None:
    if all(
        query.query.answerable and not any(target.is_relevant for target in query.targets)
        for query in joined.queries
    ):
        raise CannotMeasureError(
            f"no query of {name} has a relevant label, so there is nothing to measure; "
            'add what should be found, such as "relevant": ["guide/setup.md"], judge what is found '
            f"({NAME} eval label {name}), or say that nothing should be found, by "
            '"answerable": false or --empty-means nothing'
        )
