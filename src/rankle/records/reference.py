"""How a run is named: its id or the beginning of it, `latest`, `latest~1`, a tag, or a file."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError

LATEST: Final = "latest"
_BACK: Final = re.compile(rf"{LATEST}(?:~(\d{{1,6}}))?")
_ID: Final = re.compile(r"[0-9a-f]{4,32}")
_TAG: Final = re.compile(r"[^\W_][\w./+-]*")
_MAX_TAG: Final = 64


@dataclass(frozen=True, slots=True)
class Back:
    """The latest complete run, or one before it."""

    steps: int


def steps_back(ref: str) -> Back | None:
    """What `latest` and `latest~2` mean; None for any other name."""
    match = _BACK.fullmatch(ref)
    return None if match is None else Back(int(match[1] or 0))


def looks_like_id(ref: str) -> bool:
    return _ID.fullmatch(ref) is not None


def looks_like_file(ref: str) -> bool:
    """Whether a name is that of a file whatever the store holds: it ends in `.json`, or leads somewhere."""
    path, _, _ = ref.partition("#")
    return path.endswith(".json") or path.startswith((".", "/", "~")) or Path(path).is_absolute()


def check_tag(name: str) -> str:
    """The name, where it can be a tag. Raises InputError where it would be read as another kind of name."""
    if _TAG.fullmatch(name) is None or len(name) > _MAX_TAG:
        raise InputError(
            "a tag begins with a letter or digit and goes on with letters, digits and . _ - + /, "
            f'at most {_MAX_TAG} characters; got "{name[:_MAX_TAG]}"'
        )
    if steps_back(name) is not None:
        raise InputError(f'"{name}" means the latest run already; choose another tag')
    if looks_like_id(name):
        raise InputError(f'"{name}" could be the id of a run; choose a tag with other letters than a to f')
    if looks_like_file(name):
        raise InputError(f'"{name}" would be read as a file; choose a tag that does not end in .json')
    return name
