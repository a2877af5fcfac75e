"""Reads small TREC files that are plain beyond doubt into dicts, without numpy; others it leaves alone."""

import re
from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

from rankle.core.errors import InputError
from rankle.formats.byte_source import file_size, open_bytes

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_BYTES: Final = 1 << 18
"""Some 8,000 lines of a run, up to which plain Python is about as quick as arrays are."""
_LONGEST_GRADE: Final = 9
_ITERATIONS: Final = frozenset({b"0", b"q0", b"Q0"})


def is_small_file(path: "str | Path") -> bool:
    """Whether it names a regular file that may be small enough, packed or not."""
    size = file_size(path)
    return size is not None and size <= LARGEST_BYTES


class SmallRun(NamedTuple):
    """The results of a file."""

    results: dict[str, dict[str, float]]
    tag: str


def read_small_qrels(path: "str | Path") -> dict[str, dict[str, int]] | None:
    """`{query: {target: grade}}` where every line is `QUERY 0 TARGET GRADE` with single judgments, none of
    them negative; None where anything is to be said, asked or refused, which is for the full reader.
    """
    columns = _columns(path, width=4)
    if columns is None or not _ITERATIONS.issuperset(columns[1]) or not all(map(bytes.isdigit, columns[3])):
        return None
    if max(map(len, columns[3])) > _LONGEST_GRADE:
        return None
    names = _texts(columns[0]), _texts(columns[2])
    judgments: dict[str, dict[str, int]] = {}
    for query, target, grade in zip(*names, map(int, columns[3]), strict=True):
        judgments.setdefault(query, {})[target] = grade
    return judgments if sum(map(len, judgments.values())) == len(columns[0]) else None


def read_small_run(path: "str | Path") -> SmallRun | None:
    """The same of a run, where every line is `QUERY Q0 TARGET RANK SCORE TAG` and no result stands twice."""
    columns = _columns(path, width=6)
    if columns is None or not all(map(bytes.isdigit, columns[3])) or columns[0][0][:1] in (b"{", b"["):
        return None
    number = re.compile(rb"[+-]?[0-9]*\.?[0-9]+([eE][+-]?[0-9]+)?")
    if not all(map(number.fullmatch, columns[4])):
        return None
    scores = list(map(float, columns[4]))
    if not all(map(isfinite, scores)):
        return None
    names = _texts(columns[0]), _texts(columns[2])
    results: dict[str, dict[str, float]] = {}
    for query, target, score in zip(*names, scores, strict=True):
        results.setdefault(query, {})[target] = score
    if sum(map(len, results.values())) < len(scores):
        return None
    return SmallRun(results, columns[5][0].decode(errors="replace"))


def _columns(path: "str | Path", *, width: int) -> list[tuple[bytes, ...]] | None:
    if not is_small_file(path):
        return None
    try:
        with open_bytes(path, what="a TREC file") as stream:
            data = stream.read(LARGEST_BYTES + 1)
        if len(data) > LARGEST_BYTES:  # unpacked
            return None
        data.decode()
        rows = list(map(bytes.split, data.removesuffix(b"\n").split(b"\n")))
    except (InputError, UnicodeDecodeError):
        return None
    odd = b"\t" in data or b"\r" in data or b"#" in data
    if odd or set(map(len, rows)) != {width}:
        return None
    return list(zip(*rows, strict=True))


def _texts(column: Sequence[bytes]) -> list[str]:
    return b"\n".join(column).decode().split("\n")
