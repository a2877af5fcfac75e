"""One record of an eval set: a JSON object becomes a query, or says everything that is wrong with it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from rankle.core.errors import UnknownNameError
from rankle.core.evalset import MAX_GRADE, EvalQuery, Label, Level
from rankle.core.ids import is_chunk_id
from rankle.formats.json_text import shown
from rankle.formats.trec import Conflicts

RECORD_KEYS: Final = (
    "id", "query", "relevant", "relevantDocs", "judgments", "answerable",
    "collection", "language", "tags", "answer", "topics", "note",
)  # fmt: skip
_LABEL_KEYS: Final = ("document", "chunk", "relevance")
_SPAN_KEYS: Final = frozenset({"quote", "start", "end", "occurrence"})

_MEANT: Final = {
    **dict.fromkeys(("docid", "doc_id", "doc", "id", "path", "file"), ("document", "docid")),
    "document": ("docid",),
    **dict.fromkeys(("grade", "rel", "score", "rating", "label", "gain"), ("relevance",)),
    **dict.fromkeys(("chunk_id", "chunkid", "passage"), ("chunk",)),
}
"""What other tools call the members of a label, to ours: the first that is allowed there."""


class Relevance(StrEnum):
    """Which member of a record says what is relevant, where `relevantDocs` and `judgments` both stand."""

    RELEVANT_DOCS = "relevantDocs"
    """`relevantDocs` for the binary measures, `judgments` for the grades."""
    JUDGMENTS = "judgments"
    """The grades of `judgments` for all measures."""


class Remark(StrEnum):
    """What a reader of figures must know though it is no fault; counted over a set."""

    NEGATIVE = "negative"
    REPEATED = "repeated"
    DISAGREE = "disagree"
    SETTLED = "settled"


@dataclass(slots=True)
class RecordReading:
    """What reading one record gave beside the query: collected while it is read."""

    gains: Mapping[str, int] = field(default_factory=dict)
    """Grade as written to the integer that it means."""
    conflicts: Conflicts = Conflicts.ERROR
    id: str | None = None
    """The query's id, also where something else in the record is wrong."""
    faults: list[str] = field(default_factory=list)
    remarks: Counter[Remark] = field(default_factory=Counter)
    gains_met: set[str] = field(default_factory=set)

    def string(self, record: dict[str, Any], key: str) -> str | None:
        value = record.get(key)
        if value is None or isinstance(value, str):
            return value
        self.faults.append(f'"{key}" must be text, got {shown(value)}')
        return None

    def strings(self, record: dict[str, Any], key: str) -> tuple[str, ...]:
        value = record.get(key)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.faults.append(f'"{key}" must be a list of texts, got {shown(value)}')
        return ()

    def unknown_keys(self, record: dict[str, Any], known: tuple[str, ...], *, what: str) -> None:
        for key in record:
            if key in known:
                continue
            hint = f"Allowed: {', '.join(known)}"
            meant = [name for name in _MEANT.get(key.casefold(), ()) if name in known]
            if meant:  # which the spelling alone would not suggest
                self.faults.append(f'unknown {what} "{key}"; did you mean "{meant[0]}"? {hint}')
            else:
                self.faults.append(str(UnknownNameError(what=what, name=key, known=known, hint=hint)))


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
    answerable = value.get("answerable", True)
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
    stated = _unique(
        [_relevant_entry(entry, reading) for entry in entries.get("relevant", ())]
        + [_judgment_entry(entry, reading) for entry in entries.get("judgments", ())],
        reading,
    )
    named = _unique([_named_entry(entry, reading) for entry in entries.get("relevantDocs", ())], reading)
    reading.remarks[Remark.NEGATIVE] += sum(label.grade < 0 for label in stated)
    if not named:
        return stated
    if not stated:
        return named
    return stated if relevance == Relevance.JUDGMENTS else _both(named, stated, reading)


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
    joined = [Label(label.name, label.level, label.grade, label.name in relevant) for label in stated]
    added = [Label(label.name, label.level, 0, True) for label in named if label.name not in judged]
    reading.remarks[Remark.DISAGREE] += len(added)
    reading.remarks[Remark.DISAGREE] += sum((label.grade > 0) != label.relevant for label in joined)
    return (*joined, *added)


def _relevant_entry(entry: object, reading: RecordReading) -> Label | None:
    if not isinstance(entry, dict):
        return _named_entry(entry, reading)
    if _SPAN_KEYS & entry.keys():
        key = min(_SPAN_KEYS & entry.keys())
        reading.faults.append(
            f'"{key}" makes a span label, which this version cannot score yet; '
            'name the whole target: {"document": …} or {"chunk": …}'
        )
        return None
    reading.unknown_keys(entry, _LABEL_KEYS, what='key in "relevant"')
    names = [(key, entry[key]) for key in ("document", "chunk") if key in entry]
    if len(names) != 1:
        if entry.keys() <= set(_LABEL_KEYS):  # else its unknown key is the fault
            reading.faults.append(f'a label needs either "document" or "chunk", got {shown(entry)}')
        return None
    key, name = names[0]
    if not isinstance(name, str) or not name.strip():
        reading.faults.append(f'"{key}" must be text that is not blank, got {shown(name)}')
        return None
    grade = _grade(entry.get("relevance", 1), reading)
    return None if grade is None else Label(name, Level(key), grade)


def _judgment_entry(entry: object, reading: RecordReading) -> Label | None:
    if not isinstance(entry, dict) or "docid" not in entry or "relevance" not in entry:
        reading.faults.append(f'a judgment must be {{"docid": …, "relevance": …}}, got {shown(entry)}')
        return None
    reading.unknown_keys(entry, ("docid", "relevance"), what='key in "judgments"')
    label = _named_entry(entry["docid"], reading)
    grade = _grade(entry["relevance"], reading)
    return None if label is None or grade is None else Label(label.name, label.level, grade)


def _named_entry(entry: object, reading: RecordReading) -> Label | None:
    if isinstance(entry, int) and not isinstance(entry, bool):
        entry = str(entry)
    if isinstance(entry, str) and entry.strip():
        return Label(entry, Level.CHUNK if is_chunk_id(entry) else None)
    reading.faults.append(f"a label must be the name of a document or chunk, got {shown(entry)}")
    return None


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


def _unique(labels: list[Label | None], reading: RecordReading) -> tuple[Label, ...]:
    """Each name once: a repeated equal grade is remarked, a conflicting one is a fault."""
    kept: dict[str, Label] = {}
    for label in labels:
        if label is None:
            continue
        first = kept.setdefault(label.name, label)
        if first is label:
            continue
        if first.grade == label.grade and first.level == label.level:
            reading.remarks[Remark.REPEATED] += 1
        elif first.grade != label.grade and reading.conflicts is not Conflicts.ERROR:
            reading.remarks[Remark.SETTLED] += 1
            if reading.conflicts.decides(first.grade, label.grade):
                kept[label.name] = label
        elif first.grade != label.grade:
            grades = f"{first.grade} and {label.grade}"
            reading.faults.append(
                f"{shown(label.name)} is labelled twice, with relevance {grades}; keep one, or choose: "
                "--conflicts highest, first or last"
            )
        else:
            reading.faults.append(f"{shown(label.name)} is labelled both as a document and as a chunk")
    return tuple(kept.values())
