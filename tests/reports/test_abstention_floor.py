"""A floor that was looked for, as people read it."""

from typing import Any

import pytest
from rich.cells import cell_len

from rankle.app.floor_choice import BestScore, figures_of
from rankle.core.floor import FloorReport
from rankle.reports.abstention_floor import render_floor

QUERIES = [BestScore(str(n), answerable=n % 2 == 0, score=float(n % 7)) for n in range(40)]


def report(**changed: Any) -> FloorReport:
    given: dict[str, Any] = {
        "workspace": "handbook",
        "method": "vector",
        "set_name": "set.jsonl",
        "set_fingerprint": "0" * 64,
        "seed": 3,
        "criterion": "balanced accuracy",
        "floor": 3.5,
        "separates": False,
        "kept": False,
        "chosen_on": figures_of(QUERIES[:20], 3.5),
        "rest": figures_of(QUERIES[20:], 3.5),
        "rest_without": figures_of(QUERIES[20:], None),
        "n_undefined": 0,
        "n_failed": 0,
        "notices": [],
    }
    return FloorReport(**(given | changed))


def words(**changed: Any) -> str:
    return " ".join(render_floor(report(**changed), path="set.jsonl").split())


def test_the_shares_that_went_wrong_are_those_that_the_record_does_not_count() -> None:
    """From 20 on: 0, 2, 4, 6, 1, 3, 5, 0, 2, 4 where nothing answers, and 6, 1, 3, 5, 0, 2, 4, 6, 1, 3."""
    lines = render_floor(report(), path="set.jsonl").splitlines()
    assert "Answers though nothing does          40.0%    16.8–68.7%      4 of 10" in lines
    assert "Abstains though there is an answer   60.0%    31.3–83.2%      6 of 10" in lines


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"separates": True, "kept": True}, "Kept as the floor of vector in the workspace handbook."),
        ({"separates": True, "kept": True}, "rankle eval set.jsonl --method vector -w handbook."),
        ({"separates": True}, "Not kept, since this is a dry run."),
        ({}, "on the other queries it may be no better than chance. Nothing was kept;"),
        ({}, "More queries may show one, and so may another method."),
        ({"method": "hybrid"}, "Those of one list alone may: --method vector, --method fts5."),
        ({"floor": None}, "Floor of vector: none does better than none. Chosen on 10 queries"),
        ({"floor": None}, "no floor does better than none on the queries to choose on."),
        ({"n_failed": 1, "n_undefined": 2}, "Left out: 1 failed, 2 of which the set does not tell"),
        ({"notices": ["labels that name nothing"]}, "Note: labels that name nothing"),
    ],
)
def test_what_became_of_it_is_said(changed: dict[str, Any], told: str) -> None:
    assert told in words(**changed)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("method", ["fts5", "hybrid"])
def test_no_line_is_wider_than_the_screen(method: str, width: int) -> None:
    for kept in (False, True):
        text = render_floor(report(method=method, separates=kept, kept=kept), path="set.jsonl", width=width)
        assert max(map(cell_len, text.splitlines())) <= width
        assert "On the other queries" in text
