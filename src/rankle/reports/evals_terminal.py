"""A run of evals for people at a terminal: plain text within its width, no markup, no colour."""

from collections.abc import Sequence
from typing import Final

from rankle.core.evals import BrokenFile, EvalsRun, EvalSummary
from rankle.core.gate import GatesReport
from rankle.core.trials import ErrorReport
from rankle.reports.evals_failures import FailureGroup, failure_groups, n_failed_in
from rankle.reports.evals_scorers import (
    INDENT,
    SAID_LINES,
    name_width,
    rests_on,
    scorer_descriptions,
    scorer_table,
    trial_table,
)
from rankle.reports.evals_words import (
    cases_words,
    change_words,
    end_words,
    error_words,
    eval_place,
    eval_title,
    figure,
    frame_lines,
    latency_words,
    overview_verdict,
    threshold_words,
    usage_words,
)
from rankle.reports.evals_worst import worst_cases, worst_lines
from rankle.reports.figure_table import Row, figure_table
from rankle.reports.header import note_lines
from rankle.reports.layout import WIDTH, one_line, wrapped
from rankle.reports.table import ABSENT

WORST: Final = 5
FAILURES: Final = 10
"""Ways of failing that are listed of an eval; the JSON has up to 100 failures, and all by case."""
_SAID: Final = 20
"""Lines of what kept an eval or a file from being run."""


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
        scorer_table(one, width=width),
        scorer_descriptions(one, width=width),
        [*rests_on(one, width=width), *_ends(one, width=width)],
        trial_table(one, width=width),
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


def _ends(one: EvalSummary, *, width: int) -> list[str]:
    """The single figure with its threshold, the changes, times and costs."""
    texts = (threshold_words(one), change_words(one), latency_words(one), usage_words(one.usage))
    return [line for text in texts if text for line in wrapped(one_line(text), rest="  ", width=width)]


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
        one_line(group.words, width=SAID_LINES * width),
        first=f"  {names}, " if is_one else f"  {len(group.cases):,} cases, ",
        rest=INDENT,
        width=width,
        breaking=True,
    )
    lines += [INDENT + one_line(frame, width=width - len(INDENT)) for frame in group.frames]
    if not is_one:
        more = f" and {group.n_more:,} more" if group.n_more else ""
        lines += wrapped(names + more, first=INDENT, rest=INDENT, width=width)
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
    return figure_table("Eval", heads, rows, name_width=name_width(rows, most=40), width=width)


def _error(error: ErrorReport, *, first: str, width: int) -> list[str]:
    """What went wrong, such as each bad line of a file, and the frames of the user's own code."""
    said = error_words(error).splitlines() or [""]
    lines = wrapped(one_line(said[0]), first=first, rest="  ", width=width, breaking=True)
    for words in said[1:_SAID]:
        lines += wrapped(one_line(words), first="  ", rest="    ", width=width, breaking=True)
    if len(said) > _SAID:
        lines.append(f"  … and {len(said) - _SAID:,} lines more")
    return lines + [f"    {one_line(frame, width=width - 4)}" for frame in frame_lines(error, most=4)]
