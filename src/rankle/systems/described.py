"""Checks what a system of somebody else says of itself and its results, which records are made of."""

from collections.abc import Iterable

from rankle.core.canonical import canonical_json
from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError, SystemFailureError
from rankle.core.ports import SystemDescription


def checked_description(found: object) -> SystemDescription:
    """Raises CannotMeasureError, with what was got, on what no record can be made of."""
    if not isinstance(found, SystemDescription):
        raise CannotMeasureError(f"describe returned {_kind(found)}, and no SystemDescription")
    for name in ("name", "method", "fingerprint"):
        value = getattr(found, name)
        if not isinstance(value, str) or not value.strip():
            raise CannotMeasureError(f"the {name} that describe returned must be text, got {value!r:.80}")
    for name in ("stages", "notices"):
        value = getattr(found, name)
        if not isinstance(value, tuple | list) or not all(isinstance(each, str) for each in value):
            raise CannotMeasureError(
                f"the {name} that describe returned must be a tuple of texts, got {value!r:.80}"
            )
    for name in ("settings", "parts"):
        try:
            canonical_json(dict(getattr(found, name)))
        except (TypeError, ValueError) as error:
            raise CannotMeasureError(
                f"the {name} that describe returned cannot be kept as JSON: {error}"
            ) from error
    return found


def checked_catalog(found: object) -> Catalog | None:
    """Raises CannotMeasureError on what is neither a catalog nor None."""
    if found is None or isinstance(found, Catalog):
        return found
    raise CannotMeasureError(f"catalog returned {_kind(found)}, and no Catalog; None is for none")


def check_ids(hits: Iterable[object]) -> None:
    """Raises SystemFailureError where a result is called by something else than text."""
    for place, hit in enumerate(hits, start=1):
        for name in ("id", "document"):
            value = getattr(hit, name, None)
            if not isinstance(value, str):
                raise SystemFailureError(f"the {name} of result {place} must be text, got {value!r:.80}")


def _kind(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
