"""A run of evals as one HTML file that opens from disk: no network, escaped everywhere, its own script."""

from typing import Any, Final

from rankle.core.evals import EvalsRun, EvalSummary, ScorerSummary
from rankle.core.gate import GatesReport
from rankle.reports.charts import interval_bar
from rankle.reports.evals_failures import failure_groups, n_failed_in
from rankle.reports.evals_page_data import PageData, evals_page_data
from rankle.reports.evals_words import (
    cases_words,
    change_text,
    change_words,
    counted,
    denominator_words,
    end_words,
    error_words,
    eval_place,
    eval_title,
    figure,
    flaky_words,
    interval,
    label_words,
    latency_words,
    overview_verdict,
    said_words,
    scorer_title,
    significant,
    threshold_words,
    usage_words,
)
from rankle.reports.gate import judged_name, unjudged_words
from rankle.reports.html import gate_sections
from rankle.reports.html_page import render_page
from rankle.reports.page_data import embedded
from rankle.reports.signed import probability
from rankle.reports.table import ABSENT, percent

_FAILURES: Final = 20
_NAMED: Final = 3
"""Evals that the page is called by; more are counted."""


def render_evals_html(run: EvalsRun, gates: GatesReport | None = None) -> str:
    """The whole run; outputs and other long texts are cut, and the page says where. gates: what they were
    judged to."""
    data = evals_page_data(run)
    judged = [] if gates is None else gates.gates
    summary = run.summary
    return render_page(
        "evals",
        styles=("report", "evals"),
        data=embedded({"evals": data.evals}),
        title=_title(run),
        summary=summary,
        verdict=end_words(summary, gates),
        exit_code=max(summary.exit_code, 0 if gates is None else gates.exit_code),
        gates=gate_sections(judged, [judged_name(one.run) for one in judged]),
        unjudged=[] if gates is None else unjudged_words(gates),
        broken=_broken(run),
        evals=[_eval(one) for one in run.evals],
        cut=_cut(data),
    )


def _title(run: EvalsRun) -> str:
    names = [eval_title(one) for one in run.evals]
    return ", ".join(names) if 0 < len(names) <= _NAMED else counted(len(names), "eval")


def _broken(run: EvalsRun) -> list[tuple[str, str, str | None]]:
    """What could not be loaded or run: where, why and the frames."""
    files = [(f"{one.file} could not be loaded", one.error) for one in run.summary.broken_files]
    evals = [(f"{eval_title(one)} could not be run", one.error) for one in run.evals if one.error is not None]
    return [(name, error_words(error), error.traceback) for name, error in (*files, *evals)]


def _cut(data: PageData) -> list[str]:
    """What is not in the page, and where it is."""
    whole = "JSON (rankle export RUN --format json) has all."
    lines = []
    if data.n_cut:
        lines.append(
            f"To keep this file small, {data.n_cut:,} texts are cut at {data.cut_at:,} characters; {whole}"
        )
    if data.n_left_out:
        lines.append(
            f"The last {data.n_left_out:,} cases are left out of this list, not of any figure; {whole}"
        )
    return lines


def _eval(one: EvalSummary) -> dict[str, Any]:
    groups = failure_groups(one)[:_FAILURES]
    return {
        "key": one.key,
        "title": eval_title(one),
        "is_broken": one.error is not None,
        "score": one.score,
        "score_shown": figure(one.score),
        "threshold": overview_verdict(one),
        "threshold_class": "" if one.passed is None else "reached" if one.passed else "missed",
        "threshold_words": threshold_words(one),
        "n_cases": one.n_cases,
        "n_failed": one.n_failed,
        "trials": one.trials,
        "has_change": any(scorer.change is not None for scorer in one.scorers),
        "about": [text for text in (eval_place(one), one.description, cases_words(one)) if text],
        "notices": one.notices,
        "scorers": [_scorer(scorer, significant(one.scorers)) for scorer in one.scorers],
        "lines": _lines(one),
        "failures": [
            {
                "cases": [(case.id, case.position + 1) for case in group.named],
                "n_cases": len(group.cases),
                "n_more": group.n_more,
                "words": group.words,
                "traceback": group.traceback,
            }
            for group in groups
        ],
        "n_more_failures": one.n_failed - n_failed_in(groups),
    }


def _lines(one: EvalSummary) -> list[str]:
    lines = [words for scorer in one.scorers if (words := label_words(scorer))]
    lines += [f"Whole run, {said.name}: {said_words(said)}" for said in one.run_scores]
    lines += [change_words(one), flaky_words(one), latency_words(one), usage_words(one.usage)]
    return [line for line in lines if line]


def _scorer(one: ScorerSummary, real: dict[str, bool]) -> dict[str, Any]:
    change = one.change
    better = real.get(one.name)
    return {
        "name": one.name,
        "title": scorer_title(one.name),
        "description": one.description,
        "mean": one.mean,
        "shown": figure(one.mean),
        "interval": interval(one.low, one.high),
        "n_scored": one.n_scored,
        "left_out": _left_out(one),
        "change": None if change is None else change.difference,
        "change_shown": change_text(one),
        "change_class": "" if better is None else "reached" if better else "missed",
        "p": ABSENT if change is None else probability(change.p_value),
        "trials": _trials(one),
        "bar": interval_bar(one.mean, one.low, one.high),
    }


def _left_out(one: ScorerSummary) -> str:
    """What is in no mean, and why: `3 undefined (no relevant judgment)`."""
    return denominator_words(one).removeprefix(f"{one.n_scored:,} scored").removeprefix(", ")


def _trials(one: ScorerSummary) -> list[dict[str, Any]]:
    """pass@k, pass^k, spread and the share of noise."""
    spread = one.trials
    if spread is None:
        return [{"value": None, "shown": ABSENT}] * 4
    shares = (spread.pass_at_k, spread.pass_all_k, spread.share)
    first, second, noise = ({"value": x, "shown": ABSENT if x is None else percent(x)} for x in shares)
    return [first, second, {"value": spread.sd, "shown": figure(spread.sd)}, noise]
