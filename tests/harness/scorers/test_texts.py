"""Scorers that hold the text of an answer against what is expected."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError
from rankle.harness.evals.scorer import Scorer


@pytest.mark.parametrize(
    ("scorer", "expected", "value", "metadata"),
    [
        (scorers.contains("Paris"), None, True, {"found": ["Paris"], "missing": []}),
        (scorers.contains("paris"), None, False, {"found": [], "missing": ["paris"]}),
        (scorers.contains("paris", ignore_case=True), None, True, {"found": ["paris"], "missing": []}),
        (scorers.contains(["Paris", "Rome"]), None, False, {"found": ["Paris"], "missing": ["Rome"]}),
        (
            scorers.contains(["Paris", "Rome"], match="any"),
            None,
            True,
            {"found": ["Paris"], "missing": ["Rome"]},
        ),
        (scorers.contains(), "capital", True, {"found": ["capital"], "missing": []}),
        (scorers.contains(match="any"), ["Oslo", "Rome"], False, {"found": [], "missing": ["Oslo", "Rome"]}),
        (scorers.contains(expected="must"), {"must": ["is"]}, True, {"found": ["is"], "missing": []}),
        (scorers.regex(r"P\w+s"), None, True, {"match": "Paris"}),
        (scorers.regex(r"p\w+s"), None, False, {"match": None}),
        (scorers.regex(r"p\w+s", ignore_case=True), None, True, {"match": "Paris"}),
        (scorers.regex("Paris", whole=True), None, False, {"match": None}),
        (scorers.regex(), "c.p", True, {"match": "cap"}),
    ],
)  # fmt: skip
def test_texts_are_looked_for_in_an_answer(
    scorer: Scorer, expected: Any, value: bool, metadata: dict[str, Any]
) -> None:
    score = said(scorer, output="Paris is the capital.", expected=expected)
    assert (score.value, score.metadata) == (value, metadata)


@pytest.mark.parametrize(
    ("output", "expected", "value", "metadata"),
    [
        ("kitten", "sitting", 1 - 3 / 7, {"distance": 3, "length": 7}),
        ("same", "same", 1.0, {"distance": 0, "length": 4}),
        ("", "", 1.0, {"distance": 0, "length": 0}),
        ("", "abc", 0.0, {"distance": 3, "length": 3}),
        ("Straße", ["Gasse", "Strasse"], 1 - 2 / 7, {"distance": 2, "length": 7}),
        ("🙂🙂", "🙂", 0.5, {"distance": 1, "length": 2}),
    ],
)
def test_likeness_is_the_share_of_characters_that_need_no_edit(
    output: str, expected: Any, value: float, metadata: dict[str, int]
) -> None:
    score = said(scorers.levenshtein(), output=output, expected=expected)
    assert score.value == pytest.approx(value)
    assert score.metadata == metadata


def test_case_and_white_space_may_be_set_aside() -> None:
    scorer = scorers.levenshtein(ignore_case=True, strip=True)
    assert said(scorer, output=" PARIS\n", expected="paris").value == 1.0


@given(one=st.text(max_size=20), other=st.text(max_size=20))
def test_likeness_is_in_range_and_the_same_both_ways(one: str, other: str) -> None:
    value = said(scorers.levenshtein(), output=one, expected=other).value
    assert isinstance(value, float)
    assert 0 <= value <= 1
    assert (value == 1) == (one == other)
    assert value == said(scorers.levenshtein(), output=other, expected=one).value


@pytest.mark.parametrize(
    ("scorer", "output", "expected", "value"),
    [
        (scorers.numeric(), 3, 3.0, True),
        (scorers.numeric(), " 3.0 ", 3, True),
        (scorers.numeric(), "three", 3, False),
        (scorers.numeric(), float("nan"), 3, False),
        (scorers.numeric(), "inf", 3, False),
        (scorers.numeric(tolerance=0.5), 3.5, 3, True),
        (scorers.numeric(tolerance=0.5), 2.49, 3, False),
        (scorers.numeric(relative=0.1), 110, 100, True),
        (scorers.numeric(relative=0.1), -111, -100, False),
        (scorers.numeric(tolerance=20, relative=0.1), 115, 100, True),
        (scorers.numeric(output="total", expected="total"), {"total": 7}, {"total": "7"}, True),
    ],
)
def test_numbers_are_held_against_a_tolerance(
    scorer: Scorer, output: Any, expected: Any, value: bool
) -> None:
    assert said(scorer, output=output, expected=expected).value is value


def test_numbers_tell_how_far_they_are_off() -> None:
    score = said(scorers.numeric(tolerance=1), output=5, expected=3)
    assert score.metadata == {"difference": 2.0, "allowed": 1.0}
    score = said(scorers.numeric(), output="?", expected=3)
    assert score.metadata == {"difference": None, "allowed": 0.0}


@dataclass(frozen=True)
class Answer:
    text: str


@pytest.mark.parametrize("output", [{"answer": "Paris", "took": 3}, {"text": "Paris"}, Answer("Paris")])
def test_the_text_of_an_answer_may_stand_in_a_member(output: Any) -> None:
    assert said(scorers.contains("Paris"), output=output).value is True


MAKERS: dict[str, Callable[[], Scorer]] = {
    "contains": scorers.contains,
    "regex": scorers.regex,
    "levenshtein": scorers.levenshtein,
}


@pytest.mark.parametrize("name", [*MAKERS, "numeric"])
def test_where_nothing_is_expected_they_do_not_apply(name: str) -> None:
    score = said({**MAKERS, "numeric": scorers.numeric}[name](), output="Paris", expected=None)
    assert (score.value, score.reason) == (None, "nothing is expected")


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("output", [3, None, ["Paris"], {"city": "Paris"}])
def test_an_output_without_text_is_an_error(name: str, output: Any) -> None:
    with pytest.raises(InputError, match="the output must be text, or have it under answer or text"):
        said(MAKERS[name](), output=output, expected="Paris")


@pytest.mark.parametrize(
    ("scorer", "output", "expected", "says"),
    [
        (scorers.contains(), "x", 3, "must be a text or a list of texts.*got 3"),
        (scorers.levenshtein(), "x", ["a", 3], "must be a text or a list of texts"),
        (scorers.regex(), "x", ["a"], "must be a regular expression"),
        (scorers.regex(), "x", "(", "no regular expression: '\\('"),
        (scorers.numeric(), 3, "three", "what is expected must be a finite number, got 'three'"),
        (scorers.numeric(), 3, True, "what is expected must be a number; select it with expected="),
        (scorers.numeric(), None, 3, "the output must be a number; select it with output="),
        (scorers.numeric(), [3], 3, "the output must be a number"),
    ],
)
def test_what_cannot_be_read_is_an_error(scorer: Scorer, output: Any, expected: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        said(scorer, output=output, expected=expected)


def odd(**options: Any) -> Any:
    """Arguments that a type checker would not let through."""
    return options


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: scorers.contains(""), "texts that are not empty"),
        (lambda: scorers.contains(**odd(text=3)), "a text or a list of texts"),
        (lambda: scorers.contains("a", **odd(match="some")), "all or any, got 'some'"),
        (lambda: scorers.regex("("), "no regular expression"),
        (lambda: scorers.regex(**odd(pattern=3)), "no regular expression"),
        (lambda: scorers.numeric(tolerance=-1), "tolerance= of numeric must be a number >= 0, got -1"),
        (lambda: scorers.numeric(**odd(relative="x")), "relative= of numeric must be a number >= 0, got 'x'"),
        (lambda: scorers.numeric(tolerance=float("nan")), "must be a number >= 0, got nan"),
    ],
)
def test_options_that_make_no_sense_are_refused_when_they_are_written(
    make: Callable[[], Scorer], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        make()


@pytest.mark.parametrize(
    ("scorer", "line"),
    [
        (scorers.contains(["a", "b"], match="any"), 'Whether the answer contains any of "a", "b"'),
        (scorers.contains("a"), 'Whether the answer contains "a"'),
        (scorers.contains(), "Whether the answer contains what is expected"),
        (scorers.contains(match="any"), "Whether the answer contains any of what is expected"),
        (scorers.regex("a+"), "Whether the answer matches /a+/"),
        (scorers.regex(whole=True), "Whether the whole answer matches what is expected"),
        (scorers.numeric(), "Whether the number is the expected one"),
        (
            scorers.numeric(tolerance=2, relative=0.1),
            "Whether the number is within 2 or 10 % of the expected one",
        ),
    ],
)
def test_each_is_described_in_a_line(scorer: Scorer, line: str) -> None:
    assert scorer.description == line
