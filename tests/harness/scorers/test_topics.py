from typing import Any

import pytest

from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError


@pytest.mark.parametrize(
    ("text", "topic", "covered"),
    [
        ("Paid leave takes 14 weeks.", "paid leave", True),
        ("PAID\nLEAVE", "paid leave", True),
        ("The category is new.", "cat", False),
        ("A cat.", "cat", True),
        ("Cats sleep.", "cat", False),
        ("It is C++.", "C++", True),
        ("Prices: $5", "$5", True),
        ("Prices: $50", "$5", False),
        ("Cafe\u0301 “x”", 'café "x"', True),
        ("我们有带薪休假。", "休假", True),
        ("ลาพักร้อนได้", "พักร้อน", True),
        ("Use PTO.", ["paid time off", "PTO"], True),
        ("", "cat", False),
    ],
)
def test_a_topic_is_covered_where_its_words_stand(text: str, topic: Any, covered: bool) -> None:
    assert said(scorers.topics_covered([topic]), output=text).value == float(covered)


def test_the_share_of_topics_is_told_with_their_names() -> None:
    score = said(scorers.topics_covered(["leave", ["PTO", "holiday"], "pay", "pay"]), output="Leave and pay.")
    assert score.value == pytest.approx(2 / 3)
    assert score.metadata == {"total": 3, "covered": ["leave", "pay"], "missing": ["PTO | holiday"]}


@pytest.mark.parametrize(
    ("expected", "metadata", "select"),
    [
        ({"topics": ["leave", "pay"]}, {}, None),
        (["a.md"], {"topics": ["leave", "pay"]}, None),
        ({"must": {"say": ["leave", "pay"]}}, {"topics": ["other"]}, "must.say"),
    ],
)
def test_topics_are_those_that_the_row_states(expected: Any, metadata: dict[str, Any], select: Any) -> None:
    scorer = scorers.topics_covered(expected=select)
    assert said(scorer, output={"answer": "Leave."}, expected=expected, metadata=metadata).value == 0.5


@pytest.mark.parametrize("expected", [None, {"topics": []}, {"topics": None}, ["a.md"]])
def test_without_topics_it_does_not_apply(expected: Any) -> None:
    score = said(scorers.topics_covered(), output="Leave.", expected=expected)
    assert (score.value, score.reason) == (None, "no topic is expected")


@pytest.mark.parametrize("topics", ["leave", [3], [" "], [[]], [["a", 3]], {"a": 1}])
def test_what_is_no_list_of_topics_is_refused(topics: Any) -> None:
    with pytest.raises(InputError, match=r"topics must be a list|a topic must be a text"):
        scorers.topics_covered(topics)
    with pytest.raises(InputError, match=r"topics must be a list|a topic must be a text"):
        said(scorers.topics_covered(), output="x", metadata={"topics": topics})
