"""Reads members of what stands in outputs and expectations: mappings and objects alike."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Final

_PLAIN: Final = (str, bytes, int, float, list, set, frozenset, type(None))


def member(entry: object, names: Sequence[str]) -> Any:
    """The first of these that the entry has, by key or attribute; None where it has none, or only None."""
    if isinstance(entry, Mapping):
        values = (entry.get(name) for name in names)
    elif not has_members(entry):
        return None
    else:
        values = (getattr(entry, name, None) for name in names)
    return next((value for value in values if value is not None), None)


def has_members(entry: object) -> bool:
    """Whether it is a mapping or an object, not a bare value or a list."""
    if isinstance(entry, tuple):
        return hasattr(entry, "_fields")
    return not isinstance(entry, _PLAIN) and not isinstance(entry, Integral)


def as_id(value: object) -> str | None:
    """A bare value as an id: text that is not blank, or a whole number; None where it is neither."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, bool) or not isinstance(value, Integral):
        return None
    return str(int(value))
