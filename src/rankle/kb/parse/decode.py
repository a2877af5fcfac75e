"""Bytes to text, or the reason why they are none."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from rankle.core.errors import EmptyDocumentError, UnreadableDocumentError

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED: Final = re.compile(rb"(?:charset|encoding|coding)[ \t]*[=:][ \t]*[\"']?([A-Za-z][\w.:-]{1,30})")
_DECLARED_WITHIN: Final = 2048
_CONTROLS: Final = re.compile(
    r"[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]"
)  # not \b \t \n \v \f \r ESC: terminals write them
_LOOKED_AT: Final = 65_536
_MOST_CONTROLS: Final = 0.02
"""Share of control characters above which bytes are no text; random bytes have ten times as many."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, newlines as `\\n`, without byte order mark."""

    text: str
    notices: tuple[str, ...] = ()


def decode_text(data: bytes, *, name: str, declared: bool = False) -> Decoded:
    """UTF-8, or UTF-16 and UTF-32 by their byte order mark, or Windows-1252 with a notice.

    declared: whether to believe a `charset=` or `coding:` near the start of what is not UTF-8.
    Raises EmptyDocumentError for an empty file, UnreadableDocumentError for bytes that are not text.
    """
    if not data.strip():
        raise EmptyDocumentError(f"{name}: holds no text; the file is empty")
    decoded = _decode(data, name=name, declared=declared)
    _refuse_binary(decoded.text, name=name)
    return Decoded(text=decoded.text.replace("\r\n", "\n").replace("\r", "\n"), notices=decoded.notices)


def _decode(data: bytes, *, name: str, declared: bool) -> Decoded:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(encoding, errors="replace"))
    if b"\0" in data:
        raise UnreadableDocumentError(
            f"{name}: is not text (it holds NUL bytes). If it is UTF-16 without a byte order mark, save it as"
            " UTF-8; if it is no text at all, exclude it with .rankleignore"
        )
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return (
            (_as_declared(data) if declared else None) or _as_damaged_utf8(data) or _as_windows(data, error)
        )


def _as_declared(data: bytes) -> Decoded | None:
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    if not match:
        return None
    encoding = match.group(1).decode("ascii")
    try:
        return Decoded(data.decode(encoding), notices=(f"read as {encoding}, which it declares",))
    except (LookupError, ValueError):
        return None


def _as_damaged_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few broken bytes: more of its characters beyond ASCII are whole than broken."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    whole = sum(character > "\x7f" for character in text) - broken
    if whole <= broken:
        return None
    return Decoded(text, notices=(f"read as UTF-8; {broken} broken byte sequences became U+FFFD",))


def _as_windows(data: bytes, error: UnicodeDecodeError) -> Decoded:
    return Decoded(
        data.decode("windows-1252", errors="replace"),
        notices=(
            f"not UTF-8 (byte {error.start}); read as Windows-1252. Save it as UTF-8 if letters look wrong",
        ),
    )


def _refuse_binary(text: str, *, name: str) -> None:
    head = text[:_LOOKED_AT]
    controls = len(_CONTROLS.findall(head))
    if "\0" in text or controls > max(1, _MOST_CONTROLS * len(head)):
        raise UnreadableDocumentError(
            f"{name}: is not text ({controls} of its first {len(head)} characters are control characters)."
            " Exclude it with .rankleignore, or give it the suffix of what it is"
        )
