"""Values of evals as blobs of JSON, packed where that pays, without what is to be withheld.

What is stored is what reports write, so that an eval read back gives the same report. Values that a setup
file named secret stand nowhere in it.
"""

import json
import threading
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from rankle.core.errors import RecordError
from rankle.records.packing import unpack

_PACKED_FROM: Final = 512
"""Bytes; packing less takes longer than writing it."""
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
"""How a frame of Zstandard begins, and no JSON."""
WITHHELD: Final = "[withheld]"
_LEVEL: Final = 3


class JsonPacker:
    """Makes blobs of values, for any thread."""

    def __init__(self, withheld: Iterable[str] = ()) -> None:
        """withheld: texts that must not be stored, such as keys; each stands as `[withheld]`."""
        import zstandard

        self._withheld = tuple(sorted({form for text in withheld for form in _forms(text)}, key=len)[::-1])
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL)
        self._turn = threading.Lock()

    def encode(self, value: Any) -> bytes:
        """The JSON of a value, without what is withheld. A lone surrogate stands as its escape, since no
        JSON in UTF-8 can carry it."""
        data = _bytes(value)
        for text in self._withheld:
            if text in data:
                data = data.replace(text, WITHHELD.encode())
        return data

    def has_withheld(self, data: bytes) -> bool:
        """Whether JSON has a text in it that is not to be stored."""
        return any(text in data for text in self._withheld)

    def compress(self, data: bytes) -> bytes:
        """The blob of JSON."""
        if len(data) < _PACKED_FROM:
            return data
        with self._turn:  # a compressor serves one thread at a time
            return self._compressor.compress(data)

    def pack(self, value: Any) -> bytes:
        """The blob of a value."""
        return self.compress(self.encode(value))


def unpack_bytes(blob: bytes) -> bytes:
    """The JSON of a blob. Raises RecordError where it cannot be unpacked."""
    return unpack(blob) if blob.startswith(_MAGIC) else blob


def unpack_json(blob: bytes, kind: Any) -> Any:
    """The value of a blob. Raises RecordError where it holds none of `kind`."""
    data = unpack_bytes(blob)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"a stored value cannot be read: {error}") from error


def _forms(text: str) -> Iterable[bytes]:
    """How a text may stand in JSON: by itself, and within text that is JSON."""
    if text:
        yield _bytes(text)[1:-1]
        for ascii_only in (False, True):
            yield _bytes(json.dumps(text, ensure_ascii=ascii_only)[1:-1])[1:-1]


def _bytes(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_without_surrogates(msgspec.to_builtins(value)))


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value
