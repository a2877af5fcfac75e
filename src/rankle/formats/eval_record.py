"""One record of an eval set: a JSON object becomes a query, or says everything that is wrong with it."""

from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from rankle.core.evalset import EvalQuery, Label
from rankle.formats.json_text import shown
from rankle.formats.label_entry import judgment_label, named_label, relevant_label, unique_labels
from rankle.formats.record_reading import RecordReading, Remark

RECORD_KEYS: Final = (
    "id", "query", "relevant", "relevantDocs", "judgments", "answerable",
    "collection", "language", "tags", "answer", "topics", "note",
)  # fmt: skip


class Relevance(StrEnum):
    """Which member of a record says what is relevant, where `relevantDocs` and `judgments` both stand."""

    RELEVANT_DOCS = "relevantDocs"
    """`relevantDocs` for the binary measures, `judgments` for the grades."""
    JUDGMENTS = "judgments"
    """The grades of `judgments` for all measures."""


def read_record(
    value: object, *, line: int, default_id: str, relevance: Relevance, reading: RecordReading
) -> EvalQuery | None:
    """The query that a JSON value states; None where it has faults, which are left in `reading`."""
    if not isinstance(value, dict):
        reading.faults.append(
            f'must be an object such as {{"query": …, "relevant": […]}}, got {shown(value)}'
        )
        return None
    reading.unknown_keys(value, RECORD_KEYS, what="key")
    answerable = value.get("answerable", not (reading.empty_means_nothing and _is_empty(value)))
    if not isinstance(answerable, bool):
        reading.faults.append(f'"answerable" must be true or false, got {shown(answerable)}')
    labels = _labels(value, answerable=answerable is not False, relevance=relevance, reading=reading)
    reading.id = _id(value, default_id, reading)
    query = EvalQuery(
        id=reading.id,
        text=_query_text(value, reading),
        labels=labels,
        answerable=answerable is not False,
        collection=reading.string(value, "collection"),
        language=reading.string(value, "language"),
        tags=reading.strings(value, "tags"),
        answer=reading.string(value, "answer"),
        topics=reading.strings(value, "topics"),
        note=reading.string(value, "note"),
        line=line,
    )
    if not query.answerable and any(label.grade > 0 or label.relevant for label in labels):
        reading.faults.append(
            'is marked "answerable": false, yet names relevant targets; drop one of the two'
        )
    return None if reading.faults else query


def _is_empty(record: dict[str, Any]) -> bool:
    """Whether a record has lists of targets, and none of them names one."""
    lists = [record[key] for key in ("relevant", "relevantDocs", "judgments") if record.get(key) is not None]
    return bool(lists) and not any(lists)


def _id(record: dict[str, Any], default: str, reading: RecordReading) -> str:
    value = record.get("id")
    if value is None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.strip():
        return value
    reading.faults.append(f'"id" must be text or a whole number, got {shown(value)}')
    return default


def _query_text(record: dict[str, Any], reading: RecordReading) -> str:
    value = record.get("query")
    if isinstance(value, str) and value.strip():
        return value
    if "query" in record:
        reading.faults.append(f'"query" must be text that is not blank, got {shown(value)}')
    else:
        reading.faults.append('has no "query"; write what the user searches for')
    return ""


def _labels(
    record: dict[str, Any], *, answerable: bool, relevance: Relevance, reading: RecordReading
) -> tuple[Label, ...]:
    present = [key for key in ("relevant", "relevantDocs", "judgments") if record.get(key) is not None]
    if not present:
        if answerable:
            reading.faults.append(
                'has no "relevant"; list its targets, [] if nothing is known to be relevant'
            )
        return ()
    if "relevant" in present and len(present) > 1:
        reading.faults.append(f'has both "relevant" and "{present[1]}"; keep one')
        return ()
    entries = {key: _list(record, key, reading) for key in present}
    stated = unique_labels(
        [relevant_label(entry, reading) for entry in entries.get("relevant", ())]
        + [judgment_label(entry, reading) for entry in entries.get("judgments", ())],
        reading,
    )
    named = unique_labels([named_label(entry, reading) for entry in entries.get("relevantDocs", ())], reading)
    reading.remarks[Remark.NEGATIVE] += sum(label.grade < 0 for label in stated)
    if not named:
        return stated
    if not stated:
        return named
    if relevance == Relevance.JUDGMENTS:
        return stated
    if any(label.span for label in stated):
        reading.faults.append(
            'has "relevantDocs" beside judgments of passages, whose grades say what is relevant; '
            'drop "relevantDocs", or take --relevance judgments'
        )
        return stated
    return _both(named, stated, reading)


def _list(record: dict[str, Any], key: str, reading: RecordReading) -> list[Any]:
    value = record[key]
    if isinstance(value, list):
        return value
    reading.faults.append(f'"{key}" must be a list, got {shown(value)}')
    return []


def _both(named: tuple[Label, ...], stated: tuple[Label, ...], reading: RecordReading) -> tuple[Label, ...]:
    """Judgments as the grades, `relevantDocs` as the relevant set; what is in one only disagrees."""
    relevant = {label.name for label in named}
    judged = {label.name for label in stated}
    joined = [replace(label, relevant=label.name in relevant) for label in stated]
    added = [Label(label.name, label.level, 0, True) for label in named if label.name not in judged]
    reading.remarks[Remark.DISAGREE] += len(added)
    reading.remarks[Remark.DISAGREE] += sum((label.grade > 0) != label.relevant for label in joined)
    return (*joined, *added)
