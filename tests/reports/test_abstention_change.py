"""What became of abstention between two runs, worked out by hand, and how a comparison shows it."""

import json
from importlib.resources import files
from itertools import pairwise

import jsonschema
import pytest

from fakes.abstaining import abstaining_run
from fakes.runs import run_report
from rankle.core.errors import CannotMeasureError
from rankle.core.run import RunReport
from rankle.reports.comparing import Request, compare_runs
from rankle.reports.comparison import AbstentionChange
from rankle.reports.comparison_text import render_comparison
from rankle.reports.json_text import json_text

# Of eight queries that nothing answers, before abstains on the first two, after on the first seven; the last
# one failed after. Of four others, before abstains on none, after on one.
BEFORE = abstaining_run("fts5", answerable=[False] * 4, unanswerable=[True] * 2 + [False] * 6, floor=None)
AFTER = abstaining_run(
    "hybrid", answerable=[True, False, False, False], unanswerable=[True] * 7 + [None], floor=0.5
)


def change(*runs: RunReport) -> AbstentionChange | None:
    found = compare_runs(runs, [run.id for run in runs], Request())
    return found.pairs[0].abstention


def test_each_side_is_held_against_itself_over_the_queries_that_both_answered() -> None:
    found = change(BEFORE, AFTER)
    assert found is not None
    recall, answered = found.recall, found.answered
    assert (recall.n, recall.share_a, recall.share_b, recall.wins, recall.losses) == (7, 2 / 7, 1.0, 5, 0)
    assert recall.difference == pytest.approx(5 / 7)
    assert recall.p_value == pytest.approx(2 / 2**5)  # McNemar: five changes, all to one side
    assert (answered.n, answered.share_a, answered.share_b, answered.losses) == (4, 1.0, 0.75, 1)
    assert answered.p_value == 1.0


def test_precision_is_that_of_each_run_and_floors_stand_beside() -> None:
    found = change(BEFORE, AFTER)
    assert found is not None
    assert (found.precision_a, found.precision_b) == (1.0, 7 / 8)
    assert (found.floor_a, found.floor_b) == (None, 0.5)


def test_a_side_that_no_query_is_on_has_no_figures() -> None:
    alone = [abstaining_run(name, answerable=[False], unanswerable=[None]) for name in ("fts5", "hybrid")]
    found = change(*alone)
    assert found is not None
    assert (found.recall.n, found.recall.difference, found.recall.p_value) == (0, None, None)


NOTHING = [
    abstaining_run("fts5", answerable=[], unanswerable=[True] * 2 + [False] * 6, floor=None),
    abstaining_run("hybrid", answerable=[], unanswerable=[True] * 8),
]
"""Of a set without a query that has an answer."""


def test_sets_of_nothing_but_unanswerable_queries_are_compared_by_abstention_alone() -> None:
    found = compare_runs(NOTHING, ["before", "after"], Request())
    told = found.pairs[0].abstention
    assert told is not None
    assert (told.recall.n, told.recall.difference, told.recall.p_value) == (8, 0.75, 2 / 2**6)
    assert [one.verdict for one in found.pairs[0].measures] == ["not compared"]
    text = render_comparison(found)
    assert "No query was scored by two of these runs, so no measure of relevance is\n  compared.\n" in text
    assert "Recall        0.250  1.000  +0.750  +0.333 to +1.000  0.0312  8\n" in text
    assert "Measure" not in text and "Unjudged" not in text  # noqa: PT018 - one absence


def test_without_a_score_or_an_answer_on_either_side_nothing_is_compared() -> None:
    failed = [abstaining_run(name, answerable=[], unanswerable=[None] * 2) for name in ("fts5", "hybrid")]
    with pytest.raises(CannotMeasureError, match="no query was scored by two of these runs"):
        compare_runs(failed, ["before", "after"], Request())


def test_a_run_that_tells_nothing_of_abstention_makes_no_change() -> None:
    plain = run_report("plain", {"RR": [0.25, 0.5, 0.75]}, id="plain0000000")
    other = abstaining_run("fts5", answerable=[False] * 3, unanswerable=[])
    assert change(plain, other) is None
    assert "Abstention" not in render_comparison(compare_runs([plain, other], ["a", "b"], Request()))


def test_the_terminal_shows_a_short_table() -> None:
    text = render_comparison(compare_runs([BEFORE, AFTER], ["before", "after"], Request()))
    assert "Changed: method fts5 → hybrid; floor none → 0.5\n" in text
    table = text[text.index("Abstention  ") : text.index("--json has")]
    assert table == (
        "Abstention    A      B      B − A   95% interval      p       queries\n"
        "─────────────────────────────────────────────────────────────────────\n"
        "Precision     1.000  0.875  —       —                 —       —\n"
        "Recall        0.286  1.000  +0.714  0.000 to +1.000   0.0625  7\n"
        "Answered      1.000  0.750  −0.250  —                 1.0000  4\n"
        "\n"
        "Floors: A none, B 0.5. Precision is over other queries in each run, so it is not\n"
        "tested; each p is by itself, apart from those above.\n"
        "\n"
    )


def test_of_several_runs_each_pair_has_a_row_and_no_line_is_wider_than_the_screen() -> None:
    third = abstaining_run("vector", answerable=[False] * 4, unanswerable=[True] * 8)
    runs, names = [BEFORE, AFTER, third], ["a", "b", "c"]
    text = render_comparison(compare_runs(runs, names, Request()))
    lines = text[text.index("Abstention  ") :].splitlines()
    for title, below in pairwise(lines):
        if title in ("Precision", "Recall", "Answered"):
            assert below.startswith("  A to B  ")
    assert "Floors: A none, B 0.5, C 0.25." in text
    for width in (40, 60, 80):
        shown = render_comparison(compare_runs(runs, names, Request()), width=width)
        assert max(map(len, shown.splitlines())) <= width


def test_the_json_is_valid_by_the_published_schema() -> None:
    schema = json.loads(files("rankle.reports").joinpath("schemas/compare-1.json").read_text("utf-8"))
    value = json.loads(json_text(compare_runs([BEFORE, AFTER], ["a", "b"], Request())))
    jsonschema.validate(value, schema)
    assert value["pairs"][0]["abstention"]["recall"]["wins"] == 5
