"""Whether methods really differ on the queries of one set: paired differences against the first of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rankle.core.run import RunReport
from rankle.metrics.figure import Figure, ranks, read_figure
from rankle.reports.layout import WIDTH, pad, wrapped
from rankle.reports.shortening import shortened_apart
from rankle.reports.signed import probability, signed, signed_range
from rankle.reports.table import title_of
from rankle.stats.corrections import holm
from rankle.stats.paired import PairedTest, paired_test

_ALPHA: Final = 0.05
_FAMILY: Final = "nDCG"
_CELLS: Final = {"difference": 12, "95% interval": 18, "p": 9, "Holm p": 9, "won/tied/lost": 14}
_NAME: Final = 16


@dataclass(frozen=True, slots=True)
class Difference:
    """One run against the first, over the queries that both scored."""

    run: RunReport
    n: int
    """Queries that both scored."""
    test: PairedTest | None
    """`a` is the first run, `b` this one; None where no query was scored by both."""
    p_holm: float | None
    """p adjusted for all that are compared with the first."""


def main_measure(run: RunReport) -> str | None:
    """What runs are compared by: nDCG at its largest cut, else the first measure; None where none ranks."""
    return main_of(list(run.measures))


def main_of(names: Sequence[str]) -> str | None:
    """`main_measure` of canonical names."""
    ranking = [read_figure(name) for name in names]
    ranking = [measure for measure in ranking if ranks(measure)]
    gains = [measure for measure in ranking if measure.family == _FAMILY]
    if gains:
        return str(max(gains, key=_depth))
    return str(ranking[0]) if ranking else None


def differences(runs: Sequence[RunReport], measure: str) -> tuple[Difference, ...]:
    """Each further run against the first: the family of comparisons is fixed before anyone saw a figure.

    Against the best of them instead, the first look at the figures would choose what is tested.
    """
    first = _scores(runs[0], measure)
    tests: list[PairedTest | None] = []
    for run in runs[1:]:
        own = _scores(run, measure)
        common = [query for query in first if query in own]
        a, b = [first[query] for query in common], [own[query] for query in common]
        tests.append(paired_test(a, b, seed=run.seed) if common else None)
    adjusted = iter(holm([test.p_value for test in tests if test is not None]))
    return tuple(
        Difference(run, test.n if test else 0, test, next(adjusted) if test else None)
        for run, test in zip(runs[1:], tests, strict=True)
    )


def difference_lines(runs: Sequence[RunReport], names: Sequence[str], *, width: int = WIDTH) -> list[str]:
    """The differences and what they say; nothing where there is no measure to compare by.

    names: of the runs, as their columns have them.
    """
    measure = main_measure(runs[0])
    if measure is None:
        return []
    found = differences(runs, measure)
    title = title_of(read_figure(measure))
    lines = wrapped(f"Differences in {title}, query by query, from {names[0]}", rest="  ", width=width)
    heads = [head for head in _CELLS if head != "Holm p" or len(found) > 1]
    needed = _NAME + sum(_CELLS[head] for head in heads)
    if width >= needed:
        lines.append(_row("", heads, heads))
    short = shortened_apart(names, _NAME - 2)
    for name, cut, one in zip(names[1:], short[1:], found, strict=True):
        cells = _figures(one)
        if one.test is None:
            lines += wrapped(f"{name}: no query was scored by both", rest="  ", width=width)
        elif width >= needed:
            lines.append(_row(cut, [cells[head] for head in heads], heads))
        else:
            words = ", ".join(f"{head} {cells[head]}" for head in heads)
            lines += wrapped(f"{name}: {words}", rest="  ", width=width)
    lines += wrapped(_conclusion(found, names[1:]), width=width)
    return [
        *lines,
        *_detectable(found, names[1:], width=width),
        *_denominators(found, names, width),
    ]


def _scores(run: RunReport, measure: str) -> dict[str, float]:
    return {query.id: query.scores[measure] for query in run.queries if measure in query.scores}


def _depth(measure: Figure) -> float:
    return float("inf") if measure.k is None else measure.k


def _figures(one: Difference) -> dict[str, str]:
    """The figures of a comparison under the heads of their columns."""
    test = one.test
    if test is None:
        return {}
    return {
        "difference": signed(test.difference),
        "95% interval": signed_range(test.low, test.high),
        "p": probability(test.p_value),
        "Holm p": probability(one.p_holm),
        "won/tied/lost": f"{test.wins}/{test.ties}/{test.losses}",
    }


def _row(name: str, cells: Sequence[str], heads: Sequence[str]) -> str:
    figures = "".join(pad(cell, _CELLS[head]) for cell, head in zip(cells, heads, strict=True))
    return (pad(name, _NAME) + figures).rstrip()


def _conclusion(found: Sequence[Difference], names: Sequence[str]) -> str:
    """In words what the p-values say, and what they do not."""
    which = "Holm p" if len(found) > 1 else "p"
    real = [
        f"{name} ({'better' if one.test.difference > 0 else 'worse'})"
        for name, one in zip(names, found, strict=True)
        if one.test is not None and one.p_holm is not None and one.p_holm <= _ALPHA
    ]
    if real:
        return f"More than chance ({which} at most {_ALPHA}): {', '.join(real)}."
    return f"None is more than chance ({which} above {_ALPHA}). That does not show that they are equal."


def _detectable(found: Sequence[Difference], names: Sequence[str], *, width: int) -> list[str]:
    """How fine these queries can tell, without which "no difference" says nothing."""
    each = [
        f"{one.test.smallest_detectable:.3f} ({name})"
        for name, one in zip(names, found, strict=True)
        if one.test is not None and one.test.smallest_detectable is not None
    ]
    text = f"Smallest difference that such queries show 4 times in 5: {', '.join(each)}"
    return wrapped(text, rest="  ", width=width) if each else []


def _denominators(found: Sequence[Difference], names: Sequence[str], width: int) -> list[str]:
    """Over how many queries each difference is, in one line where it is the same for all."""
    if len({one.n for one in found}) == 1:
        return wrapped(f"Queries: {found[0].n} scored by both", rest="  ", width=width)
    each = ", ".join(f"{one.n} with {name}" for name, one in zip(names[1:], found, strict=True))
    return wrapped(f"Queries scored by both: {each}", rest="  ", width=width)
