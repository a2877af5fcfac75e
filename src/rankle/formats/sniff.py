"""Says what a text file is that is not the JSONL it was taken for."""

import json
import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from rankle.core.product import NAME
from rankle.formats.json_text import shown

_LOOKED_AT: Final = 20
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def other_kind(text: str) -> str | None:
    """What the text is, in words that complete "the file is …"; None where it may be JSONL."""
    lines = list(islice((line.strip() for line in text.split("\n") if line.strip()), _LOOKED_AT))
    if _is_one_object(text, lines):
        return "one JSON object over several lines, where a list of queries is expected"
    if any(line.startswith("{") for line in lines):
        return None
    if _is_qrels(lines):
        return f"a TREC qrels file: judgments without query texts. To score a run: {NAME} score QRELS RUN"
    if _is_run(lines):
        return f"a TREC run file: results, not queries. To score it against judgments: {NAME} score QRELS RUN"
    return (
        "neither JSONL, a JSON array nor a table whose header names a query; "
        f"its first line is {shown(lines[0])}"
    )


def _is_one_object(text: str, lines: Sequence[str]) -> bool:
    if not lines or not lines[0].startswith("{") or len(lines) < 2 or lines[0].endswith("}"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_qrels(lines: Sequence[str]) -> bool:
    rows = [line.split() for line in lines]
    return all(len(row) == 4 and _INTEGER.fullmatch(row[3]) is not None for row in rows)


def _is_run(lines: Sequence[str]) -> bool:
    rows = [line.split() for line in lines]
    return all(
        len(row) == 6 and row[1].upper() == "Q0" and _NUMBER.fullmatch(row[4]) is not None for row in rows
    )
