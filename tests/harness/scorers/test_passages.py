from dataclasses import asdict
from typing import Any

import pytest

import rankle
from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError
from rankle.core.search import Hit, Passage
from rankle.core.text_range import Range
from rankle.labels.spans import judge_spans, match_spans
from rankle.metrics.engine import compute
from rankle.metrics.measure import parse_measure

TEXT = "Hold the button for ten seconds. The light turns red. Then let go, and wait for the beep."
EXPECTED = [
    {"document": "a.md", "quote": "Hold the button for ten seconds.", "start": 0, "end": 32, "relevance": 2},
    {"document": "a.md", "quote": "Then let go, and wait for the beep.", "start": 54, "end": 89},
    {"document": "b.md", "quote": "Nothing else.", "start": 5, "end": 18, "relevance": 0},
]
PLACES = [("b.md", 0, 20), ("a.md", 0, 40), ("a.md", 2, 30), ("c.md", 0, 40), ("a.md", 50, 89)]
NAMES = [
    "R@2",
    "R@5",
    "P@5",
    "nDCG@5",
    "nDCG(gain=exp2)@5",
    "RR",
    "AP",
    "F1@5",
    "Hit@1",
    "R_cap@2",
    "ERR@5",
    "Judged@5",
]


def hits(**extra: Any) -> list[dict[str, Any]]:
    return [{"document": name, "start": start, "end": end, **extra} for name, start, end in PLACES]


def of_ours() -> list[Hit]:
    found = []
    for rank, (name, start, end) in enumerate(PLACES, start=1):
        passage = Passage(f"c{rank}", name, (), "…", start, end, 1, 1)
        found.append(Hit(f"c{rank}", name, 1.0, rank, (f"c{rank}",), passage))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_labelled_passages(name: str) -> None:
    results = [Range(*place) for place in PLACES]
    spans = [Range(each["document"], each["start"], each["end"]) for each in EXPECTED]  # type: ignore[arg-type]
    grades = [2, 1, 0]
    measure = parse_measure(name)
    judged = judge_spans([match_spans(results, spans, grades)], [grades])
    value = float(compute(judged, [measure])[measure][0])
    for output in (hits(), of_ours(), [asdict(hit) for hit in of_ours()]):
        assert said(scorers.measure(name), output=output, expected=EXPECTED).value == value


@pytest.mark.parametrize(
    ("k", "metadata"), [(1, {"k": 1, "hits": 0, "total": 2}), (5, {"k": 5, "hits": 2, "total": 2})]
)
def test_hits_of_recall_are_the_passages_that_were_found(k: int, metadata: dict[str, int]) -> None:
    assert said(scorers.recall(k), output=hits(), expected=EXPECTED).metadata == metadata


def test_a_result_that_repeats_a_passage_is_worth_nothing() -> None:
    once = said(scorers.ndcg(2), output=hits()[1:2], expected=EXPECTED)
    twice = said(scorers.ndcg(2), output=[hits()[1], hits()[2]], expected=EXPECTED)
    assert once == twice


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        (TEXT, 2),
        (TEXT[:35], 1),
        ("HOLD THE BUTTON", 0),
        ("Hold  the\nbutton for ten seconds.", 1),
        ("the button for ten", 1),
        ("button for ten seconds. The light turns red.", 1),
        ("seconds. The light turns red.", 0),
        ("turns red. Then let go, and wait", 1),
        ("", 0),
    ],
    ids=[
        "whole",
        "one",
        "other case",
        "other spelling",
        "inside",
        "end of it",
        "too little",
        "beginning",
        "empty",
    ],
)
def test_texts_are_held_against_quotes(text: str, covered: int) -> None:
    expected = [{"document": "a.md", "quote": each["quote"]} for each in EXPECTED[:2]]
    score = said(scorers.recall(5), output=[{"document": "a.md", "text": text}], expected=expected)
    assert score.value == covered / 2
    elsewhere = said(scorers.recall(5), output=[{"document": "z.md", "text": text}], expected=expected)
    assert elsewhere.value == 0


def test_how_much_a_hit_must_have_of_a_passage_can_be_said() -> None:
    strict = rankle.Coverage(of_span=1.0, of_chunk=1.0)
    by_text = [{"document": "a.md", "quote": EXPECTED[0]["quote"]}]
    for output, expected in (
        ([{"document": "a.md", "start": 5, "end": 40}], EXPECTED[:1]),
        ([{"document": "a.md", "text": TEXT[5:40]}], by_text),
    ):
        assert said(scorers.recall(5), output=output, expected=expected).value == 1
        assert said(scorers.recall(5, coverage=strict), output=output, expected=expected).value == 0
    whole = [{"document": "a.md", "text": TEXT}]
    assert said(scorers.recall(5, coverage=strict), output=whole, expected=by_text).value == 1


def test_passages_count_for_their_documents_where_documents_are_asked_for() -> None:
    score = said(scorers.recall(2, level="document"), output=["b.md", "a.md"], expected=EXPECTED)
    assert (score.value, score.metadata) == (1.0, {"k": 2, "hits": 1, "total": 1})


def test_without_a_relevant_passage_it_does_not_apply() -> None:
    score = said(scorers.recall(2, level="span"), output=hits(), expected=EXPECTED[2:])
    assert (score.value, score.reason) == (None, "no relevant judgment")


@pytest.mark.parametrize(
    ("output", "expected", "says"),
    [
        (["a.md"], EXPECTED, 'result 1 of the output needs its "document", and "start" and "end" or "text"'),
        ([{"start": 1, "end": 2}], EXPECTED, "result 1 of the output needs"),
        ([{"document": "a.md", "start": 5, "end": 5}], EXPECTED, "result 1 of the output needs"),
        (
            [{"document": "a.md", "text": "x"}],
            [{"document": "a.md", "start": 0, "end": 9}],
            'has only a text, and the passage expected of "a.md" only "start" and "end"',
        ),
        (
            [{"document": "a.md", "start": 0, "end": 9}],
            [{"document": "a.md", "quote": "x"}],
            'has only "start" and "end", and the passage expected of "a.md" only a quote',
        ),
        ([], [{"document": "a.md", "start": 3}], 'needs both "start" and "end"'),
        (
            [],
            [{"document": "a.md", "quote": "x"}, {"document": "c.md"}],
            "names document and span targets",
        ),
        ([], {"relevantDocs": ["a.md"], "judgments": EXPECTED}, 'drop it, or say relevance="judgments"'),
        ([], [{"document": "a.md", "quote": "x"}, "b.md"], 'a passage is expected as .* got only \'b.md\''),
    ],
)  # fmt: skip
def test_what_says_too_little_is_an_error(output: Any, expected: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        said(scorers.recall(5), output=output, expected=expected)
