"""Copies of what a trial is given, so that a task that changes its input changes its own alone."""

from typing import Any


def own_copy(value: Any) -> Any:
    """A copy of lists and dictionaries, to any depth; everything else is shared, and text costs nothing.

    A value that is part of itself is shared too.
    """
    try:
        return _copied(value)
    except RecursionError:
        return value


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {key: _copied(item) for key, item in value.items()}
    if kind is list:
        return [_copied(item) for item in value]
    return value
