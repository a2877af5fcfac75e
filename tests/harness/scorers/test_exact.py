from dataclasses import dataclass
from typing import Any

import pytest

from fakes.score_context import said
from rankle import scorers


@dataclass(frozen=True)
class Place:
    name: str
    rank: int


NOTHING_OF_JSON = object()


@pytest.mark.parametrize(
    ("output", "expected", "same"),
    [
        ("Paris", "Paris", True),
        ("Paris", "paris", False),
        ("Paris ", "Paris", False),
        (3, 3.0, True),
        (True, 1, False),
        (1, True, False),
        (["a", 1], ["a", 1], True),
        (("a", 1), ["a", 1], True),
        ({"a": [1, 2]}, {"a": (1, 2)}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        (None, "Paris", False),
        ("🙂", "🙂", True),
        (Place("a", 1), {"name": "a", "rank": 1}, True),
        ([Place("a", 1)], [Place("a", 2)], False),
        (NOTHING_OF_JSON, NOTHING_OF_JSON, True),
        (object(), NOTHING_OF_JSON, False),
        (float("nan"), 1.0, False),
    ],
)
def test_an_output_is_what_was_expected_or_not(output: Any, expected: Any, same: bool) -> None:
    assert said(scorers.exact(), output=output, expected=expected).value is same


def test_case_and_white_space_count_unless_they_are_set_aside() -> None:
    scorer = scorers.exact(ignore_case=True, strip=True)
    assert said(scorer, output=" PARIS\n", expected="Paris").value is True
    assert said(scorer, output={"city": " STRASSE"}, expected={"city": "Straße"}).value is True
    assert said(scorers.exact(strip=True), output=" PARIS", expected="Paris").value is False
    assert (
        scorer.description
        == "Whether the output equals what is expected, case aside, white space at the ends aside"
    )


def test_where_nothing_is_expected_it_does_not_apply() -> None:
    score = said(scorers.exact(), output="Paris", expected=None)
    assert (score.value, score.reason) == (None, "nothing is expected")


def test_parts_are_selected() -> None:
    scorer = scorers.exact(output="answer", expected=lambda row: row["gold"], name="answer", weight=0.5)
    assert said(scorer, output={"answer": 4}, expected={"gold": 4}).value is True
    assert (scorer.name, scorer.weight) == ("answer", 0.5)
