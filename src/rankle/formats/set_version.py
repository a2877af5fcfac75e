"""Tells what this version cannot know: sets of a newer one, and other files of ours that are no sets."""

import re
from collections.abc import Iterable
from typing import Final

from rankle.core.errors import BadLinesError, Fault
from rankle.core.product import NAME, VERSION
from rankle.formats.jsonl import RawRecord

_SCHEMA: Final = re.compile(rf"{NAME}\.(?P<kind>[a-z_]+)/(?P<version>\d+)")
_KIND: Final = "set"


def refuse_other_schemas(records: Iterable[RawRecord], *, path: str) -> None:
    """Sets of this version state no schema. Raises BadLinesError at the first record that states one of ours,
    since what it means by its members nobody here can know."""
    for record in records:
        stated = record.value.get("schema") if isinstance(record.value, dict) else None
        found = _SCHEMA.fullmatch(stated) if isinstance(stated, str) else None
        if found is not None:
            raise BadLinesError(path=path, faults=[Fault(record.line, _words(found))])


def _words(found: re.Match[str]) -> str:
    stated = found.group()
    if found["kind"] == _KIND:
        return (
            f'is of a newer version of {NAME}: it states the schema "{stated}", which {VERSION} does not '
            f"know. Update: pip install -U {NAME}"
        )
    return f'is "{stated}", no eval set, which has a line a query: {{"query": …, "relevant": […]}}'
