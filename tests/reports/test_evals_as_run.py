"""Evals as measured runs."""

import msgspec
import pytest

from fakes.evals_runs import TIMED_OUT, case_report, eval_summary, evals_run, plain_run, rich_run
from rankle.core.run import RunReport
from rankle.reports.evals_as_run import eval_names_of, evals_as_runs, input_text


def test_figures_are_those_of_the_eval() -> None:
    run = rich_run()
    reports = evals_as_runs(run)
    assert [report.id for report in reports] == ["id-Vector search", "id-Answers"]  # one could not be run
    for one, report in zip(run.evals, reports, strict=False):
        assert {
            scorer.name: (scorer.mean, scorer.low, scorer.high, scorer.n_scored, scorer.n_failed)
            for scorer in one.scorers
        } == {
            name: (measure.mean, measure.low, measure.high, measure.n_scored, measure.n_failed)
            for name, measure in report.measures.items()
        }
        assert report.latency_ms == one.latency_ms


def test_a_case_is_a_query_with_its_scores_its_tags_and_what_it_took() -> None:
    (report,) = evals_as_runs(plain_run())
    query = report.queries[2]
    assert (query.id, query.query, query.status) == ("case-000000000002", "question 2", "scored")
    assert (query.scores, query.took_ms) == ({"R@5": 0.25, "exact": 0.0}, 30.0)
    assert (query.tags, query.language, query.error) == (["even"], "en", None)


def test_what_a_case_took_is_the_mean_of_its_trials_and_its_error_the_first() -> None:
    cases = [case_report(0, {}, trials=3, error=TIMED_OUT)]
    (report,) = evals_as_runs(evals_run((eval_summary("Slow", cases, trials=3), cases)))
    (query,) = report.queries
    assert (query.status, query.took_ms) == ("failed", 11.0)
    assert query.error == "TimeoutError: took longer than 30 s"


def test_it_is_a_whole_run_of_the_published_type() -> None:
    reports = list(evals_as_runs(rich_run()))
    assert len(reports) == 2
    assert [msgspec.json.decode(msgspec.json.encode(one), type=RunReport) for one in reports] == reports


def test_the_cuts_are_those_of_scorers_that_are_measures() -> None:
    assert [report.k for report in evals_as_runs(rich_run())] == [[5], [1]]


def test_an_eval_is_named_with_and_without_its_file_and_its_variant() -> None:
    names = [eval_names_of(report) for report in evals_as_runs(rich_run())]
    assert names == [
        ("evals/search_eval.py::Vector search", "Vector search"),
        (
            "evals/search_eval.py::Answers[short]",
            "Answers[short]",
            "evals/search_eval.py::Answers",
            "Answers",
        ),
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("two\nlines", "two lines"),
        ({"k": 3, "query": "how?"}, "how?"),
        ({"question": "why?"}, "why?"),
        ({"query": " ", "b": 1, "a": [1, "ä"]}, '{"a": [1, "ä"], "b": 1, "query": " "}'),
        (3, "3"),
        (None, "null"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_an_input_is_told_in_a_short_line(value: object, text: str) -> None:
    assert input_text(value) == text


def test_a_huge_input_is_told_by_its_beginning() -> None:
    assert input_text("🎉" * 10_000_000) == "🎉" * 99 + "…"
    assert input_text(" " * 10_000_000 + "late") == "late"
