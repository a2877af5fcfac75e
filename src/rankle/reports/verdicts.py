"""What a comparison says in plain words: better, worse, or no difference shown, measure by measure."""

import math
from collections.abc import Sequence
from typing import Final

from rankle.core.nouns import QUERIES, Noun
from rankle.metrics.figure import read_figure
from rankle.reports.comparison import MeasureDifference, Verdict
from rankle.reports.signed import probability, signed, signed_range
from rankle.reports.table import title_of

_OF_MEANS: Final = frozenset({"randomisation", "t"})


def verdict_of(
    *, p: float | None, alpha: float, difference: float | None, balance: int, method: str
) -> Verdict:
    """What the figures of one test come to.

    p: adjusted, None where nothing could be tested. balance: wins less losses. The tests of ranks and signs
    do not test the mean, so that what they find has a direction only where mean and balance agree.
    """
    if p is None or difference is None:
        return "not compared"
    if p > alpha:
        return "no difference shown"
    if method not in _OF_MEANS and difference * balance <= 0:
        return "unclear"
    return "better" if difference > 0 else "worse"


def fewest_queries(alpha: float) -> int:
    """How many queries the sign flips need for a p of at most alpha: of 2^n, two are the most extreme."""
    return 1 + math.ceil(math.log2(1 / alpha) - 1e-12)


def pair_sentence(
    one: MeasureDifference, *, label: str, alpha: float, n_tests: int, asked: Noun = QUERIES
) -> str:
    """The verdict on two runs by one measure. label: of the second, which is better or worse."""
    title = title_of(read_figure(one.measure))
    return f"{title}: {_said(one, label=label, alpha=alpha, n_tests=n_tests, asked=asked)}."


def several_sentence(
    pairs: Sequence[tuple[str, str, MeasureDifference]],
    *,
    alpha: float,
    n_tests: int,
    asked: Noun = QUERIES,
) -> str:
    """The verdict on several pairs of runs by one measure, in one sentence: `(a, b, figures)` each."""
    title = title_of(read_figure(pairs[0][2].measure))
    parts = [
        f"{b} is {one.verdict} than {a} ({signed(one.difference)}, p {probability(one.p_adjusted)})"
        for a, b, one in pairs
        if one.verdict in ("better", "worse")
    ]
    parts += [f"{a} and {b} unclear" for a, b, one in pairs if one.verdict == "unclear"]
    same = [(a, b, one) for a, b, one in pairs if one.verdict == "no difference shown"]
    if same:
        names = [f"{a}-{b}" for a, b, _ in same] if len(same) > 1 else [f"{same[0][0]} and {same[0][1]}"]
        parts.append(f"no difference shown between {', '.join(names)}")
        parts += _would_show([one for *_, one in same], alpha=alpha, n_tests=n_tests, asked=asked)
    parts += [f"no {asked.one} of {a} and {b} was scored by both" for a, b, one in pairs if not one.n]
    return f"{title}: {'; '.join(parts)}."


def _said(one: MeasureDifference, *, label: str, alpha: float, n_tests: int, asked: Noun) -> str:
    if one.difference is None:
        return f"not compared, since no {asked.one} was scored by both"
    p = f"p {probability(one.p_adjusted)}" + (f", adjusted for {n_tests} tests" if n_tests > 1 else "")
    if one.verdict in ("better", "worse"):
        bounded = one.low is not None and one.high is not None
        range_ = f", {100 * (1 - alpha):g}% interval {signed_range(one.low, one.high)}" if bounded else ""
        return f"{label} is {one.verdict} ({signed(one.difference)}{range_}; {p})"
    if one.verdict == "unclear":
        return f"unclear; {p}, but the mean and the count of wins do not point the same way"
    if one.ties == one.n:
        return "no difference shown; " + (
            f"its one {asked.one} scores the same"
            if one.n == 1
            else f"all {one.n} {asked.several} score the same"
        )
    parts = ["no difference shown", *_would_show([one], alpha=alpha, n_tests=n_tests, asked=asked)]
    if one.p_value is not None and one.p_value <= alpha:  # then n_tests > 1, and only the adjustment decided
        parts.append(
            f"p {probability(one.p_value)} by itself, but {probability(one.p_adjusted)} adjusted for "
            f"{n_tests} tests"
        )
    return "; ".join(parts)


def _would_show(same: Sequence[MeasureDifference], *, alpha: float, n_tests: int, asked: Noun) -> list[str]:
    """What these queries would have shown, without which "no difference" says nothing."""
    seen = [one.smallest_detectable for one in same if one.smallest_detectable is not None]
    if seen:
        return [f"one of {max(seen):.3f} would have shown 4 times in 5"]
    n, needed = max(one.n for one in same), fewest_queries(alpha / n_tests)
    if n < needed:
        words = f"{n} {asked.of(n)} {'is' if n == 1 else 'are'}"
        return [f"{words} too few to show any, which takes at least {needed}"]
    return []
