"""JSONL: one JSON value a line; blank lines are skipped."""

from typing import Any, NamedTuple

from rankle.core.errors import Fault
from rankle.formats.json_text import decode_line


class RawRecord(NamedTuple):
    """One JSON value of a file, not yet understood."""

    line: int
    """Where it begins, from 1."""
    number: int
    """Its place among the values of the file, from 1."""
    value: Any


class RawRecords(NamedTuple):
    """The JSON values of a file, and what could not be parsed."""

    records: tuple[RawRecord, ...]
    faults: tuple[Fault, ...]
    n_blank: int = 0
    """Blank lines, which are passed over."""


def parse_jsonl(text: str) -> RawRecords:
    """All values and all faults of a text whose lines end in LF.

    Only LF ends a line: U+2028 and its like are legal within a JSON string.
    """
    records: list[RawRecord] = []
    faults: list[Fault] = []
    n_blank = 0
    for line_number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if not line.strip():
            n_blank += 1
            continue
        decoded = decode_line(line)
        if decoded.fault is None:
            records.append(RawRecord(line_number, len(records) + 1, decoded.value))
        else:
            faults.append(Fault(line_number, decoded.fault))
    return RawRecords(tuple(records), tuple(faults), n_blank)
