"""Abstention as people read it, at a terminal and as Markdown."""

import msgspec
import pytest

from fakes.abstaining import abstaining_run, two_abstaining
from fakes.compared import results
from fakes.runs import run_report
from rankle.core.run import RunReport
from rankle.reports.abstention import abstention_lines, abstention_notes, floor_text
from rankle.reports.abstention_errors import abstention_error_blocks
from rankle.reports.markdown import render_markdown
from rankle.reports.methods import render_methods
from rankle.reports.terminal import render_run

FTS5, HYBRID = two_abstaining()


def test_one_run_has_a_table_of_its_own_with_what_the_shares_mean() -> None:
    assert "\n".join(abstention_lines(FTS5, width=80)) == (
        "Abstention      Share    95% interval        Queries\n"
        "───────────────────────────────────────────────────────\n"
        "Precision       66.7%    20.8–93.9%          2 of 3\n"
        "Recall          50.0%    15.0–85.0%          2 of 4\n"
        "Answered        66.7%    20.8–93.9%          2 of 3\n"
        "\n"
        "Search abstains where no result scores above the floor, 0.25.\n"
        "Precision: of the queries it abstained on, the share that nothing answers.\n"
        "Recall: of the queries that nothing answers, the share it abstained on.\n"
        "Answered: of those with an answer, the share it did not.\n"
        "In no share: 1 failed."
    )


def test_several_methods_stand_side_by_side_each_with_its_floor() -> None:
    text = render_methods([FTS5, HYBRID])
    table = text[text.index("Abstention") : text.index("fts5 failed on")]
    assert table == (
        "Abstention         fts5          hybrid\n"
        "───────────────────────────────────────────────\n"
        "Floor              0.25          none\n"
        "Precision          66.7%         100.0%\n"
        "  queries          2 of 3        1 of 1\n"
        "  95% interval     20.8–93.9%    —\n"
        "Recall             50.0%         25.0%\n"
        "  queries          2 of 4        1 of 4\n"
        "  95% interval     15.0–85.0%    4.6–69.9%\n"
        "Answered           66.7%         100.0%\n"
        "  queries          2 of 3        3 of 3\n"
        "  95% interval     20.8–93.9%    43.9–100.0%\n"
        "\n"
        "Search abstains where no result scores above its floor.\n"
        "Where no floor is stated, it abstains only where nothing is found. To choose\n"
        "one: rankle eval floor set\n"
        "Precision: of the queries it abstained on, the share that nothing answers.\n"
        "Recall: of the queries that nothing answers, the share it abstained on.\n"
        "Answered: of those with an answer, the share it did not.\n"
        "In no share: 1 failed.\n\n"
    )


def test_markdown_has_the_same_table() -> None:
    assert "| Recall | 50.0% | 15.0–85.0% | 2 of 4 |" in render_markdown([FTS5])
    assert "| Recall | 50.0% (2 of 4; 15.0–85.0%) | 25.0% (1 of 4; 4.6–69.9%) |" in render_markdown(
        [FTS5, HYBRID]
    )


@pytest.mark.parametrize("floor", [None, 0.25])
def test_it_says_how_a_floor_is_chosen_where_none_is_stated(floor: float | None) -> None:
    run = abstaining_run("fts5", answerable=[False], unanswerable=[True], floor=floor)
    told = "No floor is stated, so search abstains only where nothing is found. To choose one: rankle eval"
    assert any(told in note for note in abstention_notes([run], ["fts5"])) is (floor is None)


def test_a_share_of_no_query_is_no_figure() -> None:
    run = abstaining_run("fts5", answerable=[False], unanswerable=[False])
    assert abstention_lines(run, width=80)[2] == "Precision       —        —                   0 of 0"


def test_what_differs_of_the_queries_left_out_is_told_of_each_run() -> None:
    alike = abstaining_run("vector", answerable=[None, True], unanswerable=[True])
    plain = run_report("plain", {"RR": [1.0]})
    assert abstention_notes([FTS5, alike, plain], ["fts5", "vector", "plain"])[-1] == "In no share: 1 failed."
    none = abstaining_run("vector", answerable=[True], unanswerable=[True])
    assert abstention_notes([FTS5, none], ["fts5", "vector"])[-2:] == [
        "In no share of fts5: 1 failed.",
        "In no share of vector: none.",
    ]


def test_a_run_whose_set_marks_nothing_has_no_table() -> None:
    plain = run_report("plain", {"RR": [1.0, 0.5]})
    assert abstention_lines(plain, width=80) == []
    assert "bstention" not in render_run(plain) + render_markdown([plain])
    beside = render_markdown([plain, FTS5])
    assert "| Recall | — | 50.0% (2 of 4; 15.0–85.0%) |" in beside


@pytest.mark.parametrize(
    ("floor", "text"), [(None, "none"), (0.5, "0.5"), (12.0, "12"), (0.1 + 0.2, "0.3"), (-1.25, "-1.25")]
)
def test_floors_are_written_short(floor: float | None, text: str) -> None:
    assert floor_text(floor) == text


def scored(run: RunReport, best: dict[str, float]) -> RunReport:
    """The run, with one result a query of these scores; the others have none."""
    queries = [
        msgspec.structs.replace(query, results=results((f"{query.id}.md", None)) if query.id in best else [])
        for query in run.queries
    ]
    for place, query in enumerate(queries):
        if query.id in best:
            (result,) = query.results
            own = msgspec.structs.replace(result, score=best[query.id])
            queries[place] = msgspec.structs.replace(query, results=[own])
    return msgspec.structs.replace(run, queries=queries)


WRONG = scored(
    abstaining_run("fts5", answerable=[True, False, True, True], unanswerable=[False, True, False, None]),
    {"q0": 0.125, "q1": 0.9, "q3": -1.5, "q4": 0.3, "q5": 0.1, "q6": 1.23456},
)


def test_the_queries_on_which_the_floor_is_wrong_are_named_the_farthest_from_it_first() -> None:
    answered, abstained = abstention_error_blocks(WRONG, worst=10)
    assert answered == [
        "Answered though nothing does: 2 of 3",
        "   1. text 6  (q6)",
        "      1.235 for q6.md",
        "   2. text 4  (q4)",
        "      0.3 for q4.md",
    ]
    assert abstained == [
        "Abstained though there is an answer: 3 of 4",
        "   1. text 2  (q2)",
        "      nothing was returned",
        "   2. text 3  (q3)",
        "      -1.5 for q3.md; no hits in top 10",
        "   3. text 0  (q0)",
        "      0.125 for q0.md; no hits in top 10",
    ]
    assert all("\n".join(block) in render_run(WRONG) for block in (answered, abstained))


def test_so_many_are_named_as_are_asked_for_and_none_without_a_floor() -> None:
    assert [len(block) for block in abstention_error_blocks(WRONG, worst=1)] == [3, 3]
    assert abstention_error_blocks(WRONG, worst=0) == []
    assert abstention_error_blocks(HYBRID, worst=10) == []
    assert abstention_error_blocks(run_report("plain", {"RR": [1.0]}), worst=10) == []
    right = abstaining_run("fts5", answerable=[False], unanswerable=[True])
    assert abstention_error_blocks(right, worst=10) == []


def test_a_set_of_nothing_but_unanswerable_queries_says_that_precision_tells_nothing() -> None:
    runs = [
        abstaining_run(method, answerable=[], unanswerable=[True, False]) for method in ("fts5", "hybrid")
    ]
    told = "No query here has an answer, so that precision tells nothing."
    assert told in abstention_notes(runs, ["fts5", "hybrid"])
    assert told not in abstention_notes([FTS5], ["fts5"])
    text = render_methods(runs)
    assert told in text
    assert "Differences" not in text


def test_on_a_narrow_screen_sentences_stand_under_the_name_of_the_table() -> None:
    lines = abstention_lines(FTS5, width=40)
    assert lines[:3] == [
        "Abstention",
        "Precision: Share 66.7%, 95% interval",
        "  20.8–93.9%, Queries 2 of 3",
    ]
    assert max(map(len, lines)) <= 40
