"""Qrels and runs from tables with named columns: Polars, pandas and Arrow frames, structured arrays."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import InputError, nearest
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

if TYPE_CHECKING:
    import polars as pl

QUERY: Final = ("query_id", "qid", "q_id", "queryid", "topic_id", "topicid", "query", "topic")
TARGET: Final = (
    "doc_id", "docid", "docno", "document_id", "documentid", "corpus_id", "corpusid", "target", "target_id",
    "passage_id", "pid", "chunk_id", "doc", "document", "item_id",
)  # fmt: skip
GRADE: Final = (
    "relevance",
    "grade",
    "rel",
    "relevance_grade",
    "judgment",
    "judgement",
    "label",
    "rating",
    "score",
)
SCORE: Final = ("score", "sim", "similarity", "retrieval_score", "relevance_score", "prediction")
_RANK: Final = ("rank", "position")


def is_table(value: object) -> bool:
    """Whether a value is a frame or a structured array."""
    if isinstance(value, np.ndarray):
        return value.dtype.names is not None
    kinds = {"__arrow_c_stream__", "collect_schema", "iterrows"}  # Arrow and Polars, lazy Polars, pandas
    return any(hasattr(type(value), kind) for kind in kinds)


def qrels_from_table(table: Any) -> Qrels:
    """Judgments from columns such as `query_id`, `doc_id`, `relevance`, in any order and case.

    Ids that are integers become text. Raises InputError on a missing or empty column, a grade that is
    not an integer, and a target that is judged twice for a query, differently.
    """
    frame = _frame(table)
    query, target = _ids(frame, QUERY, "query"), _ids(frame, TARGET, "target")
    grades = _numbers(frame, GRADE, "grade")
    whole = grades.astype(np.int64)
    if (whole != grades).any():
        row = int(np.argmax(whole != grades))
        raise InputError(f"row {row + 1}: the grade must be an integer, got {grades[row]}. Map grades first")
    judgments: dict[str, dict[str, int]] = {}
    rows = zip(query.to_list(), target.to_list(), whole.tolist(), strict=True)
    for row, (query_id, target_id, grade) in enumerate(rows, start=1):
        if judgments.setdefault(query_id, {}).setdefault(target_id, grade) != grade:
            raise InputError(
                f'row {row}: judges "{target_id}" for query "{query_id}" as {grade}, an earlier row as '
                f"{judgments[query_id][target_id]}; keep one"
            )
    return Qrels.from_dict(judgments)


def run_from_table(table: Any) -> Run:
    """Results from columns such as `query_id`, `doc_id`, `score`, in any order and case.

    Without a score, a column `rank` gives the order. Ids that are integers become text. Raises
    InputError on a missing or empty column and on a score that is not finite.
    """
    frame = _frame(table)
    query, target = _ids(frame, QUERY, "query"), _ids(frame, TARGET, "target")
    if _found(frame.columns, SCORE) is None and _found(frame.columns, _RANK) is not None:
        scores = -_numbers(frame, _RANK, "rank")
    else:
        scores = _numbers(frame, SCORE, "score")
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(name, len(place)) for name in query.to_list()], dtype=np.int64)
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes, minlength=len(place))
    return Run(
        queries=tuple(place),
        offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)]),
        targets=target.gather(order),
        scores=scores[order],
    )


def _frame(table: Any) -> "pl.DataFrame":
    import polars as pl

    if isinstance(table, pl.DataFrame):
        return table
    if isinstance(table, pl.LazyFrame):
        return table.collect()
    if isinstance(table, np.ndarray):
        return pl.DataFrame({name: _column(table[name]) for name in table.dtype.names or ()})
    if hasattr(table, "dtypes"):  # pandas, whose own way to Arrow needs another package
        return pl.DataFrame({str(name): _column(table[name].to_numpy()) for name in table.columns})
    return pl.DataFrame(table)


def _column(values: NDArray[Any]) -> Sequence[Any] | NDArray[Any]:
    return values.tolist() if values.dtype.kind in "OUS" else values


def _found(columns: Iterable[str], names: Sequence[str]) -> str | None:
    spelled = {column.strip().casefold().replace("-", "_").replace(" ", "_"): column for column in columns}
    return next((spelled[name] for name in names if name in spelled), None)


def _named(frame: "pl.DataFrame", names: Sequence[str], what: str) -> "pl.Series":
    name = _found(frame.columns, names)
    if name is None:
        near = nearest(names[0], frame.columns, limit=1)
        raise InputError(
            f"no column holds the {what}: the columns are {', '.join(frame.columns)}; name it {names[0]}"
            + (f" (did you mean {near[0]}?)" if near else "")
        )
    column = frame[name]
    if column.null_count():
        row = int(column.is_null().arg_max() or 0)
        raise InputError(f'row {row + 1}: column "{name}" is empty')
    return column


def _ids(frame: "pl.DataFrame", names: Sequence[str], what: str) -> "pl.Series":
    import polars as pl

    column = _named(frame, names, what)
    if column.dtype.is_float():
        raise InputError(
            f'column "{column.name}" holds floats, which are no ids: 7.0 may have been "7" or "07". '
            "Read it as text"
        )
    return column.cast(pl.String)


def _numbers(frame: "pl.DataFrame", names: Sequence[str], what: str) -> NDArray[np.float64]:
    import polars as pl

    column = _named(frame, names, what)
    if not (column.dtype.is_numeric() or column.dtype == pl.Boolean):
        raise InputError(f'column "{column.name}" must hold numbers, got {column.dtype}')
    numbers = column.cast(pl.Float64).to_numpy()
    finite = np.isfinite(numbers)
    if not finite.all():
        row = int(np.argmin(finite))
        raise InputError(f"row {row + 1}: the {what} must be a finite number, got {numbers[row]}")
    return numbers
