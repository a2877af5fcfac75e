"""Whatever a task gives, as JSON."""

import base64
import dataclasses
import enum
import math
import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath
from typing import Any, Final, TypeAlias

import msgspec

_Within: TypeAlias = tuple[int, ...]
"""Identities of what a value is part of, so that one that is part of itself is seen."""
_Convert: TypeAlias = Callable[[Any, _Within], Any]
REPR: Final = "$repr"
"""The one key of what stands for a value that JSON cannot hold: its `repr`."""
BYTES: Final = "$bytes"
"""The one key of what stands for bytes: base64."""
_DEEPEST: Final = 64
"""Levels; no data that people look at has more, and Python itself gives up at a thousand."""
_LONGEST_REPR: Final = 2_000


def as_json(value: Any) -> Any:
    """The value as what JSON has: None, booleans, numbers, text, lists and mappings by text. It never fails.

    Dataclasses, structs, models of pydantic and attrs become mappings, as do named tuples; sets become lists,
    sorted; arrays and tables lists; dates, paths and the like text. Numbers that JSON lacks (NaN, infinities)
    and objects that are none of this become `{"$repr": …}`, bytes `{"$bytes": …}` in base64. Halves of
    characters, which no file can hold, become U+FFFD.
    """
    return _json(value, ())


def survives_json(value: Any) -> bool:
    """Whether what is read back from JSON is the value, by type too: a tuple would come back as a list."""
    kind = type(value)
    if kind is str:
        return bool(value.isascii() or _whole(value) == value)
    if kind is float:
        return math.isfinite(value)
    if kind is list:
        return all(map(survives_json, value))
    if kind is dict:
        return all(type(key) is str and survives_json(key) for key in value) and all(
            map(survives_json, value.values())
        )
    return kind in (bool, type(None)) or (kind is int and _is_common(value))


def _json(value: Any, path: _Within) -> Any:
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _whole(value)
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if _is_common(value) else {REPR: _repr(value)}
    if kind is float and math.isfinite(value):
        return value
    if id(value) in path or len(path) >= _DEEPEST:
        return {REPR: "<part of itself>" if id(value) in path else f"<more than {_DEEPEST} levels deep>"}
    try:
        return _converted(value, (*path, id(value)))
    except Exception:  # noqa: BLE001  (an object that fails when it is looked at has a name at least)
        return {REPR: _repr(value)}


def _is_common(number: int) -> bool:
    """Whether readers of JSON take the number as it is: it fits into 64 bits."""
    return -(2**63) <= number < 2**64


def _converted(value: Any, path: _Within) -> Any:
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return [_json(item, path) for item in value]
    if isinstance(value, Mapping):
        return _mapping(value, path)
    for types, convert in _BY_TYPE:
        if isinstance(value, types):
            return convert(value, path)
    for is_one, convert in _BY_FORM:
        if is_one(value):
            return convert(value, path)
    return {REPR: _repr(value)}


def _mapping(value: Mapping[Any, Any], path: _Within) -> Any:
    found = {_key(key): _json(item, path) for key, item in value.items()}
    return found if len(found) == len(value) else {REPR: _repr(value)}


def _key(key: Any) -> str:
    if isinstance(key, enum.Enum):
        return _key(key.value)
    return _whole(key) if isinstance(key, str) else str(key)


def _sorted(value: Iterable[Any], path: _Within) -> list[Any]:
    items = [_json(item, path) for item in value]
    return sorted(items, key=lambda item: msgspec.json.encode(item, order="sorted"))


def _members(names: Iterable[str]) -> _Convert:
    def convert(value: Any, path: _Within) -> Any:
        return {name: _json(getattr(value, name), path) for name in names}

    return convert


def _text(value: Any, _path: _Within) -> str:
    return _whole(str(value))


def _iso(value: Any, _path: _Within) -> str:
    return str(value.isoformat())


def _again(called: str, *args: Any) -> _Convert:
    """By a method that gives something plainer."""
    return lambda value, path: _json(getattr(value, called)(*args), path)


def _whole(text: str) -> str:
    """Text without halves of characters; two that belong together are joined."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return str(text)


def _repr(value: Any) -> str:
    try:
        text = _whole(repr(value))
    except Exception as error:  # noqa: BLE001  (whatever a broken `repr` raises)
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return text if len(text) <= _LONGEST_REPR else f"{text[:_LONGEST_REPR]}…"


def _is_of(module: str, *names: str) -> Callable[[Any], bool]:
    """Whether it is of a class of a package, which need not be imported for that."""
    return lambda value: any(
        base.__module__.partition(".")[0] == module and base.__name__ in names for base in type(value).__mro__
    )


_BY_TYPE: Final[tuple[tuple[Any, _Convert], ...]] = (
    (enum.Enum, lambda value, path: _json(value.value, path)),
    (bool, lambda value, _: bool(value)),
    (int, lambda value, path: _json(int(value), path)),
    (str, _text),
    (float, lambda value, _: float(value) if math.isfinite(value) else {REPR: repr(float(value))}),
    ((set, frozenset), _sorted),
    ((bytes, bytearray, memoryview), lambda value, _: {BYTES: base64.b64encode(value).decode()}),
    ((datetime, date, time), _iso),
    ((timedelta, Decimal, Fraction, PurePath, uuid.UUID), _text),
    (msgspec.Struct, lambda value, path: _members(value.__struct_fields__)(value, path)),
)
_BY_FORM: Final[tuple[tuple[Callable[[Any], bool], _Convert], ...]] = (
    (lambda value: isinstance(value, tuple), lambda value, path: _members(value._fields)(value, path)),
    (
        lambda value: dataclasses.is_dataclass(value) and not isinstance(value, type),
        lambda value, path: _members([one.name for one in dataclasses.fields(value)])(value, path),
    ),
    (_is_of("pydantic", "BaseModel"), _again("model_dump")),
    (
        lambda value: hasattr(type(value), "__attrs_attrs__"),
        lambda value, path: _members([one.name for one in value.__attrs_attrs__])(value, path),
    ),
    (_is_of("numpy", "ndarray", "generic"), _again("tolist")),
    (_is_of("polars", "DataFrame"), _again("to_dicts")),
    (_is_of("polars", "Series"), _again("to_list")),
    (_is_of("pandas", "DataFrame"), _again("to_dict", "records")),
    (_is_of("pandas", "Series"), _again("to_list")),
)
"""What a value looks like, to how it is converted; the first that fits."""
