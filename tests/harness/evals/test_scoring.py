import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rankle.core.trials import ScoreReport
from rankle.harness.evals.score import Score
from rankle.harness.evals.scoring import scorer_of, scores_of


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (0, 0.0),
        (1, 1.0),
        (0.25, 0.25),
        (True, 1.0),
        (False, 0.0),
        (Fraction(1, 4), 0.25),
        (np.float32(0.25), 0.25),
        (np.bool_(True), 1.0),
        (np.int64(1), 1.0),
        (np.array(0.25), 0.25),
        (1.0 + 1e-12, 1.0),
        (-1e-12, 0.0),
        (sum([0.1] * 10) + 2e-16, 1.0),
        (Score(0.25), 0.25),
        (Score(True), 1.0),
    ],
    ids=str,
)
def test_numbers_and_booleans_are_values(said: Any, value: float) -> None:
    (score,) = scores_of("exact", said)
    assert score == ScoreReport(name="exact", value=value)
    assert type(score.value) is float


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (math.nan, 'scorer "exact" gave nan; a score is a number in 0 to 1'),
        (math.inf, 'scorer "exact" gave inf; a score is a number in 0 to 1'),
        (-math.inf, 'scorer "exact" gave -inf;'),
        (np.float64("nan"), 'scorer "exact" gave nan;'),
        (1.7, 'scorer "exact" gave 1.7; a score is a number in 0 to 1'),
        (1.7, "divide it by its maximum"),
        (100, 'scorer "exact" gave 100;'),
        (-0.1, 'scorer "exact" gave -0.1;'),
        (1.0001, 'scorer "exact" gave 1.0001;'),
        (Decimal("0.5"), "gave Decimal('0.5') (Decimal)"),
        (b"good", "gave b'good' (bytes)"),
        (object, "gave <class 'object'> (type)"),
        ("", "gave a label that is blank"),
        (" \n", "gave a label that is blank"),
        ("0.8", "gave the text '0.8', not a number: return float('0.8')"),
        ("NaN", "gave the text 'NaN', not a number"),
        ([], "gave several scores, and none is among them"),
        ({}, "gave several scores, and none is among them"),
        ([0.5, 0.7], "a list of rankle.Score, got 0.5"),
        ({"score": 0.5, "metadata": {"k": 3}}, "rankle.Score(value, metadata=…)"),
        ([Score(0.5), Score(0.6)], 'gave two scores of the name "exact"'),
        (Score(1.7), 'scorer "exact" gave 1.7;'),
        ({"recall": 2}, 'scorer "exact.recall" gave 2;'),
        (Score(0.5, metadata=3), "'int' object is not iterable"),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_what_is_no_score_is_an_error_that_says_what_was_got_and_what_is_allowed(
    said: Any, told: str
) -> None:
    (score,) = scores_of("exact", said)
    assert (score.name, score.value, score.label, score.reason) == ("exact", None, None, None)
    assert score.error is not None
    assert told in score.error.message


def test_text_is_a_label() -> None:
    assert scores_of("tone", "polite 🙂") == [ScoreReport(name="tone", label="polite 🙂")]


def test_none_says_that_the_scorer_does_not_apply() -> None:
    assert scores_of("tone", None) == [ScoreReport(name="tone", reason="it gave None, without a reason")]
    assert scores_of("tone", Score(None, reason="no answer")) == [
        ScoreReport(name="tone", reason="no answer")
    ]


def test_metadata_and_reason_stand_beside_as_json() -> None:
    (score,) = scores_of("recall", Score(0.5, {"hits": {3, 1}, "at": math.nan}, "two of four"))
    assert score == ScoreReport(
        name="recall", value=0.5, reason="two of four", metadata={"hits": [1, 3], "at": {"$repr": "nan"}}
    )


def several() -> Iterator[Score]:
    yield Score(0.5, name="recall")
    yield Score(1, name="precision")


@pytest.mark.parametrize(
    "said", [{"recall": 0.5, "precision": Score(True)}, list(several()), tuple(several()), several()],
    ids=["mapping", "list", "tuple", "generator"],
)  # fmt: skip
def test_several_scores_are_called_by_the_scorer_and_their_own_names(said: Any) -> None:
    assert scores_of("search", said) == [
        ScoreReport(name="search.recall", value=0.5),
        ScoreReport(name="search.precision", value=1.0),
    ]


def test_several_that_crash_halfway_are_one_error() -> None:
    def crash() -> Iterator[Score]:
        yield Score(0.5, name="recall")
        raise LookupError("no such key")

    (score,) = scores_of("search", crash())
    assert score.error is not None
    assert (score.name, score.error.type) == ("search", "LookupError")


@pytest.mark.parametrize(
    ("score", "scorer"),
    [("a", "a"), ("a.b", "a.b"), ("a.b.c", "a.b"), ("a.c", "a"), ("ab", None), ("b", None)],
)
def test_a_score_is_of_the_scorer_by_whose_whole_name_it_begins(score: str, scorer: str | None) -> None:
    assert scorer_of(score, ["a", "a.b"]) == scorer
