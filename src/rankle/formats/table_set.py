"""Eval sets from tables: one row a query, or one row a judgment with the query repeated."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from rankle.core.errors import Fault
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import Role
from rankle.formats.json_text import shown
from rankle.formats.jsonl import RawRecord, RawRecords
from rankle.formats.kinds import ReadOptions
from rankle.formats.numbers import read_grades
from rankle.formats.table_rows import Table, checked_ids
from rankle.formats.trec import Conflicts
from rankle.metrics.qrels import Qrels

_MEMBERS: Final = {
    Role.ANSWER: "answer",
    Role.LANGUAGE: "language",
    Role.COLLECTION: "collection",
    Role.NOTE: "note",
}
_WHOLE: Final = re.compile(r"([0-9]{1,15})(?:\.0+)?")
_NUMBERS: Final = (Role.START, Role.END, Role.OCCURRENCE)
_LISTS: Final = {Role.TAGS: "tags", Role.TOPICS: "topics"}


def table_records(table: Table, options: ReadOptions) -> RawRecords:
    """One record a query, as an eval set in JSONL would have it, at the line where the query first stands.

    Rows of one query must agree in its text. Without grades a target is relevant; a row without a target
    names a query of which nothing is known. Raises BadLinesError with all faults.
    """
    faults: list[Fault] = []
    grades = _grades(table, options, faults)
    texts = [text.strip() for text in table.texts(Role.QUERY)]
    ids = [name.strip() for name in table.texts(Role.ID)] if Role.ID in table.roles else texts
    records: dict[str, dict[str, Any]] = {}
    lines: dict[str, int] = {}
    judged: dict[tuple[str, str, tuple[object, ...]], int] = {}
    for row, query in enumerate(ids):
        line = table.lines[row]
        if not query:
            faults.append(Fault(line, "the query is empty; write it, or drop the row"))
            continue
        record = records.setdefault(query, _members(table, row, query, texts[row]))
        first = lines.setdefault(query, line)
        if record["query"] != texts[row]:
            faults.append(
                Fault(
                    line,
                    f"query {shown(query)} has another text than on line {first}: {shown(texts[row])}; "
                    "give each query its own id, or take the judgments alone: --as qrels",
                )
            )
        for target in _targets(table, row, options):
            passage = _passage(table, row)
            before = judged.setdefault((query, target, tuple(passage.values())), grades[row])
            if before != grades[row] and options.conflicts is Conflicts.ERROR:
                faults.append(Fault(line, _conflict(target, grades[row], before)))
            record["judgments"].append({"docid": target, **passage, "relevance": grades[row]})
    table.check(faults)
    raw = (
        RawRecord(lines[query], number, record)
        for number, (query, record) in enumerate(records.items(), start=1)
    )
    return RawRecords(tuple(raw), ())


def listed_qrels(table: Table, options: ReadOptions) -> Qrels:
    """Judgments from a column that lists the relevant targets of a query, all of grade 1."""
    queries = checked_ids(table, Role.ID, Role.QUERY)
    judgments: dict[str, dict[str, int]] = {query: {} for query in queries}
    for row, query in enumerate(queries):
        judgments[query].update(dict.fromkeys(_targets(table, row, options), 1))
    return replace(Qrels.from_dict(judgments), notices=table.notices)


def _conflict(target: str, grade: int, before: int) -> str:
    return (
        f"judges {shown(target)} as {grade}, an earlier row as {before}. "
        "Choose one: --conflicts highest, first or last"
    )


def _grades(table: Table, options: ReadOptions, faults: list[Fault]) -> Sequence[int]:
    place = table.roles.get(Role.GRADE)
    if place is None:
        return [1] * len(table.lines)
    targets = table.texts(Role.TARGET)
    numbers = read_grades(table.columns[place], gains=options.gains)
    faults += [
        Fault(table.lines[row], message)
        for row, message in numbers.faults
        if targets[row].strip() or Role.TARGET not in table.roles
    ]
    return [int(value) for value in numbers.values.tolist()]


def _members(table: Table, row: int, query: str, text: str) -> dict[str, Any]:
    record: dict[str, Any] = {"id": query, "query": text, "judgments": []}
    for role, name in _MEMBERS.items():
        cell = table.texts(role)[row].strip() if role in table.roles else ""
        if cell:
            record[name] = cell
    for role, name in _LISTS.items():
        cell = table.texts(role)[row].strip() if role in table.roles else ""
        if cell:
            record[name] = _json_list(cell) or [cell]
    return record


def _passage(table: Table, row: int) -> dict[str, Any]:
    """The members of a span label; empty where the row labels its target as a whole."""
    if Role.TARGET not in table.roles:
        return {}
    found = {role: _cell(table, role, row) for role in (Role.QUOTE, *_NUMBERS) if role in table.roles}
    return {role.value: _whole(cell) if role in _NUMBERS else cell for role, cell in found.items() if cell}


def _cell(table: Table, role: Role, row: int) -> str:
    cell = table.columns[table.roles[role]][row]
    if isinstance(cell, str):
        return cell.strip()
    return f"{cell:.0f}" if float(cell).is_integer() else f"{cell:g}".replace("nan", "")


def _whole(cell: str) -> int | str:
    """The number that a cell states; the cell where it states none, for the message."""
    found = _WHOLE.fullmatch(cell)
    return int(found[1]) if found else cell


def _targets(table: Table, row: int, options: ReadOptions) -> list[str]:
    if Role.TARGET in table.roles:
        name = table.texts(Role.TARGET)[row].strip()
        return [name] if name else []
    cell = table.texts(Role.RELEVANT)[row].strip()
    listed = _json_list(cell)
    if listed is not None:
        return listed
    if options.list_separator:
        return [name.strip() for name in cell.split(options.list_separator) if name.strip()]
    signs = [sign for sign in (";", "|", ",") if sign in cell]
    if signs and options.list_separator is None:
        raise ambiguous(
            f"{table.path}:{table.lines[row]}",
            f"{shown(cell)} could be one target or several",
            {
                **{f"--list-separator '{sign}'": "several" for sign in signs},
                "--list-separator ''": "one",
            },
        )
    return [cell] if cell else []


def _json_list(cell: str) -> list[str] | None:
    if not cell.startswith("["):
        return None
    try:
        value = json.loads(cell)
    except ValueError:
        return None
    return value if isinstance(value, list) and all(isinstance(name, str) for name in value) else None
