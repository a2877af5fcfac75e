"""A JSON array of objects, read item by item so that each is known by its line."""

import re
from typing import Final

from rankle.core.errors import Fault
from rankle.formats.json_text import decode_at
from rankle.formats.jsonl import RawRecord, RawRecords

_SPACE: Final = re.compile(r"[ \t\n]*")


def parse_json_array(text: str) -> RawRecords:
    """All items of a text that begins with `[`.

    What is wrong inside an item is reported with its line; where the text stops being JSON, reading
    stops too, since no later item can be found with certainty. Linear in the length of the text.
    """
    records: list[RawRecord] = []
    faults: list[Fault] = []
    line, counted, number = 1, 0, 0
    at = _skip(text, text.index("[") + 1)
    while not text.startswith("]", at):
        line, counted = line + text.count("\n", counted, at), at
        decoded = decode_at(text, at)
        number += 1
        if decoded.fault is None:
            records.append(RawRecord(line, number, decoded.value))
        else:
            fault_line = line if decoded.complete else line + text.count("\n", at, decoded.end)
            faults.append(Fault(fault_line, f"item {number} {decoded.fault}"))
            if not decoded.complete:
                return RawRecords(tuple(records), tuple(faults))
        at = _skip(text, decoded.end)
        broken = _broken_separator(text, at, number=number)
        if broken is not None:
            return RawRecords(tuple(records), (*faults, broken))
        if text.startswith(",", at):
            at = _skip(text, at + 1)
    rest = _skip(text, at + 1)
    if rest < len(text):
        faults.append(_fault(text, rest, f'has text behind its closing "]", got {_found(text, rest)}'))
    return RawRecords(tuple(records), tuple(faults))


def _broken_separator(text: str, at: int, *, number: int) -> Fault | None:
    """What is wrong behind an item, where only `, item` or `]` may stand."""
    if text.startswith(",", at):
        after = _skip(text, at + 1)
        return _fault(text, at, 'has a comma before its closing "]"') if text.startswith("]", after) else None
    if text.startswith("]", at):
        return None
    return _fault(text, at, f'needs "," or "]" behind item {number}, got {_found(text, at)}')


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _fault(text: str, at: int, message: str) -> Fault:
    return Fault(text.count("\n", 0, at) + 1, f"the array {message}")


def _found(text: str, at: int) -> str:
    return f'"{text[at : at + 20].split(chr(10))[0]}"' if at < len(text) else "the end of the file"
