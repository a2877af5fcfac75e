"""A run of evals for people at a terminal: plain text within its width, no markup, no colour."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from rankle.core.evals import BrokenFile, ErrorReport, EvalsRun, EvalSummary, ScoreReport, ScorerSummary
from rankle.core.gate import GatesReport
from rankle.reports.evals_failures import FailureGroup, failure_groups, n_failed_in
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
    frame_lines,
    interval,
    label_words,
    latency_words,
    overview_verdict,
    said_words,
    scorer_title,
    threshold_words,
    usage_words,
)
from rankle.reports.evals_worst import worst_cases, worst_lines
from rankle.reports.figure_table import Row, figure_table
from rankle.reports.header import note_lines
from rankle.reports.layout import WIDTH, one_line, wrapped
from rankle.reports.signed import probability
from rankle.reports.table import ABSENT, percent

WORST: Final = 5
FAILURES: Final = 10
"""Ways of failing that are listed of an eval; the JSON has up to 100 failures, and all by case."""
_LINES: Final = 4
"""Of the words of a failure, about; servers answer with whole pages."""
_SAID: Final = 20
"""Lines of what kept an eval or a file from being run."""
_NAME: Final = 30
_INDENT: Final = "      "


def evals_text(
    run: EvalsRun,
    *,
    width: int = WIDTH,
    worst: int = WORST,
    quiet: bool = False,
    saved: bool = False,
    gates: GatesReport | None = None,
) -> str:
    """The whole run, ending in a line break with the verdict as its last line.

    worst: how many of the worst cases to show of each eval.
    quiet: a line an eval, what could not be loaded, and the verdict.
    saved: whether everything was written to a file; if not, a line says how.
    gates: what it was judged to, which is told elsewhere; the exit code is that of both.
    """
    if quiet:
        blocks = [_overview(run.evals, width=width), broken_lines(run.summary.broken_files, width=width)]
    else:
        blocks = []
        for one in run.evals:
            lines = worst_lines(worst_cases(run, one, n=worst), width=width)
            blocks += _eval_blocks(one, lines, width=width)
        blocks.append(broken_lines(run.summary.broken_files, width=width))
        blocks.append(_overview(run.evals, width=width) if len(run.evals) > 1 else [])
        blocks.append([] if saved else ["--output FILE saves every case in full."])
    blocks.append(_verdict(run, gates, width=width))
    return _joined(blocks)


def eval_text(one: EvalSummary, *, width: int = WIDTH) -> str:
    """One eval without its cases, ending in a line break."""
    return _joined(_eval_blocks(one, [], width=width))


def overview_text(evals: Sequence[EvalSummary], *, width: int = WIDTH) -> str:
    """A line an eval, ending in a line break."""
    return _joined([_overview(evals, width=width)])


def _verdict(run: EvalsRun, gates: GatesReport | None, *, width: int) -> list[str]:
    """How the run ended, in a sentence with its exit code."""
    words = one_line(end_words(run.summary, gates))
    return wrapped(words, first="Verdict: ", rest="  ", width=width, breaking=True)


def broken_lines(files: Sequence[BrokenFile], *, width: int) -> list[str]:
    """Each file that could not be loaded, and where it broke."""
    lines: list[str] = []
    for one in files:
        first = f"Not loaded: {one_line(one.file)}: "
        lines += _error(one.error, first=first, width=width)
    return lines


def _joined(blocks: Sequence[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _eval_blocks(one: EvalSummary, worst: list[str], *, width: int) -> list[list[str]]:
    if one.error is not None:
        return [[*_head(one, width=width), *_error(one.error, first="Not run: ", width=width)]]
    return [
        _head(one, width=width),
        note_lines(one.notices, width=width),
        _scorer_table(one, width=width),
        _descriptions(one, width=width),
        [*_rests_on(one, width=width), *_ends(one, width=width)],
        _trial_table(one, width=width),
        _failures(one, width=width),
        worst,
    ]


def _head(one: EvalSummary, *, width: int) -> list[str]:
    place = eval_place(one)
    title = eval_title(one) + (f"  ({place})" if place else "")
    lines = wrapped(one_line(title), first="Eval: ", rest="  ", width=width, breaking=True)
    lines += wrapped(one_line(one.description), first="  ", rest="  ", width=width) if one.description else []
    if one.error is not None:
        return lines
    return lines + wrapped(one_line(cases_words(one)), rest="  ", width=width, breaking=True)


def _scorer_table(one: EvalSummary, *, width: int) -> list[str]:
    """A row a scorer; the change and its p only where there is a previous run."""
    if not one.scorers:
        return []
    heads = {"mean": 8, "95% interval": 14, "scored": 8}
    has_change = any(scorer.change is not None for scorer in one.scorers)
    if has_change:
        heads |= {"change": 9, "p": 8}
    rows: list[Row] = [
        (one_line(scorer_title(scorer.name)), [*_figures(scorer), *(_change(scorer) if has_change else ())])
        for scorer in one.scorers
    ]
    return figure_table("Scorer", heads, rows, name_width=_name_width(rows), width=width)


def _descriptions(one: EvalSummary, *, width: int) -> list[str]:
    """What the scorers measure, as far as they say it."""
    about: dict[str, list[str]] = {}
    for scorer in one.scorers:
        if scorer.description:
            about.setdefault(scorer.description, []).append(scorer_title(scorer.name))
    return [
        line
        for words, names in about.items()
        for line in wrapped(
            one_line(f"{', '.join(names)}: {words}"), first="  ", rest="    ", width=width, breaking=True
        )
    ]


def _figures(one: ScorerSummary) -> list[str]:
    return [figure(one.mean), interval(one.low, one.high), f"{one.n_scored:,}"]


def _change(one: ScorerSummary) -> list[str]:
    return [change_text(one), probability(one.change.p_value) if one.change else ABSENT]


def _rests_on(one: EvalSummary, *, width: int) -> list[str]:
    """What is in no mean: undefined and failed cases, labels; then what scorers of the whole run said."""
    texts = _denominators(one.scorers)
    texts += [words for scorer in one.scorers if (words := label_words(scorer))]
    indented = [
        line
        for text in texts
        for line in wrapped(one_line(text), first="  ", rest="    ", width=width, breaking=True)
    ]
    whole = [line for said in one.run_scores for line in _said_of_run(said, width=width)]
    return indented + whole


def _said_of_run(said: ScoreReport, *, width: int) -> list[str]:
    words = one_line(f"{said.name}: {said_words(said)}", width=_LINES * width)
    frames = [] if said.error is None else frame_lines(said.error, most=2)
    return [
        *wrapped(words, first="Whole run, ", rest="  ", width=width),
        *(_INDENT + one_line(frame, width=width - len(_INDENT)) for frame in frames),
    ]


def _denominators(scorers: Sequence[ScorerSummary]) -> list[str]:
    """A line for all scorers of which the same cases are in no mean; those that gave labels alone say it by
    these."""
    alike: dict[str, list[str]] = {}
    for one in scorers:
        if one.n_undefined or one.n_failed:
            alike.setdefault(denominator_words(one), []).append(scorer_title(one.name))
    if len(alike) == 1 and len(next(iter(alike.values()))) == len(scorers):
        return [f"Cases: {next(iter(alike))}"]
    labelled = {scorer_title(one.name) for one in scorers if one.labels and not (one.reasons or one.n_failed)}
    names = {words: [name for name in found if name not in labelled] for words, found in alike.items()}
    return [f"{', '.join(found)}: {words}" for words, found in names.items() if found]


def _ends(one: EvalSummary, *, width: int) -> list[str]:
    """The single figure with its threshold, the changes, times and costs."""
    texts = (threshold_words(one), change_words(one), latency_words(one), usage_words(one.usage))
    return [line for text in texts if text for line in wrapped(one_line(text), rest="  ", width=width)]


def _trial_table(one: EvalSummary, *, width: int) -> list[str]:
    """What repeating tells; nothing for one trial a case."""
    k = one.trials
    rows: list[Row] = []
    for scorer in one.scorers:
        if scorer.trials is not None and scorer.trials.n_trials:
            spread = scorer.trials
            shares = [spread.share, spread.pass_at_k, spread.pass_all_k]
            cells = [figure(spread.sd), *(ABSENT if one is None else percent(one) for one in shares)]
            rows.append((one_line(scorer_title(scorer.name)), cells))
    if not rows:
        return []
    heads = {"spread": 8, "of noise": 10, f"pass@{k}": 8, f"pass^{k}": 8}
    told = (
        f"spread: standard deviation of trials about their case; of noise: its share of the mean's squared "
        f"error; pass@{k}: some trial of a case passes; pass^{k}: all do"
    )
    table = figure_table("Trials", heads, rows, name_width=_name_width(rows), width=width)
    return [
        *table,
        *wrapped(told, rest="  ", width=width),
        *wrapped(flaky_words(one), rest="  ", width=width),
    ]


def _failures(one: EvalSummary, *, width: int) -> list[str]:
    if not one.n_failed:
        return []
    groups = failure_groups(one)[:FAILURES]
    cases = n_failed_in(groups)
    of = f"{one.n_failed:,}" if cases == one.n_failed else f"{cases:,} of {one.n_failed:,}"
    lines = [f"Failed cases: {of}"]
    for group in groups:
        lines += _failed_alike(group, width=width)
    return lines


def _failed_alike(group: FailureGroup, *, width: int) -> list[str]:
    names = ", ".join(f"{one_line(case.id)} (number {case.position + 1:,})" for case in group.named)
    is_one = len(group.cases) == 1
    lines = wrapped(
        one_line(group.words, width=_LINES * width),
        first=f"  {names}, " if is_one else f"  {len(group.cases):,} cases, ",
        rest=_INDENT,
        width=width,
        breaking=True,
    )
    lines += [_INDENT + one_line(frame, width=width - len(_INDENT)) for frame in group.frames]
    if not is_one:
        more = f" and {group.n_more:,} more" if group.n_more else ""
        lines += wrapped(names + more, first=_INDENT, rest=_INDENT, width=width)
    return lines


def _overview(evals: Sequence[EvalSummary], *, width: int) -> list[str]:
    """A line an eval."""
    if not evals:
        return []
    heads = {"score": 7, "threshold": 15, "cases": 7, "failed": 8}
    rows: list[Row] = []
    for one in evals:
        if one.error is not None:
            rows.append((one_line(eval_title(one)), [ABSENT, "not run", ABSENT, ABSENT]))
            continue
        cells = [figure(one.score), overview_verdict(one), f"{one.n_cases:,}", f"{one.n_failed:,}"]
        rows.append((one_line(eval_title(one)), cells))
    return figure_table("Eval", heads, rows, name_width=_name_width(rows, most=40), width=width)


def _error(error: ErrorReport, *, first: str, width: int) -> list[str]:
    """What went wrong, such as each bad line of a file, and the frames of the user's own code."""
    said = error_words(error).splitlines() or [""]
    lines = wrapped(one_line(said[0]), first=first, rest="  ", width=width, breaking=True)
    for words in said[1:_SAID]:
        lines += wrapped(one_line(words), first="  ", rest="    ", width=width, breaking=True)
    if len(said) > _SAID:
        lines.append(f"  … and {len(said) - _SAID:,} lines more")
    return lines + [f"    {one_line(frame, width=width - 4)}" for frame in frame_lines(error, most=4)]


def _name_width(rows: Sequence[Row], *, most: int = _NAME) -> int:
    return min(most, max(12, *(cell_len(name) + 2 for name, _ in rows)))
