"""Reads an eval set, JSONL or a JSON array as its content tells; reports every fault of the file at once."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.core.product import NAME
from rankle.formats.eval_record import RecordReading, Relevance, Remark, read_record
from rankle.formats.json_array import parse_json_array
from rankle.formats.jsonl import RawRecords, parse_jsonl
from rankle.formats.sniff import other_kind
from rankle.formats.text_file import read_text_file

_WHAT: Final = "an eval set (JSONL or a JSON array of queries)"
_REMARKS: Final = {
    Remark.NEGATIVE: "judgments with a negative grade, taken as unjudged: {}",
    Remark.REPEATED: "labels that stand twice in their query with the same grade, counted once: {}",
    Remark.DISAGREE: (
        'targets on which "relevantDocs" and "judgments" disagree: {}; binary measures take the first, '
        "graded ones the second (--relevance judgments takes the second for all)"
    ),
}


def read_eval_set(path: Path, *, relevance: Relevance = Relevance.RELEVANT_DOCS) -> EvalSet:
    """Read a set of queries with judgments.

    A query without an id gets one from its place: `line-14` in JSONL, `item-14` in an array.
    Raises InputError where the file is not an eval set, BadLinesError with all faults of one that is.
    """
    file = read_text_file(path, what=_WHAT)
    array = file.text.lstrip().startswith("[")
    if not array:
        _refuse_other_kinds(file.text, path=path)
    raw = parse_json_array(file.text) if array else parse_jsonl(file.text)
    queries, faults, remarks = _read_records(raw, place="item" if array else "line", relevance=relevance)
    if faults:
        raise BadLinesError(path=str(path), faults=sorted(faults, key=lambda fault: fault.line or 0))
    if not queries:
        raise InputError(f"{path} holds no query; expected {_WHAT}. See: {NAME} eval --help")
    return EvalSet(
        name=path.name,
        queries=tuple(queries),
        folder=str(path.absolute().parent),
        notices=_notices(queries, remarks),
    )


def _read_records(
    raw: RawRecords, *, place: str, relevance: Relevance
) -> tuple[list[EvalQuery], list[Fault], Counter[Remark]]:
    queries: list[EvalQuery] = []
    faults = list(raw.faults)
    remarks: Counter[Remark] = Counter()
    lines: dict[str, int] = {}
    for record in raw.records:
        default_id = f"{place}-{record.number if place == 'item' else record.line}"
        reading = RecordReading()
        query = read_record(
            record.value, line=record.line, default_id=default_id, relevance=relevance, reading=reading
        )
        if reading.id in lines:
            earlier = f'the id "{reading.id}" stands on line {lines[reading.id]} already'
            reading.faults.append(f"{earlier}; give each query its own")
        elif reading.id is not None:
            lines[reading.id] = record.line
        faults += [Fault(record.line, message) for message in reading.faults]
        remarks += reading.remarks
        if query is not None:
            queries.append(query)
    return queries, faults, remarks


def _refuse_other_kinds(text: str, *, path: Path) -> None:
    kind = other_kind(text)
    if kind is not None:
        raise InputError(f"{path} is {kind}; expected {_WHAT}. See: {NAME} eval --help")


def _notices(queries: Sequence[EvalQuery], remarks: Counter[Remark]) -> tuple[str, ...]:
    texts = Counter(query.text for query in queries)
    n_sharing = sum(count for count in texts.values() if count > 1)
    sharing = f"queries that share their text with another id: {n_sharing}; each is scored as its own"
    counted = [words.format(remarks[remark]) for remark, words in _REMARKS.items() if remarks[remark]]
    return (*([sharing] if n_sharing else []), *counted)
