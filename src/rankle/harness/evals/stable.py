"""Values as JSON that is the same in every process, so that a case is the same case tomorrow."""

import base64
import dataclasses
import math
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

from rankle.core.canonical import Json, canonical_json
from rankle.core.errors import InputError

_PLAIN: Final = (str, bool, int, type(None))
_AS_TEXT: Final = (Decimal, UUID)


def stable_bytes(value: Any) -> bytes:
    """The value as canonical JSON. Equal values give equal bytes, in whatever process.

    Dates and times are ISO 8601, paths have forward slashes, members of sets are sorted, bytes are base64,
    numbers that are none are text, and of dataclasses, pydantic models and the like the fields count, without
    the name of the class: a case may move from a program to a file. Keys of other kinds become text.
    Raises InputError, in words that follow the name of the value, on an object that has no such form, and on
    values that are nested without end.
    """
    try:
        return canonical_json(_json(value))
    except RecursionError as error:
        raise InputError("is nested too deeply, or within itself") from error
    except UnicodeEncodeError as error:
        raise InputError(r"holds half of a character (a lone \ud800 to \udfff); write it whole") from error


def _json(value: Any) -> Json:
    if isinstance(value, Enum):
        return _json(value.value)
    if type(value) in _PLAIN:
        return value  # type: ignore[no-any-return]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, list | tuple):
        return [_json(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((_json(item) for item in value), key=canonical_json)
    return _scalar(value)


def _mapping(value: Mapping[Any, Any]) -> Json:
    found = {key if type(key) is str else _key(key): _json(item) for key, item in value.items()}
    if len(found) < len(value):
        keys = ", ".join(map(repr, value))
        raise InputError(f"has keys that are the same as text: {keys:.80}")
    return found


def _key(key: Any) -> str:
    found = _json(key)
    return found if isinstance(found, str) else canonical_json(found).decode()


def _scalar(value: Any) -> Json:
    if isinstance(value, str | int):  # of a class of its own
        return str(value) if isinstance(value, str) else int(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, _AS_TEXT):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return _object(value)


def _object(value: Any) -> Json:
    """Objects with fields, and arrays. Nothing of numpy or pydantic is imported to know theirs."""
    if isinstance(value, type):
        raise _no_form(value)
    if dataclasses.is_dataclass(value):
        return {field.name: _json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    names = getattr(value, "__struct_fields__", None)  # of msgspec
    if isinstance(names, tuple):
        return {name: _json(getattr(value, name)) for name in names}
    for way in ("model_dump", "tolist", "to_list", "to_dict"):  # of pydantic, numpy, Polars, others
        as_plain = getattr(value, way, None)
        if callable(as_plain):
            return _json(as_plain())
    if isinstance(value, range):
        return list(value)
    raise _no_form(value)


def _no_form(value: Any) -> InputError:
    kind = f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"
    how = "; list its items" if isinstance(value, Iterable) else ""
    return InputError(
        f"has {kind}, which is not the same in every run; write what tells it apart as JSON (text, "
        f"numbers, lists, dicts), a date, a path or a dataclass{how}"
    )
