"""A run of evals as JSON, `rankle.evals/1`: written case by case, so that it may be larger than memory."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from rankle.core.errors import InputError
from rankle.core.evals import SCHEMA, EvalsReport, EvalsRun
from rankle.core.gate import GatesReport

_STEP: Final = "  "


def evals_json(run: EvalsRun, gates: GatesReport | None = None) -> Iterator[bytes]:
    """The whole run as `rankle.evals/1`, in pieces: indented, with a line a case, ending in a line break.

    One case is in memory at a time. gates: what it was judged to, as a member beside its own.
    """
    yield b"{\n" + _member("schema", SCHEMA, depth=1)
    for name, value in _members(run.summary):
        yield b",\n" + _member(name, value, depth=1)
    if gates is not None:
        yield b",\n" + _member("gates", gates, depth=1)
    yield b',\n  "evals": ['
    for place, one in enumerate(run.evals):
        yield b",\n    {\n" if place else b"\n    {\n"
        members = [_member(name, value, depth=3) for name, value in _members(one)]
        yield b",\n".join(members) + b',\n      "cases": ['
        empty = True
        for case in run.read_cases(one.id):
            yield (b"\n        " if empty else b",\n        ") + msgspec.json.encode(case)
            empty = False
        yield b"]\n    }" if empty else b"\n      ]\n    }"
    yield b"]\n}\n" if not run.evals else b"\n  ]\n}\n"


def parse_evals_json(text: str | bytes) -> EvalsReport:
    """The run that `evals_json` told. Raises InputError on any other text."""
    try:
        return msgspec.json.decode(text, type=EvalsReport)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not a record of a run of evals: {error}") from error


def run_of(report: EvalsReport) -> EvalsRun:
    """A record that was read, as what reports are made from."""
    cases = {one.id: one.cases for one in report.evals}
    return EvalsRun(report, tuple(report.evals), lambda eval_id: iter(cases[eval_id]))


def _members(struct: msgspec.Struct) -> Iterable[tuple[str, Any]]:
    """Those of the summary, in the order of its type; a whole report has `evals` and `cases` beside."""
    names = (name for name in struct.__struct_fields__ if name not in ("evals", "cases"))
    return ((name, getattr(struct, name)) for name in names)


def _member(name: str, value: Any, *, depth: int) -> bytes:
    """`"name": value`, indented so deep."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=len(_STEP))
    indent = (_STEP * depth).encode()
    return indent + msgspec.json.encode(name) + b": " + text.replace(b"\n", b"\n" + indent)
