"""Whether a file is TREC's beyond doubt: a quick look at its first lines."""

import re
from typing import TYPE_CHECKING, Final

from rankle.core.errors import InputError
from rankle.formats.byte_source import open_bytes
from rankle.formats.trec_layout import Kind

if TYPE_CHECKING:
    from pathlib import Path

_SNIFFED_BYTES: Final = 4096
_INTEGER: Final = re.compile(rb"[+-]?[0-9]+")
_NUMBER: Final = re.compile(rb"[+-]?[0-9]*\.?[0-9]+([eE][+-]?[0-9]+)?")
_ITERATIONS: Final = frozenset({b"0", b"q0", b"00"})


def is_plain_trec(path: "str | Path", kind: Kind) -> bool:
    """True where the first lines are all `QUERY 0 TARGET GRADE`, or `QUERY Q0 TARGET RANK SCORE TAG`.

    False tells nothing: the file may be TREC's with fewer columns, comments or faults, of another form, or
    not to be read at all, which whoever reads it then says.
    """
    try:
        with open_bytes(path, what=f"TREC {kind.value}") as stream:
            head = stream.read(_SNIFFED_BYTES)
    except InputError:
        return False
    lines = head.split(b"\n") if len(head) < _SNIFFED_BYTES else head.split(b"\n")[:-1]
    rows = [line.split() for line in lines if line.strip()]
    fits = _is_judgment if kind is Kind.QRELS else _is_result
    return bool(rows) and all(map(fits, rows))


def _is_judgment(row: list[bytes]) -> bool:
    return len(row) == 4 and row[1].lower() in _ITERATIONS and _INTEGER.fullmatch(row[3]) is not None


def _is_result(row: list[bytes]) -> bool:
    return (
        len(row) == 6
        and row[0][:1] not in (b"{", b"[")
        and _INTEGER.fullmatch(row[3]) is not None
        and _NUMBER.fullmatch(row[4]) is not None
    )
