"""Whatever form judgments and a run come in, to judgments in memory and a run that is joined to them."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard
from weakref import WeakKeyDictionary, ref

from rankle.app.score_files import load_other_run, load_qrels, load_run
from rankle.core.errors import InputError
from rankle.formats.byte_source import STANDARD_INPUT, HeldInput, held, is_path, name_of, size_of
from rankle.formats.kinds import ReadOptions
from rankle.formats.trec import read_run, stream_run
from rankle.metrics.join import Joined, JoinOptions, join_dicts
from rankle.metrics.qrels import Qrels, empty_id
from rankle.metrics.run import Run

if TYPE_CHECKING:
    from pathlib import Path

QrelsLike: TypeAlias = "Qrels | Mapping[str, Mapping[str, int]] | str | Path | Any"
"""Qrels, `{query: {target: grade}}`, a path, a frame, structured array or dict with named columns, or a tuple
of the columns (queries, targets, grades)."""
RunLike: TypeAlias = "Run | Mapping[str, Mapping[str, float]] | str | Path | Any"
"""A Run, `{query: {target: score}}`, a path, a frame, structured array or dict with named columns, or a tuple
of the columns (queries, targets, scores)."""


_SMALL = 20_000
"""Results, below which dicts are quicker than importing the column library."""
_SMALL_BYTES = 1 << 20


def load_judgments(qrels: QrelsLike, reading: ReadOptions) -> Qrels:
    """Judgments in memory. Raises InputError on a form that is none of `QrelsLike`."""
    if isinstance(qrels, Qrels):
        return qrels
    if is_path(qrels):
        return load_qrels(held(qrels), reading)
    if is_nested(qrels):
        return Qrels.from_dict(qrels, gains=reading.gains)
    check_table(qrels, "qrels", "grade")
    from rankle.formats.table import qrels_from_table

    return qrels_from_table(qrels, gains=reading.gains, conflicts=reading.conflicts)


def is_nested(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is a dict of queries, and not one of columns."""
    if not isinstance(value, Mapping):
        return False
    if all(issubclass(kind, Mapping) for kind in set(map(type, value.values()))):
        return True
    from rankle.formats.table import is_table

    return not is_table(value)


def check_table(value: object, what: str, figure: str) -> None:
    from rankle.formats.table import is_table

    if is_table(value):
        return
    shape = getattr(value, "shape", None)
    got = type(value).__name__ + (f" of shape {shape}" if isinstance(shape, tuple) else "")
    raise InputError(
        f"{what} must be a path, {{query: {{target: {figure}}}}}, a frame, a structured array, or columns "
        f"as a dict or as a tuple (queries, targets, {figure}s); got {got}"
    )


class Found(NamedTuple):
    """A joined run, its name, and what reading it found."""

    joined: Joined
    name: str
    notices: tuple[str, ...]


def join_any(qrels: Qrels, run: RunLike, options: JoinOptions, reading: ReadOptions) -> Found:
    """A run joined to the judgments; a large TREC file block by block, without ever being in memory."""
    if is_path(run):
        return _join_file(qrels, run, options, reading)
    if is_nested(run):
        _check_scores(run)
        return Found(join_dicts(qrels, run, options), "", ())
    run = load_any_run(run, reading)
    return Found(_join_loaded(qrels, run, options), run.name, run.notices)


def load_any_run(run: RunLike, reading: ReadOptions) -> Run:
    """A run in memory, whatever form it comes in."""
    if isinstance(run, Run):
        return run
    if is_path(run):
        loaded = load_run(held(run), reading)
        return replace(loaded, name=loaded.name or _file_name(run))
    if is_nested(run):
        _check_scores(run)
        return Run.from_dict(run)
    check_table(run, "a run", "score")
    from rankle.formats.table import run_from_table

    return run_from_table(run)


def _file_name(path: "str | Path") -> str:
    return "standard input" if str(path) == STANDARD_INPUT else name_of(path)


def _check_scores(run: Mapping[Any, Any]) -> None:
    if set(map(type, run)) <= {str} and all(
        issubclass(kind, Mapping) for kind in set(map(type, run.values()))
    ):
        if "" in run or any("" in found for found in run.values()):
            raise InputError(empty_id("the results", run))
        return
    for query, found in run.items():
        if not isinstance(query, str) or not isinstance(found, Mapping):
            raise InputError(
                "a run must be {query: {target: score}} with text for ids, got "
                f"{query!r}: {type(found).__name__}. For ranked lists without scores use Run.from_lists"
            )


def _join_file(qrels: Qrels, path: "str | Path", options: JoinOptions, reading: ReadOptions) -> Found:
    name = _file_name(path)
    other = load_other_run(path, reading)
    if other is not None:
        return Found(_join_loaded(qrels, other, options), other.name or name, other.notices)
    size = 0 if isinstance(path, HeldInput) else size_of(path)  # what is held is in memory anyway
    if size is None or size > _SMALL_BYTES:
        from rankle.metrics.join_columns import ColumnJoin, SeenQueryError

        join = ColumnJoin(qrels, options)
        notices: tuple[str, ...] = ()
        try:
            for part in stream_run(path, hash_lines=reading.hash_lines, decimal=reading.decimal):
                join.add(part)
                name, notices = part.name or name, part.notices
            return Found(join.finish(), name, notices)
        except SeenQueryError:  # the file returns to a query, so all of it must be at hand
            pass
    run = read_run(path, hash_lines=reading.hash_lines, decimal=reading.decimal)
    return Found(_join_loaded(qrels, run, options), run.name or name, run.notices)


_JOINS: WeakKeyDictionary[Run, tuple[ref[Qrels], JoinOptions, Joined]] = WeakKeyDictionary()
"""The last join of each loaded run, so that scoring it again with other measures joins nothing."""


def _join_loaded(qrels: Qrels, run: Run, options: JoinOptions) -> Joined:
    kept = _JOINS.get(run)
    if kept is not None and kept[0]() is qrels and kept[1] == options:
        return kept[2]
    if isinstance(run.targets, list) and (run.n_results < _SMALL or "polars" not in sys.modules):
        results, n_duplicates = run.distinct()
        joined = join_dicts(qrels, results, options, n_duplicates=n_duplicates)
    else:
        from rankle.metrics.join_columns import join_run

        joined = join_run(qrels, run, options)
    _JOINS[run] = (ref(qrels), options, joined)
    return joined


def first_part(path: "str | Path", reading: ReadOptions) -> Run:
    """A run from a file, or its first part where the file is a large one of TREC's."""
    other = load_other_run(path, reading)
    if other is not None:
        return other
    parts = stream_run(path, hash_lines=reading.hash_lines, decimal=reading.decimal)
    return next(parts, None) or Run.from_dict({})
