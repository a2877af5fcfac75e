"""Paths as users write them."""

from pathlib import Path

from rankle.core.errors import InputError


def resolved(path: Path) -> Path:
    """The path without links and `..`. Raises InputError for a text that is no path."""
    try:
        str(path).encode()
        return path.resolve()
    except (ValueError, OSError, RuntimeError) as error:  # half characters, NUL, links in a circle
        raise InputError(f"{str(path)!a} is no path: {error}") from error
