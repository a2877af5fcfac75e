"""What became of abstention from one run to another: computed query by query, and as people read it."""

from collections.abc import Mapping, Sequence

from msgspec import UnsetType

from rankle.core.run import QueryReport, RunReport
from rankle.reports.abstention import floor_text, named_table
from rankle.reports.comparison import AbstentionChange, Comparison, PairComparison, ShareDifference
from rankle.reports.figure_table import Row
from rankle.reports.layout import wrapped
from rankle.reports.signed import probability, signed, signed_range
from rankle.reports.table import ABSENT
from rankle.stats.paired import paired_test


def abstention_change(
    runs: tuple[RunReport, RunReport],
    queries: tuple[Mapping[str, QueryReport], Mapping[str, QueryReport]],
    *,
    alpha: float,
    seed: int,
) -> AbstentionChange | None:
    """Of two runs, over the queries that both answered and have on the same side; None unless both tell.

    queries: those in common, of each run by id. Always by sign flips of 0 and 1, which for up to 20 queries
    is McNemar's exact test.
    """
    first, second = (run.abstention for run in runs)
    if isinstance(first, UnsetType) or isinstance(second, UnsetType):
        return None
    return AbstentionChange(
        floor_a=first.floor,
        floor_b=second.floor,
        precision_a=first.precision.share,
        precision_b=second.precision.share,
        recall=_difference(*queries, answerable=False, alpha=alpha, seed=seed),
        answered=_difference(*queries, answerable=True, alpha=alpha, seed=seed),
    )


def _difference(
    a: Mapping[str, QueryReport],
    b: Mapping[str, QueryReport],
    *,
    answerable: bool,
    alpha: float,
    seed: int,
) -> ShareDifference:
    """1 is right: abstained on what nothing answers, not abstained on the others."""
    right: list[tuple[float, float]] = []
    for name, one in a.items():
        pair = (one, b[name])
        if all(each.answerable is answerable for each in pair):
            told = [each.abstained for each in pair if not isinstance(each.abstained, UnsetType)]
            if len(told) == 2:
                right.append((float(told[0] is not answerable), float(told[1] is not answerable)))
    if not right:
        return ShareDifference(n=0, share_a=None, share_b=None, difference=None, low=None, high=None,
                               p_value=None, wins=0, losses=0)  # fmt: skip
    before, after = zip(*right, strict=True)
    test = paired_test(before, after, seed=seed, level=round(1.0 - alpha, 12))
    return ShareDifference(
        n=test.n,
        share_a=test.mean_a,
        share_b=test.mean_b,
        difference=test.difference,
        low=test.low,
        high=test.high,
        p_value=test.p_value,
        wins=test.wins,
        losses=test.losses,
    )


def change_lines(found: Comparison, *, width: int) -> list[str]:
    """A table, of several pairs with a row each below the name of the share; empty where no pair has any."""
    pairs = [(pair, pair.abstention) for pair in found.pairs if pair.abstention is not None]
    if not pairs:
        return []
    one = len(found.pairs) == 1
    first, second = ("A", "B") if one else ("first", "second")
    gap = "B − A" if one else "difference"
    interval = f"{100 * (1 - found.alpha):g}% interval"
    heads = {first: 7, second: 7, gap: 8, interval: 18, "p": 8, "queries": 9}
    rows = _rows(pairs, is_one=one)
    lines = named_table("Abstention", heads, rows, name_width=14, width=width)
    return [*lines, "", *(line for note in _notes(found, pairs) for line in wrapped(note, width=width))]


def _rows(pairs: Sequence[tuple[PairComparison, AbstentionChange]], *, is_one: bool) -> list[Row]:
    rows: list[Row] = []
    for title, cells in (
        ("Precision", _precision),
        ("Recall", lambda change: _cells(change.recall)),
        ("Answered", lambda change: _cells(change.answered)),
    ):
        if is_one:
            rows.append((title, cells(pairs[0][1])))
            continue
        rows.append((title, []))
        rows += [(f"  {pair.a} to {pair.b}", cells(change)) for pair, change in pairs]
    return rows


def _precision(change: AbstentionChange) -> list[str]:
    return [_share(change.precision_a), _share(change.precision_b), *[ABSENT] * 4]


def _cells(one: ShareDifference) -> list[str]:
    return [
        _share(one.share_a),
        _share(one.share_b),
        signed(one.difference),
        signed_range(one.low, one.high),
        probability(one.p_value),
        f"{one.n:,}",
    ]


def _share(value: float | None) -> str:
    return ABSENT if value is None else f"{value:.3f}"


def _notes(found: Comparison, pairs: Sequence[tuple[PairComparison, AbstentionChange]]) -> list[str]:
    floors = dict[str, str]()
    for pair, change in pairs:
        floors |= {pair.a: floor_text(change.floor_a), pair.b: floor_text(change.floor_b)}
    listed = ", ".join(f"{run.label} {floors[run.label]}" for run in found.runs if run.label in floors)
    untested = "Precision is over other queries in each run, so it is not tested"
    return [f"Floors: {listed}. {untested}; each p is by itself, apart from those above."]
