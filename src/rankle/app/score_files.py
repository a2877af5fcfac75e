"""Judgments and runs from files of any form, for scoring; those that are TREC's are told quickly."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from rankle.core.errors import InputError
from rankle.formats.kinds import FileKind, Form, Order, ReadOptions
from rankle.formats.plain_trec import is_plain_trec
from rankle.formats.trec import Conflicts, read_qrels, read_run
from rankle.formats.trec_layout import Kind
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

if TYPE_CHECKING:
    from pathlib import Path


def load_qrels(path: "str | Path", reading: ReadOptions) -> Qrels:
    """The judgments of a file that is `held`. Raises InputError and BadLinesError as its reader does."""
    if not reading.columns and is_plain_trec(path, Kind.QRELS):
        return read_qrels(
            path, hash_lines=reading.hash_lines, gains=reading.gains, conflicts=reading.conflicts
        )
    from rankle.formats.content import read_qrels as read_any

    return read_any(path, reading)


def load_other_run(path: "str | Path", reading: ReadOptions) -> Run | None:
    """The results of a file that is `held`; None where it is TREC's, which its own reader takes, or streams.

    Raises InputError and BadLinesError as the readers do.
    """
    if not reading.columns and reading.order is Order.AUTO and is_plain_trec(path, Kind.RUN):
        return None
    from rankle.formats.content import content_of, described
    from rankle.formats.identify import identify

    reading = replace(reading, expected=FileKind.RUN)
    found = identify(path, reading)
    if found.kind is FileKind.RUN and found.form is Form.TREC and found.table is None:
        return None
    if found.kind is not FileKind.RUN:
        raise InputError(f"{path} is {described(found)}; expected a run. To see more: rankle inspect {path}")
    return content_of(found, reading).run


def normalised(
    qrels: Qrels, run: Run, normalise: str | Iterable[str], *, conflicts: Conflicts
) -> tuple[Qrels, Run]:
    """Both with normalised ids."""
    from rankle.formats.normalise import normalise_qrels, normalise_run, parse_normalisation

    steps = parse_normalisation([normalise] if isinstance(normalise, str) else normalise)
    return normalise_qrels(qrels, steps, conflicts=conflicts), normalise_run(run, steps)


def load_run(path: "str | Path", reading: ReadOptions) -> Run:
    """The results of a file of any form, whole."""
    found = load_other_run(path, reading)
    if found is not None:
        return found
    return read_run(path, hash_lines=reading.hash_lines, decimal=reading.decimal)
