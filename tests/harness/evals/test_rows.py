"""Rows of data become cases whose ids are made of what they hold, or all faults are told at once."""

import enum
import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from rankle.core.canonical import canonical_json
from rankle.core.errors import BadLinesError, InputError
from rankle.harness.evals.case import Row
from rankle.harness.evals.rows import RawRow, RawRows, case_of, read_rows
from rankle.harness.evals.stable import stable_bytes


def ids(*rows: Any) -> list[str]:
    return [one.id for one in read_rows(RawRows(list(map(RawRow, rows))), source="rows")]


def test_an_id_is_of_input_expectation_and_occurrence() -> None:
    """Made by hand: the first 12 digits of SHA-256 of `[1,2,0]` and `[1,2,1]`."""
    same = {"input": 1, "expected": 2}

    assert ids(same, same) == ["case-519f4c9b267f", "case-f49b9dc62ee7"]


def test_ids_survive_another_order_and_know_metadata_and_marks_not() -> None:
    one, two = {"input": "a", "expected": 1}, {"input": "b"}
    marked = one | {"metadata": {"n": 1}, "tags": ["t"], "only": True, "skip": False}

    assert ids(one, two) == ids(two, one)[::-1] == ids(marked, two) == ids(Row("a", 1), Row("b"))


def test_identical_inputs_with_other_expectations_are_two_cases() -> None:
    assert len(set(ids({"input": 1, "expected": 2}, {"input": 1, "expected": 3}, {"input": 1}))) == 3


def test_a_case_has_what_its_row_says() -> None:
    row = {"input": {"q": 1}, "expected": [2], "metadata": {"m": 3}, "tags": ["t"]}
    [numbered] = read_rows(RawRows([RawRow(row)]), source="rows")
    case = case_of(numbered, position=4, variant="v")

    assert (case.id, case.position, case.variant, case.trial) == (numbered.id, 4, "v", 0)
    assert (case.input, case.expected, case.metadata, case.tags) == ({"q": 1}, [2], {"m": 3}, ("t",))


def test_all_bad_rows_are_told_at_once() -> None:
    rows = [
        {"inptu": 1},
        {"expected": 1},
        5,
        {"input": 1, "metadata": [1]},
        {"input": 1, "tags": "t", "only": "yes"},
        {"input": object()},
        {"input": 1},
    ]
    with pytest.raises(BadLinesError) as caught:
        read_rows(RawRows(list(map(RawRow, rows))), source='data of eval "A"')

    assert [fault.message.split("; ")[0] for fault in caught.value.faults] == [
        'row 1: unknown key "inptu"',
        'row 2: has no "input"',
        'row 3: must be {"input": …, "expected": …}, got 5',
        'row 4: "metadata" must be an object with text for keys, got [1]',
        "row 5: \"tags\" must be a list of texts, got 't'",
        "row 5: \"only\" must be true or false, got 'yes'",
        'row 6: "input" has a object, which is not the same in every run',
    ]
    assert 'did you mean "input"?' in str(caught.value)
    assert str(caught.value).startswith('data of eval "A": row 1: ')


def test_a_row_of_a_file_is_told_by_its_line() -> None:
    with pytest.raises(BadLinesError, match=r"^rows.jsonl:7: has no \"input\""):
        read_rows(RawRows([RawRow({}, 7)]), source="rows.jsonl")


class Color(enum.Enum):
    RED = "red"


@dataclass
class Question:
    text: str
    at: date


class Model(BaseModel):
    text: str


class Packed(msgspec.Struct):
    text: str


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (date(2026, 11, 30), "2026-11-30"),
        (datetime(2026, 11, 30, 9, tzinfo=UTC), "2026-11-30T09:00:00+00:00"),
        (timedelta(minutes=1), 60.0),
        (Path("a") / "b", "a/b"),
        (PurePosixPath("a/b"), "a/b"),
        (Color.RED, "red"),
        (Decimal("1.50"), "1.50"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (b"\x00\xff", "AP8="),
        ((1, 2), [1, 2]),
        ({2, 1}, [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (Question("a", date(2026, 1, 1)), {"text": "a", "at": "2026-01-01"}),
        (Model(text="a"), {"text": "a"}),
        (Packed("a"), {"text": "a"}),
        (np.int64(5), 5),
        (np.float32(0.5), 0.5),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array([1.0, math.nan]), [1.0, "nan"]),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.datetime64("2026-11-30"), "2026-11-30"),
        (range(2), [0, 1]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_that_are_no_json_have_one_form(value: Any, plain: Any) -> None:
    assert stable_bytes(value) == canonical_json(plain)
    assert stable_bytes({"in": [value]}) == canonical_json({"in": [plain]})


circle: list[Any] = []
circle.append(circle)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (object(), "has a object, which is not the same in every run; write what tells it apart as JSON"),
        (Color, "has the class Color"),
        (iter([1]), "list its items"),
        (lambda: 1, "has a function"),
        (circle, "is nested too deeply, or within itself"),
        ("\ud800", "holds half of a character"),
        ({1: "a", "1": "b"}, "has keys that are the same as text"),
    ],
    ids=["object", "class", "iterator", "function", "circle", "half", "keys"],
)
def test_values_without_a_stable_form_are_refused(value: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        stable_bytes(value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(json_values)
def test_json_stays_as_it_is(value: Any) -> None:
    assert stable_bytes(value) == canonical_json(value)
