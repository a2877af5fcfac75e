"""One entry of a record's labels: a name or an object becomes a label, or says everything that is wrong."""

from collections.abc import Sequence
from typing import Any, Final

from rankle.core.evalset import MAX_GRADE, Label, Level, Span, span_fault
from rankle.core.ids import is_chunk_id
from rankle.formats.json_text import shown
from rankle.formats.record_reading import RecordReading, Remark
from rankle.formats.trec import Conflicts

_SPAN_KEYS: Final = ("quote", "start", "end", "occurrence")
_LABEL_KEYS: Final = ("document", "chunk", *_SPAN_KEYS, "relevance")
_JUDGMENT_KEYS: Final = ("docid", "chunk", *_SPAN_KEYS, "relevance")
_GREATEST_OFFSET: Final = 2**53
"""Larger numbers are no offsets, and would not survive every JSON reader."""


def relevant_label(entry: object, reading: RecordReading) -> Label | None:
    """The label of an entry of `relevant`; None where it has faults, which are left in `reading`."""
    if not isinstance(entry, dict):
        return named_label(entry, reading)
    reading.unknown_keys(entry, _LABEL_KEYS, what='key in "relevant"')
    is_span = _is_span(entry)
    key = _target_key(entry, reading, is_span=is_span)
    if key is None:
        return None
    name = _name(entry, key, reading)
    span = _span(entry, reading) if is_span else None
    chunk = _name(entry, "chunk", reading) if is_span and "chunk" in entry else None
    grade = _grade(entry.get("relevance", 1), reading)
    if name is None or grade is None or (is_span and span is None):
        return None
    return Label(name, Level.SPAN if is_span else Level(key), grade, span=span, chunk=chunk)


def judgment_label(entry: object, reading: RecordReading) -> Label | None:
    """The label of an entry of `judgments`; None where it has faults."""
    if not isinstance(entry, dict) or "docid" not in entry or "relevance" not in entry:
        reading.faults.append(f'a judgment must be {{"docid": …, "relevance": …}}, got {shown(entry)}')
        return None
    reading.unknown_keys(entry, _JUDGMENT_KEYS, what='key in "judgments"')
    label = named_label(entry["docid"], reading)
    grade = _grade(entry["relevance"], reading)
    is_span = _is_span(entry)
    span = _span(entry, reading) if is_span else None
    chunk = _name(entry, "chunk", reading) if "chunk" in entry else None
    if chunk and not is_span:
        reading.faults.append('"chunk" stands beside a quote or range; without one, make it the "docid"')
    if label is None or grade is None or (is_span and span is None) or (chunk and not is_span):
        return None
    return Label(label.name, Level.SPAN if is_span else label.level, grade, span=span, chunk=chunk)


def named_label(entry: object, reading: RecordReading) -> Label | None:
    """The label that is a name alone; None where it is none."""
    if isinstance(entry, int) and not isinstance(entry, bool):
        entry = str(entry)
    if isinstance(entry, str) and entry.strip():
        return Label(entry, Level.CHUNK if is_chunk_id(entry) else None)
    reading.faults.append(f"a label must be the name of a document or chunk, got {shown(entry)}")
    return None


def unique_labels(labels: Sequence[Label | None], reading: RecordReading) -> tuple[Label, ...]:
    """Each target once: a repeated equal grade is remarked, a conflicting one is a fault."""
    kept: dict[object, Label] = {}
    for label in labels:
        if label is None:
            continue
        first = kept.setdefault(label.target, label)
        if first is label:
            continue
        if first.grade == label.grade and first.level == label.level:
            reading.remarks[Remark.REPEATED] += 1
        elif first.grade != label.grade and reading.conflicts is not Conflicts.ERROR:
            reading.remarks[Remark.SETTLED] += 1
            if reading.conflicts.decides(first.grade, label.grade):
                kept[label.target] = label
        elif first.grade != label.grade:
            grades = f"{first.grade} and {label.grade}"
            reading.faults.append(
                f"{_described(label)} is labelled twice, with relevance {grades}; keep one, or choose: "
                "--conflicts highest, first or last"
            )
        else:
            reading.faults.append(f"{shown(label.name)} is labelled both as a document and as a chunk")
    return tuple(kept.values())


def _described(label: Label) -> str:
    return (
        shown(label.name) if label.span is None else shown({"document": label.name, **label.span.to_json()})
    )


def _is_span(entry: dict[str, Any]) -> bool:
    return any(entry.get(key) is not None for key in _SPAN_KEYS)


def _target_key(entry: dict[str, Any], reading: RecordReading, *, is_span: bool) -> str | None:
    """The member that names the target; None where that is not clear."""
    if is_span:
        if "document" in entry:
            return "document"
        reading.faults.append(f'a quote or range needs its "document", got {shown(entry)}')
        return None
    names = [key for key in ("document", "chunk") if key in entry]
    if len(names) == 1:
        return names[0]
    if names:
        reading.faults.append(
            f'a label with both "document" and "chunk" needs the "quote", or "start" and "end", of the '
            f"passage; got {shown(entry)}"
        )
    elif entry.keys() <= set(_LABEL_KEYS):  # else its unknown key is the fault
        reading.faults.append(f'a label needs either "document" or "chunk", got {shown(entry)}')
    return None


def _name(entry: dict[str, Any], key: str, reading: RecordReading) -> str | None:
    name = entry[key]
    if isinstance(name, str) and name.strip():
        return name
    reading.faults.append(f'"{key}" must be text that is not blank, got {shown(name)}')
    return None


def _span(entry: dict[str, Any], reading: RecordReading) -> Span | None:
    quote = entry.get("quote")
    numbers = {key: entry.get(key) for key in ("start", "end", "occurrence")}
    faults = [] if quote is None or isinstance(quote, str) else [f'"quote" must be text, got {shown(quote)}']
    faults += [
        f'"{key}" must be a whole number of characters, got {shown(value)}'
        if key != "occurrence"
        else f'"occurrence" must be a whole number from 1, got {shown(value)}'
        for key, value in numbers.items()
        if value is not None and not _is_whole(value)
    ]
    if not faults:
        fault = span_fault(quote=quote, **numbers)
        faults = [f"a span {fault}"] if fault else []
    reading.faults += faults
    return None if faults else Span(quote, **numbers)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _GREATEST_OFFSET


def _grade(value: object, reading: RecordReading) -> int | None:
    written = value if isinstance(value, str) else shown(value)
    if written in reading.gains:
        reading.gains_met.add(written)
        value = reading.gains[written]
    if isinstance(value, int | float) and not isinstance(value, bool):
        if -MAX_GRADE <= value <= MAX_GRADE and value == int(value):
            return int(value)
        reading.faults.append(_no_grade(value))
    else:
        reading.faults.append(
            f'"relevance" must be an integer >= 0, got {shown(value)}. '
            f"Write 0 for not relevant, 1 for relevant, more for better{_mapping(value)}"
        )
    return None


def _no_grade(number: float) -> str:
    if not -MAX_GRADE <= number <= MAX_GRADE:
        return f'"relevance" must be an integer from 0 to {MAX_GRADE}, got {shown(number)}'
    return (
        f'"relevance" must be an integer >= 0, got {shown(number)}. Fractions have no agreed grade; '
        f"map them: --gain {shown(number)}=1"
    )


def _mapping(value: object) -> str:
    return f", or map it: --gain {value}=1" if isinstance(value, str) and value.strip() else ""
