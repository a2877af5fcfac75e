"""A run of evals as Markdown, for pull requests and job summaries: verdict first, long lists cut."""

from typing import Final

from rankle.core.evals import BrokenFile, EvalsRun, EvalSummary, ScorerSummary
from rankle.core.gate import GatesReport
from rankle.core.product import NAME
from rankle.core.trials import ErrorReport
from rankle.reports.evals_failures import failure_groups, n_failed_in
from rankle.reports.evals_words import (
    cases_words,
    change_text,
    change_words,
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
    threshold_words,
    usage_words,
)
from rankle.reports.evals_worst import WorstCases, mark_words, marks_of, worst_cases
from rankle.reports.gate_markdown import render_gates_markdown
from rankle.reports.markdown import escaped, escaped_whole, table
from rankle.reports.signed import probability
from rankle.reports.table import ABSENT, percent

_LISTED: Final = 10
_WORST: Final = 5
_BREAK: Final = "\\\n"


def render_evals_markdown(run: EvalsRun, gates: GatesReport | None = None) -> str:
    """The whole run and the verdict of its gates, ending in a line break. Text from elsewhere is escaped."""
    summary = run.summary
    blocks = [
        f"## Evals: {escaped_whole(end_words(summary, gates))}",
        _overview(run),
        *(_broken(one) for one in summary.broken_files),
    ]
    for one in run.evals:
        blocks += _eval(run, one)
    about = f"Run `{summary.id}`, {escaped(summary.created)}, {NAME} {escaped(summary.rankle_version)}"
    text = "\n\n".join(block for block in [*blocks, about] if block) + "\n"
    return text if gates is None else f"{text}\n{render_gates_markdown(gates)}"


def _overview(run: EvalsRun) -> str:
    rows = [
        [
            escaped(eval_title(one)), figure(one.score), overview_verdict(one),
            *(f"{n:,}" if one.error is None else ABSENT for n in (one.n_cases, one.n_failed)),
        ]
        for one in run.evals
    ]  # fmt: skip
    return table(["Eval", "Score", "Threshold", "Cases", "Failed"], rows) if len(rows) > 1 else ""


def _eval(run: EvalsRun, one: EvalSummary) -> list[str]:
    place = eval_place(one)
    head = f"### {escaped(eval_title(one))}"
    about = [escaped_whole(text) for text in (place, one.description) if text]
    if one.error is not None:
        return [head, _BREAK.join(about), f"**Not run:** {_error(one.error)}"]
    found = worst_cases(run, one, n=_WORST)
    notes = [f"**Note:** {escaped_whole(notice)}" for notice in one.notices]
    words = [threshold_words(one), change_words(one), latency_words(one), usage_words(one.usage)]
    return [
        head,
        _BREAK.join([*about, escaped(cases_words(one))]),
        _BREAK.join(notes),
        _scorers(one),
        _BREAK.join([*_rests_on(one), *(escaped_whole(text) for text in words if text)]),
        _trials(one),
        _failures(one),
        _worst(found),
    ]


def _scorers(one: EvalSummary) -> str:
    has_change = any(scorer.change is not None for scorer in one.scorers)
    heads = ["Scorer", "Mean", "95% interval", "Cases", *(["Change", "p"] if has_change else [])]
    is_described = any(scorer.description for scorer in one.scorers)
    heads += ["What it measures"] if is_described else []
    rows = [
        [
            escaped(scorer_title(scorer.name)),
            figure(scorer.mean),
            interval(scorer.low, scorer.high),
            escaped(denominator_words(scorer)),
            *(_change(scorer) if has_change else ()),
            *([escaped(scorer.description)] if is_described else []),
        ]
        for scorer in one.scorers
    ]
    return table(heads, rows) if rows else ""


def _change(one: ScorerSummary) -> list[str]:
    return [change_text(one), escaped(probability(one.change.p_value)) if one.change else ABSENT]


def _rests_on(one: EvalSummary) -> list[str]:
    labels = [escaped(words) for scorer in one.scorers if (words := label_words(scorer))]
    return labels + [escaped(f"Whole run, {said.name}: {said_words(said)}") for said in one.run_scores]


def _trials(one: EvalSummary) -> str:
    k = one.trials
    rows = []
    for scorer in one.scorers:
        if scorer.trials is not None and scorer.trials.n_trials:
            spread = scorer.trials
            shares = (spread.share, spread.pass_at_k, spread.pass_all_k)
            cells = [ABSENT if share is None else percent(share) for share in shares]
            rows.append([escaped(scorer_title(scorer.name)), figure(spread.sd), *cells])
    if not rows:
        return ""
    heads = ["Trials", "Spread", "Share of noise", f"pass@{k}", f"pass^{k}"]
    return f"{table(heads, rows)}\n\n{escaped(flaky_words(one))}"


def _failures(one: EvalSummary) -> str:
    if not one.n_failed:
        return ""
    groups = failure_groups(one)[:_LISTED]
    rows = [
        [
            f"{len(group.cases):,}",
            ", ".join(f"`{case.id}`" for case in group.named) + (", …" if group.n_more else ""),
            escaped(group.words),
        ]
        for group in groups
    ]
    left = one.n_failed - n_failed_in(groups)
    more = f"\n\n… and {left:,} more" if left > 0 else ""
    return f"**Failed cases: {one.n_failed:,}**\n\n{table(['Cases', 'Which', 'What happened'], rows)}{more}"


def _worst(found: WorstCases) -> str:
    if not found.cases:
        return ""
    heads = list(dict.fromkeys(head for case in found.cases for head in case.cells))
    rows = [
        [
            f"{case.score:.3f}{escaped(marks_of(case))}",
            *(escaped(case.cells.get(head, "")) for head in heads),
        ]
        for case in found.cases
    ]
    words = "; ".join(map(escaped, mark_words(found)))
    note = f"\n\n{words}" if words else ""
    of = f"{len(found.cases):,} of {found.n_below:,} below 1"
    shown = f"{len(found.cases):,}" if len(found.cases) == found.n_below else of
    return f"**Worst cases ({shown})**\n\n{table(['Score', *map(escaped, heads)], rows)}{note}"


def _broken(one: BrokenFile) -> str:
    return f"**Not loaded:** {escaped(one.file)}: {_error(one.error)}"


def _error(error: ErrorReport) -> str:
    return escaped_whole(error_words(error))
