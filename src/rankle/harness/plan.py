"""Which queries of a set are asked, and where each of them searches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.core.product import NAME


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of a set that is asked."""

    eval_set: EvalSet
    n_in_file: int
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One call of the system."""

    query: str
    collection: str | None
    id: str | None = None
    """Of the query in its set."""


def select_queries(
    eval_set: EvalSet, *, collection: str | None = None, max_queries: int | None = None
) -> Selection:
    """Leave out queries that name another collection, then all but the first `max_queries`.

    Raises CannotMeasureError where nothing is left to ask.
    """
    notices: list[str] = []
    queries: Sequence[EvalQuery] = eval_set.queries
    if collection is not None:
        fitting = [query for query in queries if query.collection in (None, collection)]
        if len(fitting) < len(queries):
            n_left_out = len(queries) - len(fitting)
            notices.append(f"queries left out because they name another collection: {n_left_out}")
        if queries and not fitting:
            raise CannotMeasureError(f'every query of the set names another collection than "{collection}"')
        queries = fitting
    if max_queries is not None and max_queries < len(queries):
        notices.append(f"only the first {max_queries} of {len(queries)} queries were asked (--max-queries)")
        queries = queries[:max_queries]
    if not queries:
        raise CannotMeasureError(f"{eval_set.name} holds no query; nothing can be measured")
    chosen = replace(eval_set, queries=tuple(queries))
    return Selection(chosen, n_in_file=len(eval_set.queries), notices=tuple(notices))


def plan_items(eval_set: EvalSet, *, collection: str | None, catalog: Catalog | None) -> tuple[Item, ...]:
    """One item a query, in the order of the set.

    Raises UnknownNameError or InputError where a collection is named that the system has not.
    """
    if catalog is not None and catalog.documents:
        known = {document.collection for document in catalog.documents}
        if collection is not None and collection not in known:
            raise UnknownNameError(
                what="collection", name=collection, known=known, hint=f"There is: {_listed(known)}"
            )
        _check_collections(eval_set, known=known)
    return tuple(Item(query.text, query.collection or collection, query.id) for query in eval_set.queries)


def _check_collections(eval_set: EvalSet, *, known: set[str]) -> None:
    unknown: dict[str, list[EvalQuery]] = {}
    for query in eval_set.queries:
        if query.collection is not None and query.collection not in known:
            unknown.setdefault(query.collection, []).append(query)
    if unknown:
        parts = []
        for name, queries in unknown.items():
            line = f" (first on line {queries[0].line})" if queries[0].line else ""
            parts.append(
                f'{eval_set.name}: queries that name the unknown collection "{name}": {len(queries)}{line}'
            )
        parts.append(f"  There is: {_listed(known)}. Index one with: {NAME} index PATH --collection NAME")
        raise InputError("\n".join(parts))


def _listed(names: set[str]) -> str:
    return ", ".join(f'"{name}"' for name in sorted(names))
