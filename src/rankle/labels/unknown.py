"""Labels that name nothing in the index: what was probably meant, and whether anything joins at all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError, nearest
from rankle.core.ids import is_chunk_id, is_content_id
from rankle.core.product import NAME
from rankle.labels.names import Names, listed, quoted_name

_SUGGESTED: Final = 10
"""Names that get a suggestion; each costs one pass over all documents."""


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name in a set that nothing in the index fits."""

    name: str
    line: int | None
    """Where it is used first."""
    suggestion: str | None = None
    """The document id that looks most like it; None where none comes near."""


def with_suggestions(
    unknown: Sequence[UnknownName], catalog: Catalog, names: Names
) -> tuple[UnknownName, ...]:
    """The same names, the first few of them with the document that they mean or the nearest id.

    A hash is near to nothing.
    """
    known = [document.id for document in catalog.documents]
    left = _SUGGESTED
    result = []
    for item in unknown:
        if left and not is_chunk_id(item.name) and not is_content_id(item.name):
            left -= 1
            meant = names.meant(item.name)
            near = (meant,) if meant else nearest(item.name, known, limit=1)
            result.append(replace(item, suggestion=near[0] if near else None))
        else:
            result.append(item)
    return tuple(result)


def check_that_some_join(
    unknown: Sequence[UnknownName], *, n_joined: int, catalog: Catalog, names: Names
) -> None:
    """Raise CannotMeasureError where there are labels and none of them joins what the system holds."""
    if n_joined or not unknown:
        return
    if not catalog.documents:
        raise CannotMeasureError(
            f"nothing is indexed, so no label of the set can be found. First: {NAME} index PATH"
        )
    in_set = [item.name for item in unknown]
    documents = [document.id for document in catalog.documents]
    parts = ["no label of the set joins the index", f"set: {listed(in_set)}"]
    if all(is_chunk_id(name) for name in in_set):
        chunks = list(islice(catalog.chunks, 3))
        parts += [
            f"index: {listed(chunks)}",
            "these chunk ids come from other documents or another chunking. Where the set",
            f"has passages beside them: {NAME} eval check SET --level chunk --fix -o NEW;",
            "else index what it was made on, or score an exported run of the system that",
            f"has them: {NAME} score QRELS RUN",
        ]
    else:
        near = next((item for item in with_suggestions(unknown, catalog, names) if item.suggestion), None)
        parts.append(f"index: {listed(documents)}")
        if near is not None:
            suggestion = quoted_name(near.suggestion or "", width=30)
            parts.append(f"did you mean {suggestion} by {quoted_name(near.name, width=25)}?")
        parts += [
            f"index what the set is about ({NAME} index PATH), or write document ids, or",
            "paths relative to the set; for the ids of another",
            f"system, score a run exported from it: {NAME} score QRELS RUN",
        ]
    raise CannotMeasureError("\n  ".join(parts))
