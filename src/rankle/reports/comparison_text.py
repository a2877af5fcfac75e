"""A comparison for people at a terminal: plain text within its width, the verdicts first."""

from collections.abc import Sequence
from typing import Final

from rankle.core.nouns import asked_at
from rankle.core.run import RECORDED_RUN
from rankle.metrics.figure import read_figure
from rankle.reports.abstention_change import change_lines
from rankle.reports.comparison import Comparison, MeasureDifference
from rankle.reports.comparison_pairs import interval_head, mean_text, pair_blocks
from rankle.reports.comparisons import Comparisons
from rankle.reports.evals_as_run import SYSTEM
from rankle.reports.figure_table import Row, figure_table
from rankle.reports.header import note_lines
from rankle.reports.json_text import json_text
from rankle.reports.layout import WIDTH, one_line, wrapped
from rankle.reports.shortening import shortened
from rankle.reports.signed import probability, signed, signed_range
from rankle.reports.table import ABSENT, title_of

FORCED: Final = "forced "
"""Before every line of a comparison that is none by right."""
_NAME: Final = 14


def render_comparison(found: Comparison, *, worst: int | None = None, width: int = WIDTH) -> str:
    """The comparison in words and tables, ending in a line break.

    worst: how many of the queries that lost most to show of each pair, and of those that gained most; None
        for 5 of two runs, and 2 of each pair of more.
    width: at least 40. Where the comparison was forced, every line says so.
    """
    room = width - len(FORCED) if found.forced else width
    n_moves = worst if worst is not None else 5 if len(found.pairs) == 1 else 2
    blocks = [
        _header(found, width=room),
        note_lines(found.notes, width=room),
        *_relevance(found, width=room),
        change_lines(found, width=room),
        *(block for pair in found.pairs for block in pair_blocks(found, pair, n_moves=n_moves, width=room)),
        _hints(found, width=room),
    ]
    text = "\n\n".join("\n".join(block) for block in blocks if block) + "\n"
    if not found.forced:
        return text
    return "".join((FORCED + line if line.strip() else "") + "\n" for line in text.splitlines())


def render_comparisons(found: Comparisons, *, worst: int | None = None, width: int = WIDTH) -> str:
    """Each comparison after another, then the evals that are not in all runs or cannot be compared."""
    texts = [render_comparison(one, worst=worst, width=width) for one in found.comparisons]
    end = [
        line
        for one in found.unpaired
        for line in _told(f"Only in {', '.join(one.runs)}: ", one.eval, width=width)
    ]
    for refused in found.refused:
        first, *more = refused.why.splitlines()
        end += _told("Not compared: ", f"{refused.eval}: {first}", width=width)
        end += [
            line for text in more for line in wrapped(one_line(text), first="  ", rest="    ", width=width)
        ]
    rule = "═" * width + "\n\n"
    return f"\n{rule}".join([*texts, *(["\n".join(end) + "\n"] if end else [])])


def comparisons_json(found: Comparisons) -> str:
    """One comparison as `rankle.compare/1`, several as `rankle.comparisons/1`."""
    return json_text(found.comparisons[0] if found.is_one else found)


def _told(first: str, text: str, *, width: int) -> list[str]:
    return wrapped(one_line(text), first=one_line(first) + " ", rest="  ", width=width, breaking=True)


def _header(found: Comparison, *, width: int) -> list[str]:
    what = _evals(found) if found.level == "case" else found.runs[0].set.name
    common = " in common" if found.forced else ""
    about = f"{what} ({asked_at(found.level).counted(found.n_queries)}{common})"
    lines = [
        *wrapped(one_line(about), first="Comparison: ", rest="  ", width=width, breaking=True),
        *wrapped(_how(found), width=width),
    ]
    for run in found.runs:
        name = shortened(run.name, max(12, width // 3))
        what = run.system if run.method == RECORDED_RUN else run.method
        parts = [part for part in (what, run.created, run.id) if part != run.name]
        lines.append(one_line(f"{run.label} = {name}", width=width))
        lines[-1] += one_line(f": {', '.join(parts)}", width=max(3, width - len(lines[-1])))
    for pair in found.pairs:
        from_to = "" if len(found.pairs) == 1 else f" from {pair.a} to {pair.b}"
        text = one_line(f"Changed{from_to}: {'; '.join(pair.changed)}")
        lines += wrapped(text, rest="  ", width=width, breaking=True)
    return lines


def _evals(found: Comparison) -> str:
    """The eval that is compared: with its variant where all runs are of one; several where they differ."""
    keys = list(dict.fromkeys(run.system.removeprefix(SYSTEM) for run in found.runs))
    if len(keys) == 1:
        return keys[0]
    bare = (run.system.removeprefix(SYSTEM).removesuffix(f"[{run.method}]") for run in found.runs)
    names = list(dict.fromkeys(bare))
    return names[0] if len(names) == 1 else ", ".join(keys)


def _how(found: Comparison) -> str:
    by = {"none": "", "holm": ", p by Holm", "tukey": ", all pairs (Tukey HSD)"}[found.correction]
    level = "level: case" if found.level == "case" else f"level: {found.level}, depth: {found.depth}"
    return f"{level}, test: {found.test}{by}"


def _is_scored(found: Comparison) -> bool:
    return any(one.n for pair in found.pairs for one in pair.measures)


def _relevance(found: Comparison, *, width: int) -> tuple[list[str], ...]:
    """What the measures say; one line where nothing answers any of the queries, so that none has a score."""
    if _is_scored(found):
        return tuple(block(found, width=width) for block in (_verdicts, _differences, _rests_on))
    told = "No query was scored by two of these runs, so no measure of relevance is compared."
    return (wrapped(told, rest="  ", width=width),)


def _verdicts(found: Comparison, *, width: int) -> list[str]:
    return [
        line
        for verdict in found.verdicts
        for line in wrapped(one_line(verdict.sentence), rest="  ", width=width, breaking=True)
    ]


def _adjusted_head(found: Comparison) -> tuple[str, str | None]:
    """The heads of p and of the adjusted p; None where that is the same figure."""
    if found.correction == "tukey":
        return "Tukey p", "adj. p" if found.n_tests > len(found.pairs) else None
    return "p", "Holm p" if found.correction == "holm" else None


def _differences(found: Comparison, *, width: int) -> list[str]:
    plain, adjusted = _adjusted_head(found)
    first, second = ("A", "B") if len(found.pairs) == 1 else ("first", "second")
    gap = "B − A" if len(found.pairs) == 1 else "difference"
    heads = {first: 7, second: 7, gap: 8, interval_head(found): 18, plain: 8}
    if adjusted is not None:
        heads[adjusted] = 8
    rows: list[Row] = []
    for name, one in _rows(found):
        if one is None:
            rows.append((name, []))
            continue
        cells = [mean_text(one.mean_a), mean_text(one.mean_b), signed(one.difference)]
        cells += [signed_range(one.low, one.high), probability(one.p_value)]
        rows.append((name, [*cells, *([probability(one.p_adjusted)] if adjusted is not None else [])]))
    return figure_table("Measure", heads, rows, name_width=_name_width(rows), width=width)


def _rests_on(found: Comparison, *, width: int) -> list[str]:
    """What stands behind the differences, and how fine these queries can tell."""
    heads = {"won/tied/lost": 16, asked_at(found.level).several: 10, "effect size": 14, "would show": 12}
    rows: list[Row] = []
    for name, one in _rows(found):
        if one is None:
            rows.append((name, []))
            continue
        smallest = ABSENT if one.smallest_detectable is None else f"{one.smallest_detectable:.3f}"
        counts = f"{one.wins}/{one.ties}/{one.losses}"
        rows.append((name, [counts, f"{one.n:,}", signed(one.effect_size), smallest]))
    table = figure_table("Measure", heads, rows, name_width=_name_width(rows), width=width)
    counted = f", {found.n_tests} tests counted in" if found.n_tests > 1 else ""
    several = asked_at(found.level).several
    told = (
        "effect size: the difference in standard deviations of the differences",
        f"would show: the true difference that such {several} find 4 times in 5{counted}",
    )
    return [*table, *(line for text in told for line in wrapped(text, rest="  ", width=width))]


def _rows(found: Comparison) -> list[tuple[str, MeasureDifference | None]]:
    """A row a measure; of several pairs, a heading a measure and a row a pair."""
    rows: list[tuple[str, MeasureDifference | None]] = []
    for place, verdict in enumerate(found.verdicts):
        title = title_of(read_figure(verdict.measure))
        if len(found.pairs) == 1:
            rows.append((title, found.pairs[0].measures[place]))
            continue
        rows.append((title, None))
        rows += [(f"  {pair.a} to {pair.b}", pair.measures[place]) for pair in found.pairs]
    return rows


def _name_width(rows: Sequence[Row]) -> int:
    """As wide as the longest name, within bounds; a heading has a line of its own."""
    return min(30, max([_NAME, *(len(name) + 2 for name, cells in rows if cells)]))


def _hints(found: Comparison, *, width: int) -> list[str]:
    hints = [f"--json has every {asked_at(found.level).one} and slice"]
    if len(found.verdicts) > 1 and _is_scored(found):
        hints.insert(0, f"--measures {found.main_measure} tests that alone, so that p is adjusted for less")
    return wrapped("; ".join(hints) + ".", width=width)
