"""Ratings as JSON Lines and CSV, for spreadsheets and other programs."""

import csv
import io
import json
from collections.abc import Iterable
from datetime import UTC
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.core.rating import Rating

COLUMNS: Final = (
    "id", "at", "query", "collection", "document", "chunk",
    "start", "end", "quote", "rating", "rater", "note",
)  # fmt: skip
FORMS: Final = ("jsonl", "csv")


def rating_record(rating: Rating) -> dict[str, Any]:
    """Every member of a rating, the time in UTC."""
    at = rating.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {name: at if name == "at" else getattr(rating, name) for name in COLUMNS}


def render_ratings(ratings: Iterable[Rating], form: str) -> str:
    """All of them, ending in a line break; a table has its header also where there is none.

    Raises InputError for another form than those in FORMS.
    """
    records = [rating_record(rating) for rating in ratings]
    if form == "jsonl":
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    if form == "csv":
        written = io.StringIO()
        table = csv.DictWriter(written, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(records)
        return written.getvalue()
    raise InputError(f'ratings are written as {" or ".join(FORMS)}, got "{form}"')
