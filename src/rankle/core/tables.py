"""Results that people look at in a notebook or take on: as a table, as plain data, as a frame."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from rankle.core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class Tabular:
    """Base of frozen dataclasses that convert to a dict and to frames, and show as a table in a notebook."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Every field by its name, as plain data that JSON can hold; nested ones become dicts and lists."""
        found: dict[str, Any] = plain(self)
        return found

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows of the frames: one, of all fields, unless the result is a list of things."""
        return [self.to_dict()]

    def to_polars(self) -> "pl.DataFrame":
        """`to_rows` as a Polars frame."""
        import polars as pl  # costs 50 ms, and only whoever wants a frame needs it

        return pl.DataFrame(self.to_rows(), infer_schema_length=None)

    def to_pandas(self) -> "pd.DataFrame":
        """`to_rows` as a pandas frame. Raises InputError where pandas is not installed."""
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise InputError("to_pandas needs pandas. Install it with: pip install pandas") from error
        return pd.DataFrame(self.to_rows())

    def _repr_html_(self) -> str:
        rows = self.to_rows()
        if len(rows) == 1:  # a single result reads better downwards
            rows = [{"": name, type(self).__name__: value} for name, value in rows[0].items()]
        return html_table(rows)


def plain(value: Any) -> Any:
    """Dataclasses, mappings, sequences and NumPy's arrays and scalars as what JSON knows."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    return value


def html_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same keys as an HTML table, escaped; no rows make a table of nothing."""
    names = list(rows[0]) if rows else []
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell(row[name]))}</td>" for name in names) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
