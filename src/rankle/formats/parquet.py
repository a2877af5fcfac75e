"""Parquet files as tables."""

import io
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.formats.byte_source import HeldInput
from rankle.formats.column_names import column_roles
from rankle.formats.kinds import ReadOptions
from rankle.formats.records import column
from rankle.formats.table_rows import Cells, Table

MAGIC: Final = b"PAR1"


def read_parquet(path: str | Path, options: ReadOptions) -> Table:
    """All columns of a file; its rows are numbered from 1. Raises InputError on a damaged file."""
    import polars as pl

    source = io.BytesIO(path.data) if isinstance(path, HeldInput) else Path(path)
    try:
        frame = pl.read_parquet(source)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"cannot read {path} as Parquet: {str(error).splitlines()[0]}") from error
    roles = column_roles(frame.columns, path=path, chosen=options.columns)
    columns = tuple(_cells(series) for series in frame.get_columns())
    return Table(str(path), tuple(frame.columns), columns, range(1, frame.height + 1), roles)


def _cells(series: Any) -> Cells:
    import polars as pl

    if series.dtype == pl.String:
        return series.fill_null("").to_list()  # type: ignore[no-any-return]
    if series.dtype.is_integer():
        return series.cast(pl.String).fill_null("").to_list()  # type: ignore[no-any-return]
    if series.dtype.is_float():
        return series.cast(pl.Float64).to_numpy()  # type: ignore[no-any-return]
    if series.dtype == pl.Categorical or series.dtype == pl.Enum:
        return series.cast(pl.String).fill_null("").to_list()  # type: ignore[no-any-return]
    return column(series.to_list())
