"""Canonical JSON, and the fingerprints made from it."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def canonical_json(value: Json) -> bytes:
    """One spelling per value: keys sorted by code point, no white space, UTF-8, shortest float.

    Equal values give equal bytes; 1 and 1.0 are different values. Raises ValueError on NaN and
    infinities, which JSON cannot carry, and TypeError on anything that is not JSON.
    """
    _refuse_foreign(value)
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def fingerprint(value: Json) -> str:
    """SHA-256 of the canonical JSON, 64 hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _refuse_foreign(value: object) -> None:
    """json.dumps turns the keys 1, True and None into text, so that two values would share a spelling."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"a key of canonical JSON must be text, got {key!r}")
            _refuse_foreign(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _refuse_foreign(item)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"canonical JSON cannot carry {value!r}")
