"""What an answer with halves of characters comes to: servers that cut texts by UTF-16 send such."""

import asyncio
import time

import pytest

from rankle.core.errors import SystemFailureError
from rankle.core.evalset import Level
from rankle.core.outcome import Outcome
from rankle.core.search import Hit, Passage, SearchResult, Stage, StageRank
from rankle.harness.outcome import ask_one, outcome_of
from rankle.harness.plan import Item

_HALF = "\ud83d"


def outcome(*hits: Hit, stages: tuple[Stage, ...] = ()) -> Outcome:
    return outcome_of(SearchResult("q", "m", hits, stages, 1.0, notices=(_HALF,)), depth=5, took_ms=1.0)


def test_a_text_that_was_cut_within_a_character_is_kept_without_the_half() -> None:
    text = f"cut {_HALF}"
    passage = Passage("a#1", f"title {_HALF}", (), text, 0, len(text), 1, 1)
    answer = outcome(Hit("a", "a", 1.0, 1, passage=passage)).answer
    assert answer is not None
    (hit,) = answer.hits
    assert hit.passage is not None
    assert (hit.passage.text, hit.passage.title) == ("cut \ufffd", "title \ufffd")
    assert answer.notices == ("\ufffd",)


@pytest.mark.parametrize(
    ("hit", "stages"),
    [
        (Hit(f"a{_HALF}", "a", 1.0, 1), ()),
        (Hit("a", f"a{_HALF}", 1.0, 1), ()),
        (Hit("a", "a", 1.0, 1, chunks=(f"a{_HALF}",)), ()),
        (Hit("a", "a", 1.0, 1), (Stage("words", 0.0, {f"a{_HALF}": StageRank(1, 1.0)}),)),
    ],
    ids=["id", "document", "chunk", "stage"],
)
def test_an_id_with_half_of_a_character_is_a_failure(hit: Hit, stages: tuple[Stage, ...]) -> None:
    found = outcome(hit, stages=stages)
    assert found.answer is None
    assert found.error == r"an id holds half of a character (a lone surrogate): 'a\ud83d'"


def test_what_a_system_says_when_it_fails_is_kept_without_the_half() -> None:
    class Failing:
        async def search(self, query: str, **_options: object) -> SearchResult:
            raise SystemFailureError(f"cut {_HALF}")

    asked = ask_one(Failing(), Item("q", None), depth=5, level=Level.DOCUMENT, clock=time.perf_counter)  # type: ignore[arg-type]
    assert asyncio.run(asked).error == "cut \ufffd"
