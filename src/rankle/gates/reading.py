"""Reads gates from the table of a project file."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from rankle.core.errors import InputError
from rankle.gates.phases import read_phase
from rankle.gates.place import Place, Written
from rankle.gates.rules import (
    MIN_QUERIES,
    WITHIN,
    Floor,
    Gate,
    NoRegression,
    Protected,
    Unjudged,
)

KEYS: Final = (
    "name", "set", "floors", "slices", "no_regression", "baseline", "protected", "latency_p95_ms",
    "max_unjudged", "max_failures", "max_stale_labels", "min_queries", "phase",
)  # fmt: skip
SLICE_KEYS: Final = ("language", "tag", "collection")
EXAMPLE: Final = '[gates.floors] with "nDCG@10" = 0.7'

ReadLines = Callable[[str], Sequence[str]]
"""The lines of a file that is named relative to the project file."""


def read_gates(given: object, *, path: str, read_lines: ReadLines) -> tuple[Gate, ...]:
    """The gates of `[gates]`, one for all sets, or of several `[[gates]]`, one a set.

    path: of the project file, for errors and as the name of a gate that has none.
    Raises InputError on anything that is not allowed, UnknownNameError on keys that do not exist.
    """
    tables = given if isinstance(given, list) else [given]
    several = len(tables) > 1
    gates = []
    for place, table in enumerate(tables, start=1):
        where = Place(f"{path}: gates{f' ({place})' if several else ''}")
        gates.append(_gate(where.table(table), where, name=path, read_lines=read_lines))
    _check_sets(gates, path=path)
    return tuple(gates)


def _gate(table: Mapping[str, Any], where: Place, *, name: str, read_lines: ReadLines) -> Gate:
    _check_no_measure(table, where)
    where.table(table, KEYS)
    least = _count(table, where, "min_queries", default=MIN_QUERIES, least=1)
    latency = table.get("latency_p95_ms")
    return Gate(
        name=(where / "name").text(table.get("name", name)),
        set_name=_text_or_none(table, where, "set"),
        floors=(*_floors(table, where, least), *_slices(table, where, least)),
        phase=_phase(table, where),
        no_regression=_no_regression(table, where),
        latency_p95_ms=None if latency is None else _milliseconds(latency, where / "latency_p95_ms"),
        protected=_protected(table, where / "protected", read_lines),
        unjudged=_unjudged(table, where / "max_unjudged"),
        max_failures=_count(table, where, "max_failures", default=0, least=0),
        max_stale_labels=_count(table, where, "max_stale_labels", default=0, least=0),
        min_queries=least,
        baseline=_text_or_none(table, where, "baseline"),
    )


def _check_no_measure(table: Mapping[str, Any], where: Place) -> None:
    """A measure among the keys of a gate is a floor, or a drop, that stands one level too high."""
    for key in table:
        if "@" in key:
            raise (where / key).error(
                f'is no key of a gate. Floors of measures stand under [gates.floors], as "{key}" = 0.7, and '
                "drops that are accepted under [gates.no_regression]"
            )


def _count(table: Mapping[str, Any], where: Place, key: str, *, default: int, least: int) -> int:
    return (where / key).count(table.get(key, default), least=least)


def _text_or_none(table: Mapping[str, Any], where: Place, key: str) -> str | None:
    return (where / key).text(table[key]) if key in table else None


def _phase(table: Mapping[str, Any], where: Place) -> float | None:
    if "phase" not in table:
        return None
    phase = table["phase"]
    is_number = isinstance(phase, int | float) and not isinstance(phase, bool)
    text = f"{phase:g}" if is_number else (where / "phase").text(phase)
    return read_phase(text, what=(where / "phase").name)


def _floors(
    table: Mapping[str, Any], where: Place, least: int, *, of: Mapping[str, str] | None = None
) -> tuple[Floor, ...]:
    inside = where / "floors"
    written = inside.figures(table.get("floors", {}))
    return tuple(_floor(one, of=of or {}, least=least) for one in written)


def _floor(written: Written, *, of: Mapping[str, str], least: int) -> Floor:
    value, where = written.value, written.place
    on: Literal["mean", "low"] = "mean"
    if isinstance(value, Mapping):
        where.table(value, ("at_least", "on"))
        if "at_least" not in value:
            raise where.error('needs "at_least", such as { at_least = 0.7, on = "low" }')
        on = _on(value.get("on", "mean"), where / "on")
        value, where = value["at_least"], where / "at_least"
    return Floor(
        written.figure,
        where.share(value, is_floor=True),
        on=on,
        where=of,
        min_queries=least,
        spelled=written.spelled,
        fault=written.fault,
    )


def _on(value: object, where: Place) -> Literal["mean", "low"]:
    if value == "mean":
        return "mean"
    if value == "low":
        return "low"
    raise where.error(f'must be "mean", or "low" for the lower bound of the interval; got {value!r}')


def _slices(table: Mapping[str, Any], where: Place, least: int) -> tuple[Floor, ...]:
    tables = table.get("slices", [])
    if not isinstance(tables, list):
        raise (where / "slices").error("must be tables: write [[gates.slices]]")
    floors: list[Floor] = []
    for place, given in enumerate(tables, start=1):
        inside = where / f"slices ({place})"
        inside.table(given, (*SLICE_KEYS, "floors", "min_queries"))
        of = {key: (inside / key).text(given[key]) for key in SLICE_KEYS if key in given}
        if not of:
            raise inside.error(f"must say which queries it is about, by {', '.join(SLICE_KEYS)}")
        if not given.get("floors"):
            raise inside.error('has no floor; add floors = { "nDCG@10" = 0.6 }')
        own = _count(given, inside, "min_queries", default=least, least=1)
        floors += _floors(given, inside, own, of=of)
    return tuple(floors)


def _no_regression(table: Mapping[str, Any], where: Place) -> tuple[NoRegression, ...]:
    inside = where / "no_regression"
    return tuple(
        NoRegression(one.figure, one.place.share(one.value), spelled=one.spelled, fault=one.fault)
        for one in inside.figures(table.get("no_regression", {}))
    )


def _milliseconds(value: object, where: Place) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise where.error(f"must be milliseconds > 0, such as 200, got {value!r}")
    return float(value)


def _protected(table: Mapping[str, Any], where: Place, read_lines: ReadLines) -> Protected | None:
    if "protected" not in table:
        return None
    given = where.table(table["protected"], ("targets", "file", "within"))
    targets = given.get("targets", [])
    if not isinstance(targets, list):
        raise (where / "targets").error(f"must be a list of ids, got {targets!r}")
    names = [(where / "targets").text(target) for target in targets]
    if "file" in given:
        names += [line.strip() for line in read_lines((where / "file").text(given["file"]))]
    names = [name for name in dict.fromkeys(names) if name]
    if not names:
        raise where.error('names nothing; add targets = ["guide/setup.md"], or file = "protected.txt"')
    return Protected(tuple(names), _count(given, where, "within", default=WITHIN, least=1))


def _unjudged(table: Mapping[str, Any], where: Place) -> Unjudged | None:
    if "max_unjudged" not in table:
        return None
    given = table["max_unjudged"]
    if not isinstance(given, Mapping):
        return Unjudged(where.share(given))
    where.table(given, ("share", "within"))
    if "share" not in given:
        raise where.error('needs "share", such as { share = "20 %", within = 5 }')
    within = _count(given, where, "within", default=WITHIN, least=1)
    return Unjudged((where / "share").share(given["share"]), within)


def _check_sets(gates: Sequence[Gate], *, path: str) -> None:
    """Every run must have one gate, or none."""
    names = [gate.set_name for gate in gates]
    for name in names:
        if names.count(name) > 1:
            which = "without a set" if name is None else f'for the set "{name}"'
            raise InputError(
                f"{path}: several gates {which}; a run is judged by one, so put their rules together or "
                'give each its own: set = "queries.jsonl"'
            )
