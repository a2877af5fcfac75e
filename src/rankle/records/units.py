"""What counts as one run in names and in prunes: a run of search, or all evals of one command together."""

from collections.abc import Sequence

from rankle.records.run_info import RunInfo

Row = tuple[int, RunInfo]
"""The number of a run, and what is known of it."""


def units_of(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """The rows of each, in the order in which they began; the units newest first.

    rows: of a store, newest first. A unit is as old as its first row.
    """
    units: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        info = row[1]
        key = ("run", info.id) if info.eval is None else ("evals", info.family)
        units.setdefault(key, []).append(row)
    return sorted((tuple(unit[::-1]) for unit in units.values()), key=lambda unit: unit[0][0], reverse=True)
