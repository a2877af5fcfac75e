"""Rows of an eval's data, and the cases that they are."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from rankle.core.errors import BadLinesError, Fault, InputError, nearest
from rankle.harness.evals.case import Case, Row
from rankle.harness.evals.stable import stable_bytes

ROW_KEYS: Final = ("input", "expected", "metadata", "tags", "only", "skip")
_EXAMPLE: Final = '{"input": …, "expected": …}'


class RawRow(NamedTuple):
    """A row as its source gives it."""

    value: Any
    line: int | None = None
    """Of its file; None where it is from none."""


class RawRows(NamedTuple):
    """The rows of a source, and what is wrong with what are none."""

    rows: Sequence[RawRow]
    faults: Sequence[Fault] = ()


class NumberedRow(NamedTuple):
    """A row with its case id."""

    id: str
    row: Row


def read_rows(raw: RawRows, *, source: str) -> list[NumberedRow]:
    """All rows with the ids of their cases. Raises BadLinesError with every fault of the source and its rows.

    source: what they are from, such as a path, for errors.
    """
    found: list[NumberedRow] = []
    faults = list(raw.faults)
    seen: Counter[bytes] = Counter()
    for number, one in enumerate(raw.rows, start=1):
        wrong: list[str] = []
        row = _row(one.value, wrong)
        if row is not None:
            identity = _identity(row, wrong)
            found.append(NumberedRow(_case_id(identity, seen[identity.digest()]), row))
            seen[identity.digest()] += 1
        lead = "" if one.line else f"row {number}: "
        faults += [Fault(one.line, lead + message) for message in wrong]
    if faults:
        raise BadLinesError(path=source, faults=sorted(faults, key=lambda fault: fault.line or 0))
    return found


def case_of(numbered: NumberedRow, *, position: int, variant: Any = None) -> Case:
    """The case of a row. position: in the data, from 0. variant: the input of the variant, if any."""
    row = numbered.row
    return Case(
        id=numbered.id,
        position=position,
        input=row.input,
        expected=row.expected,
        metadata=row.metadata,
        tags=row.tags,
        variant=variant,
    )


def _row(value: Any, wrong: list[str]) -> Row | None:
    if isinstance(value, Row):
        value = {key: getattr(value, key) for key in ROW_KEYS}
    if not isinstance(value, Mapping):
        wrong.append(f"must be {_EXAMPLE}, got {value!r:.80}")
        return None
    wrong += [_unknown(str(key)) for key in value if key not in ROW_KEYS]
    if "input" not in value and not any('"input"?' in words for words in wrong):  # else it is told already
        wrong.append('has no "input"; write what the task is given')
    return Row(
        input=value.get("input"),
        expected=value.get("expected"),
        metadata=_metadata(value.get("metadata"), wrong),
        tags=_tags(value.get("tags"), wrong),
        only=_flag(value.get("only"), wrong, key="only"),
        skip=_flag(value.get("skip"), wrong, key="skip"),
    )


def _unknown(key: str) -> str:
    near = nearest(key, ROW_KEYS, limit=1)
    meant = f'did you mean "{near[0]}"?' if near else f"a row has {', '.join(ROW_KEYS)}"
    return f'unknown key "{key}"; {meant} What is known beside goes into "metadata"'


def _metadata(value: Any, wrong: list[str]) -> Mapping[str, Any]:
    if value is None:
        return {}
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return value
    wrong.append(f'"metadata" must be an object with text for keys, got {value!r:.80}')
    return {}


def _tags(value: Any, wrong: list[str]) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list | tuple) and all(isinstance(tag, str) and tag.strip() for tag in value):
        return tuple(value)
    wrong.append(f'"tags" must be a list of texts, got {value!r:.80}')
    return ()


def _flag(value: Any, wrong: list[str], *, key: str) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    wrong.append(f'"{key}" must be true or false, got {value!r:.80}')
    return False


def _identity(row: Row, wrong: list[str]) -> "hashlib._Hash":
    """What tells the case of a row from others, but for rows that are equal to it."""
    identity = hashlib.sha256(b"[")
    for key, value in (("input", row.input), ("expected", row.expected)):
        try:
            identity.update(stable_bytes(value))
        except InputError as error:
            wrong.append(f'"{key}" {error}')
        identity.update(b",")
    return identity


def _case_id(identity: "hashlib._Hash", occurrence: int) -> str:
    """Of the canonical JSON of `[input, expected, occurrence]`."""
    whole = identity.copy()
    whole.update(b"%d]" % occurrence)
    return f"case-{whole.hexdigest()[:12]}"
