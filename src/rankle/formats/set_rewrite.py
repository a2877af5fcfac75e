"""Writes changed queries of a set in their place."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.formats.alone import opened_alone
from rankle.formats.eval_record import RECORD_KEYS
from rankle.formats.eval_set import read_eval_set
from rankle.formats.json_array import parse_json_array
from rankle.formats.jsonl import RawRecords, parse_jsonl
from rankle.formats.output import as_input_error, replace_file
from rankle.formats.set_records import render_array, render_jsonl


def check_rewritable(path: Path) -> None:
    """Raises InputError where the set's form is not one that labels are written into, and as `read_eval_set`
    does."""
    read_eval_set(path)
    _raw(path, path.read_bytes() if path.is_file() else b"")


def rewrite_queries(path: Path, changed: Mapping[str, EvalQuery]) -> None:
    """Writes the queries with these ids anew; the other lines of JSON Lines stay byte for byte.

    The file is replaced as a whole or not at all, and what somebody adds at the same time stays. Raises
    InputError where that cannot be done, or a query is not there any more.
    """
    if not changed:
        return
    with as_input_error(path), opened_alone(path, "rb") as file:
        data = file.read()
        if os.name == "nt":  # where a file that is open cannot be replaced
            file.close()
        replace_file(path, _rewritten(path, data, changed))


def _rewritten(path: Path, data: bytes, changed: Mapping[str, EvalQuery]) -> bytes:
    current = read_eval_set(path)
    missing = changed.keys() - {query.id for query in current.queries}
    if missing:
        raise InputError(f'{path} has no query "{min(missing)}" any more; it was changed meanwhile')
    raw = _raw(path, data)
    if data.decode("utf-8-sig").lstrip().startswith("["):
        queries = tuple(changed.get(query.id, query) for query in current.queries)
        return render_array(replace(current, queries=queries)).encode()
    lines = data.split(b"\n")
    by_line = {record.line for record in raw.records}
    for query in current.queries:
        if query.id in changed and query.line in by_line:
            end = b"\r" if lines[query.line - 1].endswith(b"\r") else b""
            lines[query.line - 1] = _line(changed[query.id]) + end
    return b"\n".join(lines)


def _line(query: EvalQuery) -> bytes:
    return render_jsonl(EvalSet("", (query,))).rstrip("\n").encode()


def _raw(path: Path, data: bytes) -> RawRecords:
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise _refused(path, "is packed, or not UTF-8") from error
    first = text.lstrip()[:1]
    if not first or first not in "[{":
        raise _refused(path, "is no JSON")
    raw = parse_json_array(text) if first == "[" else parse_jsonl(text)
    for record in raw.records:
        if isinstance(record.value, dict) and record.value.keys() - set(RECORD_KEYS):
            raise _refused(path, f"has members on line {record.line} that are not of our sets")
    return raw


def _refused(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} {why}; labels are written into JSON Lines and JSON arrays in UTF-8. Make one of it first"
    )
