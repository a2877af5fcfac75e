"""Runs of evals at a terminal."""

from collections.abc import Collection
from dataclasses import replace

import msgspec
import pytest
from rich.cells import cell_len

from fakes.evals_runs import case_report, eval_summary, evals_run, plain_run, rich_run, scorer_summary
from rankle.core.evals import Change, EvalsRun, FailedCase, Previous
from rankle.core.run import Latency
from rankle.core.trials import CaseReport, ErrorReport, ScoreReport
from rankle.reports.evals_terminal import evals_text
from rankle.reports.evals_worst import worst_cases

RICH = r"""Eval: Vector search (evals/search_eval.py:12)
  What people ask of the guides.
8 cases of evals/queries.json, 3 trials each; 2 skipped; 1 failed; 3 trials of
  24 from the cache

Scorer      mean    95% interval  scored  change   p
─────────────────────────────────────────────────────────
Recall@5    0.690   0.372–0.893   7       +0.190   0.0156
exact       0.429   0.158–0.750   7       0.000    1.0000

  Recall@5: about R@5
  exact: about exact

  Cases: 7 scored, 1 failed
Whole run, coverage: 0.800
Score 0.560, threshold 70 %: MISSED
Changes are against run fedcba98 of 2026-11-29 08:30 UTC, over the cases that
  both scored. More than chance (Holm p at most 0.05): Recall@5 (better).
Latency: p50 12.5 ms, p95 80.2 ms (without those from the cache)
Models: 24 calls (3 from the cache), 1,200 tokens in, 300 out, $0.0125

Trials      spread  of noise  pass@3  pass^3
────────────────────────────────────────────
Recall@5    0.125   25.0%     87.5%   50.0%
exact       0.125   25.0%     87.5%   50.0%
spread: standard deviation of trials about their case; of noise: its share of
  the mean's squared error; pass@3: some trial of a case passes; pass^3: all do
1 of 8 cases is flaky: some of the trials pass and others do not.

Failed cases: 1
  case-000000000007 (number 8), in the task, trial 3: TimeoutError: took longer
      than 30 s
      File "evals/search_eval.py", line 14, in vector_search
      hits = await kb.asearch(query)

Worst cases (5)
     score   Query       Top 3
  1. 0.125*  question 2  ["a.md", "</script><b>bold</b> & \"quoted\" 'text'"]
  2. 0.167   question 4  ["a.md", "</script><b>bold</b> & \"quoted\" 'text'"]
  3. 0.250~  question 1  ["a.md", "</script><b>bold</b> & \"quoted\" 'text'"]
  4. 0.500   question 5  ["a.md", "</script><b>bold</b> & \"quoted\" 'text'"]
  5. 0.875   question 6  ["a.md", "</script><b>bold</b> & \"quoted\" 'text'"]
* answered by the cache; ~ some trials pass, others do not

Eval: Answers [short] (evals/search_eval.py:12)
7 cases of evals/queries.json

Scorer      mean    95% interval  scored
────────────────────────────────────────
exact       0.429   0.158–0.750   7

  exact: about exact

Score 0.429, threshold 40 %: reached
Latency: p50 12.5 ms, p95 80.2 ms

Worst cases (4)
     score   Input       Output    Expected
  1. 0.000   question 1  answer 1  answer
  2. 0.000   question 2  answer 2  answer
  3. 0.000   question 4  answer 4  answer
  4. 0.000   question 5  answer 5  answer

Eval: Lost (evals/search_eval.py:12)
Not run: InputError: no such file: lost.json

Not loaded: evals/bad_eval.py: NameError: name 'kb' is not defined
    File "evals/bad_eval.py", line 3

Eval             score  threshold      cases  failed
────────────────────────────────────────────────────
Vector search    0.560  70 % MISSED    8      1
Answers [short]  0.429  40 % reached   7      0
Lost             —      not run        —      —

--output FILE saves every case in full.

Verdict: 1 case failed (0 are allowed), 1 file was not loaded. Exit code 2.
"""


def test_a_newcomer_reads_what_was_measured_what_failed_and_how_it_ended() -> None:
    assert evals_text(rich_run()) == RICH


def test_quiet_is_a_line_an_eval_and_the_verdict() -> None:
    assert evals_text(plain_run(), quiet=True).splitlines() == [
        "Eval           score  threshold      cases  failed",
        "──────────────────────────────────────────────────",
        "Vector search  0.560  none           7      0",
        "",
        "Verdict: everything was measured. Exit code 0.",
    ]


@pytest.mark.parametrize("width", [40, 57, 80, 120])
@pytest.mark.parametrize("run", [plain_run(), rich_run()], ids=["plain", "rich"])
def test_no_line_is_wider_than_the_screen(run: EvalsRun, width: int) -> None:
    assert max(map(cell_len, evals_text(run, width=width).splitlines())) <= width


def test_text_from_elsewhere_moves_no_cursor_and_begins_no_line() -> None:
    cases = [case_report(0, {"ex\x1b[31mact": 0.5}, given="a\nVerdict: fine\x1b[2J", output="\u202ex")]
    one = eval_summary("Name\nVerdict: fine", cases, notices=["a\x07b"], description="d\nVerdict: fine")
    text = evals_text(evals_run((one, cases)))
    assert not any(char in text for char in "\x1b\x07\u202e")
    assert [line for line in text.splitlines() if line.startswith("Verdict: ")] == [
        "Verdict: everything was measured. Exit code 0."
    ]


def test_the_worst_cases_are_those_with_the_lowest_scores_and_equal_ones_keep_their_order() -> None:
    scores = [0.5, 0.1, 1.0, 0.5, 0.1, 0.9]
    cases = [case_report(place, {"exact": score}) for place, score in enumerate(scores)]
    one = eval_summary("Search", cases)
    run = evals_run((one, cases))
    found = worst_cases(run, one, n=3)
    assert [(case.position, case.score) for case in found.cases] == [(1, 0.1), (4, 0.1), (0, 0.5)]
    assert found.n_below == 5
    assert worst_cases(run, one, n=0).cases == ()
    without = [case_report(0, {})]
    assert worst_cases(evals_run((one, without)), one, n=3).n_below == 0


def test_the_worst_cases_alone_are_read_where_they_can_be() -> None:
    scores = [0.5, 0.1, 1.0, 0.5, 0.1, 0.9]
    cases = [case_report(place, {"exact": score}) for place, score in enumerate(scores)]
    one = eval_summary("Search", cases)
    read: list[int] = []

    class ByPlace:
        def scores(self, eval_id: str) -> dict[int, float | None]:
            return dict(enumerate(scores))

        def read(self, eval_id: str, places: Collection[int]) -> list[CaseReport]:
            read.extend(sorted(places))
            return [cases[place] for place in sorted(places)]

    whole = evals_run((one, cases))
    by_place = replace(whole, by_place=ByPlace())
    assert worst_cases(by_place, one, n=3) == worst_cases(whole, one, n=3)
    assert read == [0, 1, 4]


def test_a_huge_output_is_cut_to_its_cell() -> None:
    cases = [case_report(0, {"exact": 0.0}, output="🎉" * 5_000_000)]
    lines = evals_text(evals_run((eval_summary("Big", cases), cases))).splitlines()
    (row,) = [line for line in lines if "🎉" in line]
    assert cell_len(row) <= 80
    assert "…" in row


def test_columns_without_room_are_named() -> None:
    columns = {f"column number {place}": "x" * 30 for place in range(9)}
    cases = [case_report(0, {"exact": 0.0}, columns=columns)]
    text = evals_text(evals_run((eval_summary("Wide", cases), cases)))
    assert "No room for: column number 6, column number 7, column number 8; --output" in text


def test_a_score_just_below_its_threshold_does_not_look_as_if_it_reached_it() -> None:
    cases = [case_report(0, {"exact": 0.69996})]
    one = eval_summary("Near", cases, threshold=70.0, passed=False)
    assert "Score 0.69996, threshold 70 %: MISSED" in evals_text(evals_run((one, cases)))


def test_a_scorer_that_only_gives_labels_has_no_change_and_no_row_among_the_trials() -> None:
    cases = [case_report(0, {"exact": 0.5}, trials=2)]
    label = msgspec.structs.replace(scorer_summary("tone", cases, trials=2), labels={"polite": 2})
    previous = Previous(id="0" * 12, created="2026-11-29T08:30:00Z")
    change = Change(n=1, before=0.5, now=0.5, difference=0.0, low=None, high=None, p_value=1.0)
    scorers = [scorer_summary("exact", cases, trials=2, change=change), label]
    one = eval_summary("Labels", cases, trials=2, scorers=scorers, previous=previous)
    lines = evals_text(evals_run((one, cases))).splitlines()
    assert [line.split() for line in lines if line.startswith("tone ")] == [["tone", "—", "—", "0", "—", "—"]]
    assert "  tone: polite 2" in lines


def test_cases_that_failed_alike_are_told_together_and_the_commonest_failure_first() -> None:
    cases = [case_report(place, {}) for place in range(6)]
    errors = [
        ErrorReport(type="E", message=said)
        for said in ("took longer", *[f"no <key at 0x7f{n}>" for n in range(5)])
    ]
    failures = [
        FailedCase(id=case.id, position=case.position, trial=0, where="task", error=error)
        for case, error in zip(cases, errors, strict=True)
    ]
    text = evals_text(evals_run((eval_summary("Failing", cases, failures=failures, n_failed=6), cases)))
    assert (
        """Failed cases: 6
  5 cases, in the task: E: no <key at 0x7f0>
      case-000000000001 (number 2), case-000000000002 (number 3),
      case-000000000003 (number 4) and 2 more
  case-000000000000 (number 1), in the task: E: took longer
"""
        in text
    )


def test_why_scorers_do_not_apply_is_told_once_for_those_of_the_same_cases() -> None:
    cases = [case_report(place, {"R@5": 1.0, "RR": 1.0, "tone": 0.5}) for place in range(3)]
    scorers = [
        msgspec.structs.replace(scorer_summary(name, cases), n_scored=2, n_undefined=1, reasons=reasons)
        for name, reasons in (
            ("R@5", {"no relevant judgment": 1}),
            ("RR", {"no relevant judgment": 1}),
            ("tone", {"no answer": 3, "no words": 2, "too long": 1}),
        )
    ]
    lines = evals_text(evals_run((eval_summary("Reasons", cases, scorers=scorers), cases))).splitlines()
    assert "  Recall@5, MRR: 2 scored, 1 undefined (no relevant judgment)" in lines
    assert "  tone: 2 scored, 1 undefined (most often: no answer 3)" in lines


def test_cases_that_a_stopped_run_did_not_reach_are_not_said_to_be_left_out() -> None:
    cases = [case_report(0, {"exact": 1.0})]
    one = eval_summary("Stopped", cases, n_in_data=5)
    assert "1 case of evals/queries.json; 4 left out on the command line" in evals_text(
        evals_run((one, cases))
    )
    stopped = msgspec.structs.replace(one, is_complete=False)
    assert "json; 4 not run" in evals_text(evals_run((stopped, cases)))


def test_every_bad_line_of_the_data_has_a_line_of_its_own() -> None:
    words = "\n".join(f"rows.jsonl:{line}: has no input" for line in range(1, 31))
    one = eval_summary("Bad", [], error=ErrorReport(type="BadLinesError", message=words))
    lines = evals_text(evals_run((one, []))).splitlines()
    assert lines[1:4] == [
        "Not run: BadLinesError: rows.jsonl:1: has no input",
        "  rows.jsonl:2: has no input",
        "  rows.jsonl:3: has no input",
    ]
    assert lines[20:22] == ["  rows.jsonl:20: has no input", "  … and 10 lines more"]


@pytest.mark.parametrize(
    ("took_ms", "words"), [(0.0, "0.0 ms"), (0.00734, "0.0073 ms"), (0.1, "0.1 ms"), (1234.56, "1,234.6 ms")]
)
def test_times_of_quick_tasks_are_not_rounded_to_nothing(took_ms: float, words: str) -> None:
    cases = [case_report(0, {"exact": 1.0})]
    one = eval_summary("Quick", cases, latency_ms=Latency(p50=took_ms, p95=took_ms))
    assert f"Latency: p50 {words}, p95 {words}\n" in evals_text(evals_run((one, cases)))


def test_what_a_scorer_of_the_whole_run_said_is_told_also_where_it_failed() -> None:
    said = [
        ScoreReport(name="label", label="fine"),
        ScoreReport(name="none", reason="no case with tables"),
        ScoreReport(name="broken", error=rich_run().evals[2].error),
    ]
    text = evals_text(evals_run((eval_summary("Whole", [], run_scores=said), [])))
    assert "Whole run, label: fine" in text
    assert "Whole run, none: — (no case with tables)" in text
    assert "Whole run, broken: failed, InputError: no such file: lost.json" in text
