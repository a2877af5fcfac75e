"""Reads the data of an eval from a file or folder: rows, or an eval set."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import Fault, InputError
from rankle.formats.json_array import parse_json_array
from rankle.formats.jsonl import RawRecord, parse_jsonl
from rankle.formats.text_file import read_text_file
from rankle.harness.evals.rows import RawRow, RawRows
from rankle.harness.evals.set_rows import check_queries, read_set_rows

_WHAT: Final = 'rows of an eval ({"input": …, "expected": …}) or an eval set (queries with judgments)'
_TABLES: Final = {".csv": ",", ".tsv": "\t"}
_TRUTHS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_data_file(path: Path) -> RawRows:
    """The rows of a file: JSONL, a JSON array, CSV, TSV or Parquet, whose records have an `input`.

    Anything else is read as an eval set. Raises InputError where it is neither, BadLinesError with all faults
    of a set.
    """
    suffix = path.with_suffix("").suffix if path.suffix in (".gz", ".zst") else path.suffix
    if path.is_dir():
        return _set(path)
    if suffix == ".parquet":
        return _parquet(path)
    text = read_text_file(path, what=_WHAT).text
    if suffix in _TABLES:
        rows = _cells(text, _TABLES[suffix])
        return _set(path) if rows is None else rows
    if not text.lstrip().startswith(("[", "{")):
        return _set(path)
    raw = parse_json_array(text) if text.lstrip().startswith("[") else parse_jsonl(text)
    if not _are_rows(raw.records):
        first = raw.records[0].value if raw.records else None
        if isinstance(first, dict) and "schema" not in first:  # what states one is told what it is
            check_queries(first, said=f"{path}:{raw.records[0].line}")
        return _set(path)
    return RawRows([RawRow(record.value, record.line) for record in raw.records], raw.faults)


def _set(path: Path) -> RawRows:
    return RawRows([RawRow(row) for row in read_set_rows(path)])


def _are_rows(records: Sequence[RawRecord]) -> bool:
    return any(isinstance(record.value, dict) and "input" in record.value for record in records)


def _parquet(path: Path) -> RawRows:
    import polars as pl

    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"cannot read {path} as Parquet: {str(error).splitlines()[0]}") from error
    if "input" not in frame.columns:
        return _set(path)
    return RawRows([RawRow(row, number) for number, row in enumerate(frame.iter_rows(named=True), start=1)])


def _cells(text: str, separator: str) -> RawRows | None:
    """The rows of a table whose header names `input`; None where it does not."""
    header = text.split("\n", 1)[0]
    if separator == "," and ";" in header and "," not in header:
        separator = ";"  # as spreadsheets write it where numbers have decimal commas
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    rows: list[RawRow] = []
    faults: list[Fault] = []
    try:
        names = [name.strip() for name in next(reader, [])]
        if "input" not in names:
            return None
        line = reader.line_num + 1
        for cells in reader:
            if len(cells) == len(names):
                rows.append(RawRow(dict(zip(names, map(_cell, names, cells), strict=True)), line))
            elif cells:
                faults.append(Fault(line, f"has {len(cells)} cells, and the header {len(names)}"))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(reader.line_num, f"is not CSV: {error}"))
    return RawRows(rows, faults)


def _cell(name: str, cell: str) -> Any:
    """What a cell says. Text stays text, whatever it looks like, but for JSON objects and lists."""
    if name in ("only", "skip"):
        return _TRUTHS.get(cell.strip().lower(), cell) if cell.strip() else None
    if not cell.strip() and name != "input":
        return None
    if cell.lstrip().startswith(("{", "[")):
        try:
            return json.loads(cell)
        except ValueError:
            pass
    return [tag.strip() for tag in cell.split(",") if tag.strip()] if name == "tags" else cell
