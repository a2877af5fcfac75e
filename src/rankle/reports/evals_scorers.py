"""What the scorers of an eval came to, for people at a terminal: their figures, and what these rest on."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from rankle.core.evals import EvalSummary, ScorerSummary
from rankle.core.trials import ScoreReport
from rankle.reports.evals_words import (
    change_text,
    denominator_words,
    figure,
    flaky_words,
    frame_lines,
    interval,
    label_words,
    said_words,
    scorer_title,
)
from rankle.reports.figure_table import Row, figure_table
from rankle.reports.layout import one_line, wrapped
from rankle.reports.signed import probability
from rankle.reports.table import ABSENT, percent

SAID_LINES: Final = 4
"""About how many lines of a failure's words are shown; servers answer with whole pages."""
INDENT: Final = "      "
_NAME: Final = 30


def scorer_table(one: EvalSummary, *, width: int) -> list[str]:
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
    return figure_table("Scorer", heads, rows, name_width=name_width(rows), width=width)


def scorer_descriptions(one: EvalSummary, *, width: int) -> list[str]:
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


def rests_on(one: EvalSummary, *, width: int) -> list[str]:
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
    words = one_line(f"{said.name}: {said_words(said)}", width=SAID_LINES * width)
    frames = [] if said.error is None else frame_lines(said.error, most=2)
    return [
        *wrapped(words, first="Whole run, ", rest="  ", width=width),
        *(INDENT + one_line(frame, width=width - len(INDENT)) for frame in frames),
    ]


def _denominators(scorers: Sequence[ScorerSummary]) -> list[str]:
    """One line for all scorers whose means leave out the same cases; what a scorer that only gave labels
    leaves out is told with its labels."""
    alike: dict[str, list[str]] = {}
    for one in scorers:
        if one.n_undefined or one.n_failed:
            alike.setdefault(denominator_words(one), []).append(scorer_title(one.name))
    if len(alike) == 1 and len(next(iter(alike.values()))) == len(scorers):
        return [f"Cases: {next(iter(alike))}"]
    labelled = {scorer_title(one.name) for one in scorers if one.labels and not (one.reasons or one.n_failed)}
    names = {words: [name for name in found if name not in labelled] for words, found in alike.items()}
    return [f"{', '.join(found)}: {words}" for words, found in names.items() if found]


def trial_table(one: EvalSummary, *, width: int) -> list[str]:
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
    table = figure_table("Trials", heads, rows, name_width=name_width(rows), width=width)
    return [
        *table,
        *wrapped(told, rest="  ", width=width),
        *wrapped(flaky_words(one), rest="  ", width=width),
    ]


def name_width(rows: Sequence[Row], *, most: int = _NAME) -> int:
    """Cells of the first column of a table: what its names take, within bounds."""
    return min(most, max(12, *(cell_len(name) + 2 for name, _ in rows)))
