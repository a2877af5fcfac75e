"""Eval sets as JSON records: our own, and question sets."""

import json
from collections.abc import Sequence
from typing import Any

from rankle.core.evalset import EvalQuery, EvalSet, Label, Level
from rankle.core.ids import is_chunk_id


def render_jsonl(eval_set: EvalSet) -> str:
    """One record a line."""
    return "".join(f"{_dumped(_record(query))}\n" for query in eval_set.queries)


def render_array(eval_set: EvalSet) -> str:
    """A JSON array, one record a line."""
    return _array([_record(query) for query in eval_set.queries])


def render_questions(eval_set: EvalSet) -> str:
    """`[{id, question, expectedTopics, …}]`; labels stand as in our own sets."""
    records = []
    for query in eval_set.queries:
        record = _record(query)
        if not query.labels:
            record.pop("relevant", None)
        renamed = {"query": "question", "topics": "expectedTopics", "answer": "expectedAnswer"}
        records.append({renamed.get(name, name): value for name, value in record.items()})
    return _array(records)


def _array(records: Sequence[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(map(_dumped, records)) + "\n]\n"


def _dumped(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)


def _record(query: EvalQuery) -> dict[str, Any]:
    record: dict[str, Any] = {"id": query.id, "query": query.text, **_labels(query)}
    if not query.answerable:
        record["answerable"] = False
    members = {
        "collection": query.collection,
        "language": query.language,
        "tags": list(query.tags),
        "answer": query.answer,
        "topics": list(query.topics),
        "note": query.note,
    }
    return record | {name: value for name, value in members.items() if value}


def _labels(query: EvalQuery) -> dict[str, Any]:
    labels = query.labels
    if any(label.relevant is not None for label in labels):
        relevant = [label.name for label in labels if label.relevant]
        return {"relevantDocs": relevant, "judgments": [_judgment(label) for label in labels]}
    if all(label.grade == 1 and _says_its_level(label) for label in labels):
        return {"relevant": [label.name for label in labels]}
    if all(map(_says_its_level, labels)):
        return {"judgments": [_judgment(label) for label in labels]}
    return {"relevant": [_entry(label) for label in labels]}


def _says_its_level(label: Label) -> bool:
    """Whether the name alone gives the level that the label has, and all that the label says."""
    return label.span is None and label.level == (Level.CHUNK if is_chunk_id(label.name) else None)


def _judgment(label: Label) -> dict[str, Any]:
    return {"docid": label.name, **_passage(label), "relevance": label.grade}


def _entry(label: Label) -> dict[str, Any] | str:
    if label.grade == 1 and _says_its_level(label):
        return label.name
    return label_record(label)


def label_record(label: Label) -> dict[str, Any]:
    """One label as an object of `relevant`, whatever could be left out."""
    if label.span is not None:
        return {"document": label.name, **_passage(label), "relevance": label.grade}
    return {(label.level or Level.DOCUMENT).value: label.name, "relevance": label.grade}


def _passage(label: Label) -> dict[str, Any]:
    if label.span is None:
        return {}
    return label.span.to_json() | ({"chunk": label.chunk} if label.chunk else {})
