"""Reads an eval set, JSONL or a JSON array as its content tells; reports every fault of the file at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.core.product import NAME
from rankle.formats.beir import is_beir, read_beir
from rankle.formats.byte_source import STANDARD_INPUT, first_bytes, held
from rankle.formats.column_names import Role
from rankle.formats.eval_record import Relevance, read_record
from rankle.formats.json_array import parse_json_array
from rankle.formats.jsonl import RawRecord, RawRecords, parse_jsonl
from rankle.formats.kinds import ReadOptions
from rankle.formats.parquet import MAGIC, read_parquet
from rankle.formats.question import renamed
from rankle.formats.record_reading import RecordReading, Remark
from rankle.formats.set_version import refuse_other_schemas
from rankle.formats.sniff import other_kind
from rankle.formats.table_file import text_table
from rankle.formats.table_rows import Table
from rankle.formats.table_set import table_records
from rankle.formats.text_file import read_text_file
from rankle.formats.trec_lines import passed_over as lines_passed_over
from rankle.formats.trec_lines import unused_gains

_WHAT: Final = "an eval set (queries with judgments)"
_NO_FOLDER: Final = "one file of queries with judgments, or a BEIR folder (queries.jsonl, qrels/)"
_REMARKS: Final = {
    Remark.NEGATIVE: "judgments with a negative grade, taken as unjudged: {}",
    Remark.REPEATED: "labels that stand twice in their query with the same grade, counted once: {}",
    Remark.SETTLED: "labels that contradict an earlier one, settled as --conflicts says: {}",
    Remark.DISAGREE: (
        'targets on which "relevantDocs" and "judgments" disagree: {}; binary measures take the first, '
        "graded ones the second (--relevance judgments takes the second for all)"
    ),
}


class BadSetError(BadLinesError):
    """A set with faults, and the queries of it that have none."""

    def __init__(self, *, path: str, faults: Sequence[Fault], readable: EvalSet | None) -> None:
        """readable: None where every record has a fault."""
        super().__init__(path=path, faults=faults)
        self.readable = readable


def read_eval_set(
    path: str | Path,
    *,
    relevance: Relevance = Relevance.RELEVANT_DOCS,
    options: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
) -> EvalSet:
    """Read a set of queries with judgments: JSONL, a JSON array, CSV, TSV, Parquet, or a BEIR folder.

    A query without an id gets one from its place: `line-14` in JSONL, `item-14` in an array.
    Raises InputError where the file is not an eval set, BadSetError with all faults of one that is.
    """
    path = held(path)
    if is_beir(path):
        return eval_set_of(read_beir(path, options), options, path=path, relevance=relevance)
    if Path(path).is_dir():
        read_text_file(path, what=_NO_FOLDER)  # refuses it, naming the files within
    if first_bytes(path, what=_WHAT).startswith(MAGIC):
        return _of_table(read_parquet(path, options), options, path=path, relevance=relevance)
    file = read_text_file(path, what=_WHAT)
    if file.text.lstrip().startswith("["):
        return eval_set_of(parse_json_array(file.text), options, path=path, relevance=relevance, place="item")
    kind = other_kind(file.text)
    if kind is None:
        return eval_set_of(parse_jsonl(file.text), options, path=path, relevance=relevance)
    table = text_table(file.text, options, path=path)
    if table is None or Role.QUERY not in table.roles:
        raise InputError(f"{path} is {kind}; expected {_WHAT}. See: {NAME} eval --help")
    return _of_table(table, options, path=path, relevance=relevance)


def _of_table(table: Table, options: ReadOptions, *, path: str | Path, relevance: Relevance) -> EvalSet:
    if Role.QUERY not in table.roles:
        raise InputError(
            f"{path} has no column of query texts; its columns are {', '.join(table.names)}. "
            f"Say which holds them: --column {Role.QUERY}=NAME"
        )
    raw = table_records(table, options)
    return eval_set_of(raw, options, path=path, relevance=relevance, notices=table.notices)


def eval_set_of(
    raw: RawRecords,
    options: ReadOptions,
    *,
    path: str | Path,
    relevance: Relevance = Relevance.RELEVANT_DOCS,
    place: str = "line",
    notices: Sequence[str] = (),
) -> EvalSet:
    """The set that records state. place: `line` or `item`, which names queries that have no id.

    Raises BadSetError with all faults, InputError where there is no query.
    """
    refuse_other_schemas(raw.records, path=str(path))
    found = _read_records(raw, options, place=place, relevance=relevance)
    named = _named(found, options, path=path, notices=notices) if found.queries else None
    if found.faults:
        faults = sorted(found.faults, key=lambda fault: fault.line or 0)
        raise BadSetError(path=str(path), faults=faults, readable=named)
    if named is None:
        raise InputError(f"{path} holds no query; expected {_WHAT}. See: {NAME} eval --help")
    return named


def _named(found: "_Reading", options: ReadOptions, *, path: str | Path, notices: Sequence[str]) -> EvalSet:
    standard = str(path) == STANDARD_INPUT
    folder = Path(path) if Path(path).is_dir() else Path(path).absolute().parent
    return EvalSet(
        name="standard input" if standard else Path(path).name,
        queries=tuple(found.queries),
        folder=None if standard else str(folder.absolute()),
        notices=(*notices, *_notices(found), *unused_gains(options.gains, found.gains_met)),
    )


def eval_set_of_records(
    values: Sequence[object],
    options: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
    *,
    relevance: Relevance = Relevance.RELEVANT_DOCS,
) -> EvalSet:
    """The set that objects of a program state, in the shape of a file's records; labels start at no folder.

    A query without an id gets one from its place, from 1: `item-2`. Raises as `read_eval_set` does.
    """
    records = tuple(RawRecord(place, place, value) for place, value in enumerate(values, start=1))
    named = eval_set_of(RawRecords(records, ()), options, path="records", relevance=relevance, place="item")
    return replace(named, folder=None)


@dataclass(slots=True)
class _Reading:
    """What reading the records of a set gave."""

    queries: list[EvalQuery] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    remarks: Counter[Remark] = field(default_factory=Counter)
    n_blank: int = 0
    gains_met: set[str] = field(default_factory=set)
    passed_over: Counter[str] = field(default_factory=Counter)
    """Members of a question set that mean nothing here, with how many records have them."""


def _read_records(raw: RawRecords, options: ReadOptions, *, place: str, relevance: Relevance) -> _Reading:
    found = _Reading(faults=list(raw.faults), n_blank=raw.n_blank)
    lines: dict[str, int] = {}
    for record in raw.records:
        default_id = f"{place}-{record.number if place == 'item' else record.line}"
        reading = RecordReading(
            gains=options.gains or {},
            conflicts=options.conflicts,
            empty_means_nothing=options.empty_means_nothing,
        )
        value = record.value
        if isinstance(value, dict):
            question = renamed(value)
            value = question.record
            reading.empty_means_nothing &= question.lists_targets
            found.passed_over.update(question.passed_over)
        query = read_record(
            value, line=record.line, default_id=default_id, relevance=relevance, reading=reading
        )
        if reading.id in lines:
            earlier = f'the id "{reading.id}" stands on line {lines[reading.id]} already'
            reading.faults.append(f"{earlier}; give each query its own")
        elif reading.id is not None:
            lines[reading.id] = record.line
        found.faults += [Fault(record.line, message) for message in reading.faults]
        found.remarks += reading.remarks
        found.gains_met |= reading.gains_met
        if query is not None:
            found.queries.append(query)
    return found


def _notices(found: _Reading) -> tuple[str, ...]:
    counted = [
        words.format(found.remarks[remark]) for remark, words in _REMARKS.items() if found.remarks[remark]
    ]
    names = ", ".join(sorted(found.passed_over))
    blank = lines_passed_over(n_comments=0, n_blank=found.n_blank)
    passed_over = [f"members that mean nothing here, passed over: {names}"] if names else []
    return (*counted, *passed_over, *blank)
