"""Gates over runs of evals: which figure of the run a rule is about."""

import pytest

from fakes.evals_runs import case_report, eval_summary, evals_run
from fakes.gates import gate_of, rule, run_of
from rankle.core.errors import MeasureError
from rankle.core.gate import RuleVerdict, Verdict
from rankle.core.run import RunReport
from rankle.gates.baselines import baseline_of
from rankle.gates.choosing import Asked, with_asked
from rankle.gates.fitting import fitted
from rankle.gates.judge import judge
from rankle.gates.rules import Gate
from rankle.reports.evals_as_run import evals_as_runs


def eval_run(*scorers: str, value: float = 0.75) -> RunReport:
    cases = [case_report(place, dict.fromkeys(scorers, value)) for place in range(8)]
    return evals_as_runs(evals_run((eval_summary("Search", cases), cases)))[0]


@pytest.mark.parametrize(
    ("scorers", "written", "about"),
    [
        (("exact",), "exact", "exact"),
        (("R@5",), "recall@5", "R@5"),
        (("recall@5",), "recall@5", "recall@5"),
        (("recall@5", "R@5"), "recall@5", "recall@5"),
        (("recall", "map"), "map", "map"),
    ],
)
def test_a_rule_is_about_the_scorer_of_its_name_and_else_about_the_measure_that_it_spells(
    scorers: tuple[str, ...], written: str, about: str
) -> None:
    run = eval_run(*scorers)
    found = rule_of(run, f'[gates.floors]\n"{written}" = 0.7')
    assert (found.measure, found.verdict, found.value) == (about, Verdict.PASSED, 0.75)


def rule_of(run: RunReport, text: str) -> RuleVerdict:
    _, only = judge(run, gate_of(text)).rules  # the first is that of failed cases
    return only


def test_a_floor_breaks_on_a_scorer_as_on_a_measure() -> None:
    found = rule_of(eval_run("exact"), '[gates.floors]\n"exact" = 0.8')
    assert (found.verdict, found.limit) == (Verdict.BROKEN, 0.8)


@pytest.mark.parametrize("table", ["floors", "no_regression"])
def test_over_a_run_of_search_a_name_that_is_no_measure_is_an_error_with_its_place(table: str) -> None:
    with pytest.raises(MeasureError, match=f'rankle.toml: gates.{table}: unknown measure "exact"'):
        rule(run_of({"nDCG@10": [0.5] * 8}), f'[gates.{table}]\n"exact" = 0.7')


def test_a_baseline_without_rules_holds_every_scorer_of_an_eval() -> None:
    gate = with_asked(Gate("rankle"), Asked(baseline="main"))
    held = [str(one.measure) for one in fitted(gate, eval_run("exact", "Levenshtein")).no_regression]
    assert held == ["exact", "Levenshtein"]
    assert [str(one.measure) for one in fitted(gate, eval_run("exact", "nDCG@10")).no_regression] == [
        "nDCG@10"
    ]


def test_runs_of_one_eval_are_held_against_each_other_by_their_cases() -> None:
    gate = with_asked(Gate("rankle"), Asked(baseline="main"))
    before = baseline_of(eval_run("exact", value=0.9), name="main")
    report = judge(eval_run("exact", value=0.5), gate, baseline=before)
    assert [(one.kind, one.verdict) for one in report.rules] == [
        ("failures", Verdict.PASSED),
        ("no regression", Verdict.BROKEN),
    ]
    assert "−0.400 over 8 cases" in report.rules[1].why


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[gates]\nmax_unjudged = "30 %"', "keeps outputs, and no ranked results"),
        (
            '[[gates.slices]]\ntag = "evn"\nfloors = { exact = 0.1 }',
            "no case has the tag evn; did you mean even",
        ),
        ("[gates]\nmin_queries = 9\nfloors = { exact = 0.1 }", "8 scored cases; min_queries asks for 9"),
    ],
    ids=["unjudged", "slice", "too few"],
)
def test_what_could_not_be_measured_is_told_of_cases(text: str, words: str) -> None:
    found = rule_of(eval_run("exact"), text)
    assert found.verdict is Verdict.COULD_NOT_MEASURE
    assert words in found.why
