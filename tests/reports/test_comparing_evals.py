"""Runs of evals held against each other, by the same comparison as runs of sets."""

from collections.abc import Sequence

import msgspec
import pytest

from fakes.evals_runs import case_report, eval_summary, evals_run
from rankle.core.errors import CannotMeasureError, UnknownNameError
from rankle.core.run import MeasureSummary, RunReport
from rankle.reports.comparing import Request, compare_runs
from rankle.reports.comparison_text import render_comparison
from rankle.reports.evals_as_run import evals_as_runs

BEFORE = (1.0, 0.0, 0.5, 1.0, 0.0, 0.25, 1.0, 0.0)
AFTER = (1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0)


def eval_run(
    name: str, scores: Sequence[float], *, source: str = "1", skip: int = 0, **given: str
) -> RunReport:
    """A run of an eval with these scores of a scorer called `exact` and of `Hit@3`."""
    cases = [
        case_report(place, {"exact": score, "Hit@3": 1.0})
        for place, score in enumerate(scores)
        if place >= skip
    ]
    one = eval_summary(
        "Answers", cases, id=name, task_fingerprint=source * 64, data_fingerprint=str(skip) * 64, **given
    )
    return evals_as_runs(evals_run((one, cases)))[0]


def compared(*runs: RunReport, **request: object) -> str:
    names = [f"latest~{place}" for place in range(len(runs), 0, -1)]
    return render_comparison(compare_runs(runs, names, Request(**request)), worst=1)  # type: ignore[arg-type]


WHOLE = """\
Comparison: evals/search_eval.py::Answers (8 cases)
level: case, test: randomisation, p by Holm
A = latest~2: task, 2026-11-30T09:00:00Z, a
B = latest~1: task, 2026-11-30T09:00:00Z, b
Changed: the source of the task, or what it depends on

exact: no difference shown; one of 0.689 would have shown 4 times in 5.
Hit Rate@3: no difference shown; all 8 cases score the same.

Measure       A      B      B − A   95% interval      p       Holm p
────────────────────────────────────────────────────────────────────
exact         0.469  0.938  +0.469  0.000 to +1.000   0.1250  0.2500
Hit Rate@3    1.000  1.000  0.000   0.000 to 0.000    1.0000  1.0000

Measure       won/tied/lost   cases     effect size   would show
────────────────────────────────────────────────────────────────
exact         4/4/0           8         +0.923        0.689
Hit Rate@3    0/8/0           8         —             —
effect size: the difference in standard deviations of the differences
would show: the true difference that such cases find 4 times in 5, 2 tests
  counted in

Gained most from A to B, by exact (1 of 4)
     A      B      change  case
  1. 0.000  1.000  +1.000  case-000000000001 question 1

Slices from A to B, by exact, worst first
Slice               n     A      B      change  95% interval      Holm p
────────────────────────────────────────────────────────────────────────
language en         4     0.625  0.875  +0.250  —                 1.0000
tag even            4     0.625  0.875  +0.250  —                 1.0000
language de         4     0.312  1.000  +0.688  —                 0.7500

--measures exact tests that alone, so that p is adjusted for less; --json has
every case and slice.
"""


def test_a_comparison_speaks_of_cases_and_their_scorers() -> None:
    text = compared(eval_run("a", BEFORE), eval_run("b", AFTER, source="2"))
    assert text == WHOLE


def test_cases_are_paired_by_their_ids_wherever_they_stand_in_the_data() -> None:
    found = compare_runs([eval_run("a", BEFORE), _turned(eval_run("b", AFTER))], ["a", "b"], Request())
    assert not found.forced
    (exact, _) = found.pairs[0].measures
    assert (exact.wins, exact.ties, exact.losses) == (4, 4, 0)


def test_other_data_is_refused_and_forced_over_the_cases_in_common() -> None:
    runs = eval_run("a", BEFORE), eval_run("b", AFTER, skip=2)
    with pytest.raises(CannotMeasureError) as raised:
        compare_runs(runs, ["a", "b"], Request())
    assert "cases differ: fingerprint A" in str(raised.value)
    assert "(6 in common, of 8 and 6)" in str(raised.value)
    assert "--force compares the cases that they have in common" in str(raised.value)
    assert compare_runs(runs, ["a", "b"], Request(force=True)).n_queries == 6


@pytest.mark.parametrize(("asked", "name"), [("exact", "exact"), ("hit_rate@3", "Hit@3"), ("Hit@3", "Hit@3")])
def test_a_scorer_is_named_as_it_is_called_and_a_measure_in_any_spelling(asked: str, name: str) -> None:
    found = compare_runs(
        [eval_run("a", BEFORE), eval_run("b", AFTER)], ["a", "b"], Request(measures=(asked,))
    )
    assert [one.measure for one in found.pairs[0].measures] == [name]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("exakt", 'unknown scorer of run A "exakt"; did you mean "exact"? It has exact, Hit@3.'),
        ("nDCG@10", 'unknown scorer of run A "nDCG@10". It has exact, Hit@3.'),
    ],
)
def test_a_scorer_that_is_not_there_is_told_with_those_that_are(asked: str, words: str) -> None:
    with pytest.raises(UnknownNameError) as raised:
        compare_runs([eval_run("a", BEFORE), eval_run("b", AFTER)], ["a", "b"], Request(measures=(asked,)))
    assert str(raised.value) == words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("1", "nothing that is known: the source of the task is the same"),
        ("2", "the source of the task, or what it depends on"),
    ],
)
def test_what_changed_is_the_source_of_the_task(source: str, words: str) -> None:
    found = compare_runs([eval_run("a", BEFORE), eval_run("b", AFTER, source=source)], ["a", "b"], Request())
    assert found.pairs[0].changed == [words]


def test_variants_of_one_eval_are_compared_under_its_name() -> None:
    runs = eval_run("a", BEFORE, variant="short"), eval_run("b", AFTER, variant="long", source="2")
    lines = compared(*runs).splitlines()
    assert lines[0] == "Comparison: evals/search_eval.py::Answers (8 cases)"
    assert "Changed: variant short → long" in lines


def test_other_evals_over_the_same_cases_are_compared_under_both_names() -> None:
    runs = eval_run("a", BEFORE), eval_run("b", AFTER, file="evals/other_eval.py")
    text = " ".join(compared(*runs).split())
    assert text.startswith(
        "Comparison: evals/search_eval.py::Answers, evals/other_eval.py::Answers (8 cases)"
    )
    assert "Changed: eval evals/search_eval.py::Answers → evals/other_eval.py::Answers" in text


def test_scores_that_are_all_the_same_are_told_of_cases() -> None:
    text = compared(eval_run("a", BEFORE), eval_run("b", BEFORE, source="2"))
    assert "all 8 cases score the same" in text


def test_scorers_that_gave_no_figure_are_not_compared_unless_they_are_named() -> None:
    runs = [_with_labels(eval_run(name, scores)) for name, scores in (("a", BEFORE), ("b", AFTER))]
    found = compare_runs(runs, ["a", "b"], Request())
    assert [one.measure for one in found.verdicts] == ["exact", "Hit@3"]


def _with_labels(run: RunReport) -> RunReport:
    nothing = MeasureSummary(
        mean=None, low=None, high=None, n_scored=0, n_undefined=len(run.queries), n_failed=0, n_missing=0
    )
    return msgspec.structs.replace(run, measures={**run.measures, "tone": nothing})


def _turned(run: RunReport) -> RunReport:
    return msgspec.structs.replace(run, queries=run.queries[::-1])
