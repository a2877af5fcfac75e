"""The fast reader of TREC lines: takes only what is regular, and says so, never guesses."""

import numpy as np
import polars as pl

from rankle.formats.trec_layout import Kind, Layout
from rankle.metrics.qrels import GREATEST_GRADE


def read_frame(data: bytes, layout: Layout, kind: Kind) -> pl.DataFrame | None:
    """Columns `query`, `target` and, where the layout has one, `value`; None where a line is irregular.

    Irregular is whatever the careful reader must look at: other separators or numbers of columns,
    comments, blank lines, ids that begin with `#`, scores that are not finite, bytes that are not UTF-8.
    """
    if (
        layout.separator is None
        or _has_comment(data)
        or _has_lone_return(data)
        or _has_stray_space(data, layout.separator)
    ):
        return None
    schema: dict[str, pl.DataType | type[pl.DataType]] = {f"c{n}": pl.String for n in range(layout.width)}
    columns = {0: "query", layout.target: "target"}
    if layout.rank is not None:
        columns[layout.rank] = "rank"
        schema[f"c{layout.rank}"] = pl.Int64
    if layout.value is not None:
        columns[layout.value] = "value"
        schema[f"c{layout.value}"] = pl.Int64 if kind is Kind.QRELS else pl.Float64
    try:
        frame = pl.read_csv(
            data,
            has_header=False,
            separator=layout.separator.decode(),
            quote_char=None,
            schema=schema,
            columns=sorted(columns),
        )
    except pl.exceptions.PolarsError:
        return None
    frame = frame.rename({f"c{n}": name for n, name in columns.items()})
    if any(frame.null_count().row(0)):
        return None
    if kind is Kind.RUN and layout.value is not None and not np.isfinite(frame["value"].to_numpy()).all():
        return None
    if kind is Kind.QRELS and layout.value is not None and not _all_grades(frame["value"]):
        return None
    return frame


def _all_grades(column: pl.Series) -> bool:
    return bool(column.is_between(-GREATEST_GRADE, GREATEST_GRADE).all())


def _has_comment(data: bytes) -> bool:
    return b"#" in data and (data.startswith(b"#") or b"\n#" in data)


def _has_lone_return(data: bytes) -> bool:
    return b"\r" in data and data.count(b"\r") != data.count(b"\r\n")


def _has_stray_space(data: bytes, separator: bytes) -> bool:
    """White space that would end up inside an id."""
    if separator == b"\t":
        return b"\t " in data or b" \t" in data or b"\n " in data
    return b"\t" in data
