"""Where a set that is made of something may be written."""

from pathlib import Path

from rankle.core.errors import InputError

_PACKED = (".gz", ".zst")


def check_set_output(path: Path, *, what: str) -> None:
    """Raises InputError unless the name is of JSON, which carries all of a set; before anything is written.

    what: that is written, as a sentence begins with it.
    """
    bare = path.with_suffix("") if path.suffix in _PACKED else path
    if bare.suffix not in (".jsonl", ".json"):
        raise InputError(f"{what} is written as JSON, which carries all of it; end {path} in .jsonl")


def check_free(path: Path, *, force: bool) -> None:
    """Raises InputError where something is there that would be written over."""
    if path.exists() and not force:
        raise InputError(f"{path} is there already; name another file with -o, or add --force")
