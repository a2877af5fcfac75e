"""Queries of an eval set as rows of an eval: the query is the input, its judgments are what is expected."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.formats.column_names import Role, role_of
from rankle.harness.evals.case import Row


def read_set_rows(path: Path) -> list[Row]:
    """The rows of a set in any form that is read: JSONL, a JSON array, CSV, TSV, Parquet, a BEIR folder.

    Raises InputError where it is none, BadLinesError with all its faults.
    """
    from rankle.formats.eval_set import read_eval_set  # brings numpy, which lists of rows never need

    return list(rows_of_set(read_eval_set(path)))


def rows_of_records(values: Sequence[object]) -> list[Row]:
    """The same of records of a program, such as the rows of a table."""
    from rankle.formats.eval_set import eval_set_of_records

    return list(rows_of_set(eval_set_of_records(values)))


def check_queries(record: Mapping[str, object], *, said: str) -> None:
    """Raises InputError where a record names neither an input nor a query. said: what it is of."""
    if not any(role_of(name) is Role.QUERY for name in record):
        names = ", ".join(map(str, record)) or "nothing"
        raise InputError(
            f'{said} has neither "input", which rows of an eval have, nor "query", which eval sets have; '
            f"it has: {names}"
        )


def rows_of_set(eval_set: EvalSet) -> Iterator[Row]:
    """A row for each query.

    Its input is `{"query"}` with `id`, `collection` and `language` where the set states them: an id that only
    says where the query stands would make another case of it elsewhere. What is expected is a list of
    `{"document" | "chunk" | "id", "quote", "start", "end", "relevance"}`, or
    `{"relevantDocs", "judgments"}` where the set states both. Expected answer and topics are metadata.
    """
    for number, query in enumerate(eval_set.queries, start=1):
        yield Row(_input(query, number), _expected(query), _metadata(query), query.tags)


def _input(query: EvalQuery, number: int) -> dict[str, Any]:
    given: dict[str, Any] = {} if query.id in _made_ids(query, number) else {"id": query.id}
    stated = {"query": query.text, "collection": query.collection, "language": query.language}
    return given | {name: value for name, value in stated.items() if value is not None}


def _made_ids(query: EvalQuery, number: int) -> tuple[str, str]:
    return f"line-{query.line}", f"item-{number}"


def _expected(query: EvalQuery) -> Any:
    if any(label.relevant is not None for label in query.labels):
        return {
            "relevantDocs": [label.name for label in query.labels if label.relevant],
            "judgments": [_entry(label) for label in query.labels],
        }
    return [_entry(label) for label in query.labels]


def _entry(label: Label) -> dict[str, Any]:
    if label.span is not None:
        chunk = {"chunk": label.chunk} if label.chunk else {}
        return {"document": label.name, **label.span.to_json(), **chunk, "relevance": label.grade}
    return {label.level.value if label.level else "id": label.name, "relevance": label.grade}


def _metadata(query: EvalQuery) -> dict[str, Any]:
    stated = {"answer": query.answer, "topics": list(query.topics), "note": query.note}
    unanswerable = {} if query.answerable else {"answerable": False}
    return unanswerable | {name: value for name, value in stated.items() if value}
