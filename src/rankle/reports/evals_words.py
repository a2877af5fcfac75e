"""What reports say of an eval in words, the same in every format."""

from collections.abc import Sequence
from typing import Final

from rankle.core.evals import EvalsSummary, EvalSummary, FailedCase, ScorerSummary
from rankle.core.gate import GatesReport
from rankle.core.trials import ErrorReport, ScoreReport, Usage
from rankle.metrics.figure import read_figure
from rankle.reports.latency import milliseconds
from rankle.reports.signed import signed
from rankle.reports.table import ABSENT, title_of

ALPHA: Final = 0.05
PASS_MARK: Final = 0.5
"""What a trial must reach to pass where no threshold says more, as in the harness."""
_ROWS: Final = "rows"
"""What an eval's data is called that stands in its code."""
_DIGITS: Final = 12
"""Decimals at most that tell a score from its threshold."""


def end_words(summary: EvalsSummary, gates: GatesReport | None = None) -> str:
    """The verdict with the exit code, that of the gates where it is worse."""
    code = f"Exit code {summary.exit_code}."
    if gates is not None and gates.exit_code > summary.exit_code:
        code = f"Exit code {gates.exit_code}, by the verdict of the gate."
    return f"{summary.verdict.rstrip('.')}. {code}"


def counted(n: int, one: str, several: str | None = None) -> str:
    """`1 case`, `1,200 cases`."""
    return f"{n:,} {one if n == 1 else several or one + 's'}"


def eval_title(one: EvalSummary) -> str:
    """Name and variant, such as `Vector search [hybrid]`."""
    return one.name if one.variant is None else f"{one.name} [{one.variant}]"


def eval_place(one: EvalSummary) -> str:
    """File and line; empty where it was made in no file."""
    if one.file is None:
        return ""
    return one.file if one.line is None else f"{one.file}:{one.line}"


def cases_words(one: EvalSummary) -> str:
    """What was run, and what of the data was not: `60 cases of queries.json, 3 trials each; 2 skipped`."""
    of = "" if one.data == _ROWS else f" of {one.data}"
    parts = [f"{counted(one.n_cases, 'case')}{of}"]
    if one.trials > 1:
        parts[0] += f", {one.trials} trials each"
    if one.n_skipped:
        parts.append(f"{one.n_skipped:,} skipped")
    left = one.n_in_data - one.n_skipped - one.n_cases
    if left > 0:
        parts.append(f"{left:,} {'left out on the command line' if one.is_complete else 'not run'}")
    if one.n_failed:
        parts.append(f"{one.n_failed:,} failed")
    if one.n_cached:
        parts.append(f"{counted(one.n_cached, 'trial')} of {one.n_cases * one.trials:,} from the cache")
    return "; ".join(parts)


def scorer_title(name: str) -> str:
    """What people call a figure: `Recall@5` for the scorer `R@5`. A name that is no measure's stays as it is.

    Files that programs read, and whoever looks a figure up in them, have the scorer's own name.
    """
    return title_of(read_figure(name))


def denominator_words(one: ScorerSummary) -> str:
    """Over how many cases a mean is, and what became of the others."""
    words = [f"{one.n_scored:,} scored"] if one.n_scored or not one.labels else []
    if one.n_undefined:
        what = "undefined" if not one.labels else "labelled or undefined" if one.reasons else "labelled"
        reasons = reason_words(one)
        words.append(f"{one.n_undefined:,} {what}" + (f" ({reasons})" if reasons else ""))
    return ", ".join(words + ([f"{one.n_failed:,} failed"] if one.n_failed else []))


def reason_words(one: ScorerSummary) -> str:
    """Why it does not apply where it does not; empty where it always does."""
    if not one.reasons:
        return ""
    (reason, n), *others = one.reasons.items()
    if not others:
        return reason
    told = f"{reason} {n:,}"
    if len(others) == 1:
        return f"{told}, {others[0][0]} {others[0][1]:,}"
    return f"most often: {told}"


def figure(value: float | None) -> str:
    """Three decimals; a dash for None."""
    return ABSENT if value is None else f"{value:.3f}"


def interval(low: float | None, high: float | None) -> str:
    return ABSENT if low is None or high is None else f"{low:.3f}–{high:.3f}"


def threshold_words(one: EvalSummary) -> str:
    """The single figure, and whether it reaches the threshold where there is one."""
    if one.threshold is None:
        return f"Score {figure(one.score)}"
    asked = f"threshold {one.threshold:g} %"
    if one.score is None or one.passed is None:
        return f"Score {ABSENT}, {asked}: could not measure"
    verdict = "reached" if one.passed else "MISSED"
    return f"Score {_apart(one.score, one.threshold / 100)}, {asked}: {verdict}"


def overview_verdict(one: EvalSummary) -> str:
    """The threshold and whether it was reached, for a table of evals."""
    if one.error is not None:
        return "not run"
    if one.threshold is None:
        return "none"
    verdict = "could not measure" if one.passed is None else "reached" if one.passed else "MISSED"
    return f"{one.threshold:g} % {verdict}"


def change_words(one: EvalSummary) -> str:
    """Against which run the changes are, and which of them are more than chance; empty without any."""
    changed = [(scorer.name, scorer.change) for scorer in one.scorers if scorer.change is not None]
    if one.previous is None or not changed:
        return ""
    which = f"Changes are against run {one.previous.id[:8]} of {one.previous.created[:16].replace('T', ' ')}"
    which += " UTC, over the cases that both scored."
    real = significant(one.scorers)
    if not real:
        return f"{which} None is more than chance."
    better = ", ".join(f"{scorer_title(name)} ({'better' if up else 'worse'})" for name, up in real.items())
    of = "Holm p" if len(changed) > 1 else "p"
    return f"{which} More than chance ({of} at most {ALPHA:g}): {better}."


def change_text(one: ScorerSummary) -> str:
    """The difference from the previous run; `new` for a figure that it did not have."""
    if one.change is not None:
        return signed(one.change.difference)
    return ABSENT if one.mean is None else "new"


def significant(scorers: Sequence[ScorerSummary]) -> dict[str, bool]:
    """The scorers whose change is more than chance, p adjusted by Holm over all of them: name to whether it
    is for the better."""
    tested = [
        (one.name, one.change, one.change.p_value)
        for one in scorers
        if one.change is not None and one.change.p_value is not None
    ]
    if not tested:
        return {}
    from rankle.stats.corrections import holm  # needs numpy, which most records need not

    adjusted = holm([p for *_, p in tested])
    return {
        name: change.difference > 0
        for (name, change, _), p in zip(tested, adjusted, strict=True)
        if p <= ALPHA and change.difference != 0
    }


def latency_words(one: EvalSummary) -> str:
    """How long trials took; empty where none was run now."""
    if one.latency_ms.p50 is None:
        return ""
    words = f"Latency: p50 {milliseconds(one.latency_ms.p50)}, p95 {milliseconds(one.latency_ms.p95)}"
    return words + (" (without those from the cache)" if one.n_cached else "")


def usage_words(usage: Usage | None) -> str:
    """Calls of models, their tokens and cost; empty where none was made."""
    if usage is None:
        return ""
    cached = f" ({usage.n_cached:,} from the cache)" if usage.n_cached else ""
    words = f"Models: {counted(usage.n_calls, 'call')}{cached}, {usage.input_tokens:,} tokens in, "
    words += f"{usage.output_tokens:,} out"
    return words if usage.cost_usd is None else f"{words}, ${usage.cost_usd:,.4f}"


def frame_lines(error: ErrorReport, *, most: int) -> list[str]:
    """The last lines of a traceback, without those that only point at the line above."""
    lines = (line.rstrip() for line in (error.traceback or "").splitlines())
    return [line for line in lines if line.strip(" ^~")][-most:]


def error_words(error: ErrorReport) -> str:
    return f"{error.type}: {error.message}" if error.message else error.type


def failure_words(one: FailedCase, *, trials: int) -> str:
    """Where a case failed and how: `in the task, trial 2: TimeoutError: …`."""
    where = "in the task" if one.where == "task" else f"in scorer {scorer_title(one.where)}"
    trial = f", trial {one.trial + 1}" if trials > 1 else ""
    return f"{where}{trial}: {error_words(one.error)}"


def said_words(one: ScoreReport) -> str:
    """What a scorer said of one trial, or of a whole run."""
    if one.error is not None:
        return f"failed, {error_words(one.error)}"
    if one.value is not None:
        return figure(one.value)
    return one.label if one.label is not None else f"{ABSENT} ({one.reason or 'does not apply'})"


def flaky_words(one: EvalSummary) -> str:
    """How many cases are flaky; empty for one trial a case."""
    if one.trials < 2:
        return ""
    if not one.n_flaky:
        return "No case is flaky: of each, all trials pass or none does."
    verb = "is" if one.n_flaky == 1 else "are"
    words = f"{one.n_flaky:,} of {counted(one.n_cases, 'case')} {verb} flaky: "
    return words + "some of the trials pass and others do not."


def label_words(one: ScorerSummary) -> str:
    """Labels with how often each was given; empty without any."""
    each = ", ".join(f"{label} {n:,}" for label, n in one.labels.items())
    return f"{scorer_title(one.name)}: {each}" if each else ""


def _apart(value: float, limit: float) -> str:
    """Three decimals; more where a score below its threshold would look as if it were at it."""
    for decimals in range(3, _DIGITS + 1):
        shown = f"{value:.{decimals}f}"
        if (float(shown) < limit) == (value < limit):
            return shown
    return f"{value:.{_DIGITS}f}"
