import dataclasses
import enum
import math
from collections import OrderedDict, namedtuple
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.harness.evals.outputs import as_json, survives_json


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Name(str):
    __slots__ = ()


@dataclasses.dataclass
class Hit:
    id: str
    where: tuple[int, int] = (1, 2)


class Answer(msgspec.Struct):
    text: str
    hits: list[Hit]


class Model(pydantic.BaseModel):
    when: date
    children: list["Model"] = []


Point = namedtuple("Point", "x y")  # noqa: PYI024  (what a task may give)


class Plain:
    def __repr__(self) -> str:
        return "Plain()"


class Broken:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Raising(dict[str, int]):
    def items(self) -> Any:
        raise RuntimeError("no items")

    def __repr__(self) -> str:
        return "Raising()"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (0.5, 0.5),
        ("naïve 🔎", "naïve 🔎"),
        ((1, (2,)), [1, [2]]),
        ({"b": {"a": (1,)}}, {"b": {"a": [1]}}),
        ({1: "one", None: "none", Colour.RED: "r"}, {"1": "one", "None": "none", "red": "r"}),
        (OrderedDict(a=1), {"a": 1}),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({3, 1, "x"}), ["x", 1, 3]),
        (Hit("a.md"), {"id": "a.md", "where": [1, 2]}),
        (Answer("yes", [Hit("a.md")]), {"text": "yes", "hits": [{"id": "a.md", "where": [1, 2]}]}),
        (Model(when=date(2026, 1, 2), children=[Model(when=date(2026, 1, 3))]),
         {"when": "2026-01-02", "children": [{"when": "2026-01-03", "children": []}]}),
        (Point(1, 2), {"x": 1, "y": 2}),
        (Colour.RED, "red"),
        (Level.LOW, 1),
        (Name("a"), "a"),
        (b"\x00\xff", {"$bytes": "AP8="}),
        (bytearray(b"a"), {"$bytes": "YQ=="}),
        (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02T03:04:00+00:00"),
        (time(3, 4), "03:04:00"),
        (timedelta(seconds=90), "0:01:30"),
        (Decimal("1.50"), "1.50"),
        (PurePosixPath("a/b.md"), "a/b.md"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (math.nan, {"$repr": "nan"}),
        ([math.inf, -math.inf], [{"$repr": "inf"}, {"$repr": "-inf"}]),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.array([[1.0, math.nan]]), [[1.0, {"$repr": "nan"}]]),
        (pl.DataFrame({"a": [1, 2]}), [{"a": 1}, {"a": 2}]),
        (pl.Series([1, 2]), [1, 2]),
        (pd.DataFrame({"a": [1]}), [{"a": 1}]),
        ("a\ud83d", "a�"),
        ({"\ud83d\udd0e": "\ud83d\udd0e"}, {"🔎": "🔎"}),
        (2**63, 2**63),
        (2**64, {"$repr": "18446744073709551616"}),
        (Plain(), {"$repr": "Plain()"}),
        ([Plain], [{"$repr": repr(Plain)}]),
        (Broken(), {"$repr": "<Broken, whose repr raises RuntimeError>"}),
        ([Raising(a=1)], [{"$repr": "Raising()"}]),
        ({1: "a", "1": "b"}, {"$repr": "{1: 'a', '1': 'b'}"}),
    ],
    ids=lambda value: type(value).__name__,  # sets are shown in another order each time
)  # fmt: skip
def test_every_output_becomes_json(value: Any, expected: Any) -> None:
    found = as_json(value)
    assert found == expected
    assert msgspec.json.decode(msgspec.json.encode(found)) == found


def test_an_object_that_is_part_of_itself_says_so() -> None:
    value: list[Any] = [1]
    value.append(value)
    assert as_json(value) == [1, {"$repr": "<part of itself>"}]


def test_what_stands_twice_in_a_value_is_shown_twice() -> None:
    part = {"a": 1}
    assert as_json([part, part]) == [{"a": 1}, {"a": 1}]


def test_a_value_that_is_deeper_than_anyone_looks_is_cut() -> None:
    value: Any = "bottom"
    for _ in range(5_000):
        value = [value]
    text = msgspec.json.encode(as_json(value)).decode()
    assert "more than 64 levels deep" in text


def test_a_long_repr_is_cut() -> None:
    class Long:
        def __repr__(self) -> str:
            return "x" * 10_000

    assert len(as_json(Long())["$repr"]) == 2_001


@pytest.mark.parametrize(
    ("value", "survives"),
    [
        (None, True),
        (False, True),
        (3, True),
        (2**64, False),
        (0.5, True),
        (math.nan, False),
        ("🔎", True),
        ("\ud83d", False),
        ([1, {"a": [None]}], True),
        ((1,), False),
        ([(1,)], False),
        ({1: "a"}, False),
        ({"a": {1}}, False),
        (Name("a"), False),
        (Level.LOW, False),
        (np.float64(0.5), False),
        (Hit("a"), False),
        (b"a", False),
    ],
    ids=repr,
)
def test_only_what_comes_back_as_it_was_survives_json(value: Any, survives: bool) -> None:
    assert survives_json(value) is survives


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner) | st.tuples(inner),
    max_leaves=20,
)


@given(JSON)
def test_what_survives_is_unchanged_and_all_else_can_be_written(value: Any) -> None:
    found = as_json(value)
    read = msgspec.json.decode(msgspec.json.encode(found))
    assert read == found
    assert as_json(read) == read
    if survives_json(value):
        assert read == value
