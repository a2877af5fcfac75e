"""What reading one record of an eval set collects beside the query: faults, remarks, mapped grades."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from rankle.core.errors import UnknownNameError
from rankle.core.product import NAME
from rankle.formats.json_text import shown
from rankle.formats.trec import Conflicts

_MEANT: Final = {
    **dict.fromkeys(("docid", "doc_id", "doc", "id", "path", "file"), ("document", "docid")),
    "document": ("docid",),
    **dict.fromkeys(("grade", "rel", "score", "rating", "label", "gain"), ("relevance",)),
    **dict.fromkeys(("chunk_id", "chunkid", "passage"), ("chunk",)),
    **dict.fromkeys(("text", "content", "excerpt", "snippet", "span"), ("quote",)),
    **dict.fromkeys(("start_index", "start_char", "offset", "from"), ("start",)),
    **dict.fromkeys(("end_index", "end_char", "to"), ("end",)),
    **dict.fromkeys(("nth", "index"), ("occurrence",)),
}
"""What other tools call the members of a label, to ours: the first that is allowed there."""


class Remark(StrEnum):
    """What a reader of figures must know though it is no fault; counted over a set."""

    NEGATIVE = "negative"
    REPEATED = "repeated"
    DISAGREE = "disagree"
    SETTLED = "settled"


@dataclass(slots=True)
class RecordReading:
    """What reading one record gave beside the query: collected while it is read."""

    gains: Mapping[str, int] = field(default_factory=dict)
    """Grade as written to the integer that it means."""
    conflicts: Conflicts = Conflicts.ERROR
    empty_means_nothing: bool = False
    """Whether a record with an empty list of targets should find nothing, where it does not say."""
    id: str | None = None
    """The query's id, also where something else in the record is wrong."""
    faults: list[str] = field(default_factory=list)
    remarks: Counter[Remark] = field(default_factory=Counter)
    gains_met: set[str] = field(default_factory=set)

    def string(self, record: dict[str, Any], key: str) -> str | None:
        value = record.get(key)
        if value is None or isinstance(value, str):
            return value
        self.faults.append(f'"{key}" must be text, got {shown(value)}')
        return None

    def strings(self, record: dict[str, Any], key: str) -> tuple[str, ...]:
        value = record.get(key)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.faults.append(f'"{key}" must be a list of texts, got {shown(value)}')
        return ()

    def unknown_keys(self, record: dict[str, Any], known: tuple[str, ...], *, what: str) -> None:
        for key in record:
            if key in known:
                continue
            hint = f"Allowed: {', '.join(known)}"
            meant = [name for name in _MEANT.get(key.casefold(), ()) if name in known]
            if meant:  # which the spelling alone would not suggest
                self.faults.append(f'unknown {what} "{key}"; did you mean "{meant[0]}"? {hint}')
            else:
                unknown = UnknownNameError(what=what, name=key, known=known, hint=hint)
                newer = "" if unknown.nearest else f". A newer version of {NAME} may know it"
                self.faults.append(f"{unknown}{newer}")
