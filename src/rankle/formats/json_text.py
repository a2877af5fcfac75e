"""Strict JSON from a line or from the middle of a text, with faults in words instead of exceptions."""

import json
from typing import Any, Final, NamedTuple, NoReturn

MAX_LINE_CHARS: Final = 10_000_000
"""Longer lines are refused before they are parsed: no query with its judgments is this long."""


class Decoded(NamedTuple):
    """One JSON value and where it ended, or what is wrong with it."""

    value: Any
    end: int
    """Behind the value; where reading stopped, if the text is not JSON."""
    fault: str | None
    complete: bool = True
    """False where nobody can say where the value ends."""


def decode_at(text: str, start: int) -> Decoded:
    """The JSON value that begins at `start`; keys that stand twice, NaN and half characters are faults."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return Decoded(None, error.pos, f"is not valid JSON: {error.msg} at column {error.colno}", False)
    except RecursionError:
        return Decoded(None, start, "is nested too deeply", False)
    except ValueError as error:
        return Decoded(None, _end_of_value(text, start), str(error), True)
    if "\\ud" in text[start:end].lower() and not _is_text(value):
        fault = r"holds half of a character (a lone \ud800 to \udfff); write it whole"
        return Decoded(None, end, fault)
    return Decoded(value, end, None)


def _end_of_value(text: str, start: int) -> int:
    """The end of a value that is JSON by its syntax, whatever else is wrong with it."""
    return json.JSONDecoder(parse_int=str).raw_decode(text, start)[1]


def _is_text(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def decode_line(line: str) -> Decoded:
    """The JSON value that fills a line, apart from white space."""
    if len(line) > MAX_LINE_CHARS:
        return Decoded(None, 0, f"is {len(line):,} characters long, at most {MAX_LINE_CHARS:,} are allowed")
    start = len(line) - len(line.lstrip())
    decoded = decode_at(line, start)
    if decoded.fault is None and line[decoded.end :].strip():
        rest = shown(line[decoded.end :].strip())
        return Decoded(
            None, decoded.end, f"has text behind the JSON value, got {rest}; write one query a line"
        )
    return decoded


def shown(value: object, *, width: int = 60) -> str:
    """A value as JSON, cut to `width` characters, for messages."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"has the key {shown(key)} twice in one object; keep one")
            seen.add(key)
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"is not valid JSON: {name} is no JSON number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_no_constant)
