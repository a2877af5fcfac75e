"""Qrels and runs from columns: frames of Polars, pandas and Arrow, structured arrays, dicts and tuples."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import InputError, nearest
from rankle.formats.one_system import only_system
from rankle.formats.trec import Conflicts
from rankle.metrics.qrels import Qrels, unused_gains, whole_grade
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
_COLUMNS: Final = 3
_RANK: Final = ("rank", "position")
_SYSTEM: Final = ("system", "run", "run_id", "runid", "run_name", "runname", "tag", "run_tag", "runtag")


def is_table(value: object) -> bool:
    """Whether a value is a frame, a structured array, a dict of columns or a tuple of three columns."""
    if isinstance(value, np.ndarray):
        return value.dtype.names is not None
    if isinstance(value, Mapping):
        return all(_found(map(str, value), names) is not None for names in (QUERY, TARGET))
    if isinstance(value, tuple):
        return len(value) == _COLUMNS and all(map(_is_column, value))
    if type(value).__name__ == "Series":
        return False
    kinds = {"__arrow_c_stream__", "collect_schema", "iterrows"}  # Arrow and Polars, lazy Polars, pandas
    return any(hasattr(type(value), kind) for kind in kinds)


def _is_column(value: object) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str | bytes | Mapping)


def qrels_from_table(
    table: Any, *, gains: Mapping[str, int] | None = None, conflicts: Conflicts = Conflicts.ERROR
) -> Qrels:
    """Judgments from columns such as `query_id`, `doc_id`, `relevance`, in any order and case.

    Ids that are integers become text. A tuple is (query, target, grade).
    gains: grade as written to the integer that it means. conflicts: which of several grades counts.
    Raises InputError on a missing or empty column, a grade that is not an integer, and a target that is
    judged twice for a query, differently, where `conflicts` does not decide.
    """
    frame = _frame(table)
    query, target = _ids(frame, QUERY, "query"), _ids(frame, TARGET, "target")
    judgments: dict[str, dict[str, int]] = {}
    met: set[str] = set()
    rows = zip(query.to_list(), target.to_list(), _grades(frame, gains, met), strict=True)
    for row, (query_id, target_id, grade) in enumerate(rows, start=1):
        judged = judgments.setdefault(query_id, {})
        before = judged.setdefault(target_id, grade)
        if before != grade and conflicts is Conflicts.ERROR:
            raise InputError(
                f'row {row}: judges "{target_id}" for query "{query_id}" as {grade}, an earlier row as '
                f'{before}; keep one, or choose: conflicts="highest", "first" or "last"'
            )
        if conflicts.decides(before, grade):
            judged[target_id] = grade
    return replace(Qrels.from_dict(judgments), notices=tuple(unused_gains(gains, met)))


def _grades(frame: "pl.DataFrame", gains: Mapping[str, int] | None, met: set[str]) -> list[int]:
    import polars as pl

    column = _named(frame, GRADE, "grade")
    if not gains and (column.dtype.is_numeric() or column.dtype == pl.Boolean):
        grades = _numbers(frame, GRADE, "grade")
        whole: list[int] = grades.astype(np.int64).tolist()
        if (grades == whole).all():
            return whole
    return [_grade(value, row, gains, met) for row, value in enumerate(column.to_list(), start=1)]


def _grade(value: object, row: int, gains: Mapping[str, int] | None, met: set[str]) -> int:
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and value not in (gains or {}):
        value = int(value)
    whole = whole_grade(value, gains, met=met)
    if whole is None:
        raise InputError(
            f"row {row}: the grade must be an integer, got {value!r}. "
            f'Map it: gains={{"{value}": 1}}, at the shell --gain {value}=1'
        )
    return whole


def run_from_table(table: Any) -> Run:
    """Results from columns such as `query_id`, `doc_id`, `score`, in any order and case.

    Without a score, a column `rank` gives the order. A tuple is (query, target, score). Ids that are
    integers become text. Raises InputError on a missing or empty column, on a score that is not finite, and
    where a column such as `system` names several.
    """
    frame = _frame(table)
    query, target = _ids(frame, QUERY, "query"), _ids(frame, TARGET, "target")
    if _found(frame.columns, SCORE) is None and _found(frame.columns, _RANK) is not None:
        scores = -_numbers(frame, _RANK, "rank")
    else:
        scores = _numbers(frame, SCORE, "score")
    system = _found(frame.columns, _SYSTEM)
    name = "" if system is None else _only_system(frame, system)
    place: dict[str, int] = {}
    codes = np.array([place.setdefault(name, len(place)) for name in query.to_list()], dtype=np.int64)
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes, minlength=len(place))
    return Run(
        queries=tuple(place),
        offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)]),
        targets=target.gather(order),
        scores=scores[order],
        name=name,
    )


def _only_system(frame: "pl.DataFrame", column: str) -> str:
    names = ["" if name is None else str(name) for name in frame[column].unique(maintain_order=True)]
    return only_system(names, where=f'column "{column}"', remedy="score each system on its own")


def _frame(table: Any) -> "pl.DataFrame":
    import polars as pl

    if isinstance(table, pl.DataFrame):
        return table
    if isinstance(table, pl.LazyFrame):
        return table.collect()
    if isinstance(table, np.ndarray):
        return _of_columns({name: table[name] for name in table.dtype.names or ()})
    if isinstance(table, Mapping):
        return _of_columns({str(name): column for name, column in table.items()})
    if isinstance(table, tuple):
        return _of_columns(dict(zip((QUERY[0], TARGET[0], SCORE[0]), table, strict=True)))
    if hasattr(table, "dtypes"):  # pandas, whose own way to Arrow needs another package
        return _of_columns({str(name): table[name].to_numpy() for name in table.columns})
    return pl.DataFrame(table)


def _of_columns(columns: Mapping[str, Any]) -> "pl.DataFrame":
    import polars as pl

    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"the columns must be of one length, got {shown}")
    return pl.DataFrame({name: _column(name, column) for name, column in columns.items()})


def _column(name: str, values: Any) -> Any:
    """The values as Polars takes them. Raises InputError where they are of several kinds."""
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise InputError(f'column "{name}" must have one dimension, got shape {values.shape}')
        if values.dtype.kind not in "OUS":
            return values
        values = values.tolist()
    if not isinstance(values, list | tuple):
        return values
    cells = [None if _is_missing(value) else value for value in values]
    kinds = {type(value) for value in cells if value is not None}
    if (
        kinds
        and all(issubclass(kind, int | float | np.number | np.bool_) for kind in kinds)
        and len(kinds) > 1
    ):
        return [None if value is None else float(value) for value in cells]
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise InputError(f'column "{name}" holds values of several kinds, {names}; make all of them one kind')
    return cells


def _is_missing(value: object) -> bool:
    """None, NaN, and pandas' own marks."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
    )


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
    column = column.cast(pl.String)
    if (column == "").any():
        row = int((column == "").arg_max() or 0)
        raise InputError(f'row {row + 1}: column "{column.name}" is empty')
    return column


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
