"""Judgments beside a set, who gave them, and when: a file that only grows, one line a key that was pressed.

What is taken back is a line too, so that several judges may write at once and a killed round leaves every
line that it wrote.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import BadLinesError, Fault
from rankle.core.judgment import Judgment
from rankle.formats.jsonl import parse_jsonl
from rankle.formats.output import as_input_error

JUDGMENTS_SUFFIX: Final = ".judgments.jsonl"
"""How the file ends that lies beside a set."""
_TEXTS: Final = ("id", "at", "judge", "query", "target", "document", "quote")
_NUMBERS: Final = ("start", "end", "grade")
_TAKES_BACK: Final = "takes_back"


def judgments_path(set_path: Path) -> Path:
    """`set.judgments.jsonl` beside `set.jsonl`."""
    return set_path.with_name(f"{set_path.stem}{JUDGMENTS_SUFFIX}")


@contextmanager
def locked(set_path: Path) -> Iterator[None]:
    """While it lasts, nobody else adds judgments or writes the set by them."""
    path = judgments_path(set_path)
    with as_input_error(path), path.open("ab") as file, _alone(file.fileno()):
        yield


@contextmanager
def _alone(file: int) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # Windows: two at once are not kept apart there
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def add_judgment(set_path: Path, judgment: Judgment) -> None:
    """Writes one judgment. Raises InputError where it cannot be written."""
    record = {
        "id": judgment.id,
        "at": judgment.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "judge": judgment.judge,
        "query": judgment.query,
        "target": judgment.target,
        "document": judgment.document,
        "start": judgment.start,
        "end": judgment.end,
        "quote": judgment.quote,
        "grade": judgment.grade,
    }
    _append(set_path, record | ({"note": judgment.note} if judgment.note else {}))


def take_back(set_path: Path, judgment_id: str) -> None:
    """Makes a judgment as if it had never been given."""
    _append(set_path, {_TAKES_BACK: judgment_id})


def _append(set_path: Path, record: Mapping[str, Any]) -> None:
    path = judgments_path(set_path)
    line = json.dumps(record, ensure_ascii=False).encode() + b"\n"
    with as_input_error(path), path.open("a+b") as file, _alone(file.fileno()):
        size = file.seek(0, os.SEEK_END)
        if size:  # a line that was cut off by a full disk must not swallow this one
            file.seek(size - 1)
            line = line if file.read(1) == b"\n" else b"\n" + line
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def read_judgments(set_path: Path) -> list[Judgment]:
    """All that were not taken back, in the order in which they were given; empty where there is no file.

    Raises BadLinesError with every line that is none.
    """
    path = judgments_path(set_path)
    if not path.is_file():
        return []
    raw = parse_jsonl(path.read_text(encoding="utf-8"))
    faults = list(raw.faults)
    found: dict[str, Judgment] = {}
    for record in raw.records:
        value = record.value
        if isinstance(value, dict) and isinstance(value.get(_TAKES_BACK), str):
            found.pop(value[_TAKES_BACK], None)
            continue
        judgment = _judgment(value)
        if judgment is None:
            faults.append(Fault(record.line, "is no judgment, or one of a newer version; take the line out"))
        else:
            found[judgment.id] = judgment
    if faults:
        raise BadLinesError(path=str(path), faults=sorted(faults, key=lambda fault: fault.line or 0))
    return list(found.values())


def _judgment(value: object) -> Judgment | None:
    if not isinstance(value, dict) or value.keys() - {*_TEXTS, *_NUMBERS, "note"}:
        return None
    texts = all(isinstance(value.get(name), str) for name in _TEXTS)
    numbers = all(type(value.get(name)) is int and value[name] >= 0 for name in _NUMBERS)
    if not texts or not numbers or not isinstance(value.get("note"), str | None):
        return None
    try:
        at = datetime.fromisoformat(value["at"])
    except ValueError:
        return None
    return Judgment(**{**value, "at": at})
