"""Two runs beyond their means, for people: what moved most, the slices, how alike the rankings are."""

from collections.abc import Sequence
from typing import Final

from rankle.core.nouns import CASES, asked_at
from rankle.metrics.figure import read_figure
from rankle.reports.comparison import Comparison, Move, PairComparison
from rankle.reports.figure_table import Row, figure_table
from rankle.reports.layout import one_line, pad, wrapped
from rankle.reports.shortening import shortened
from rankle.reports.signed import probability, signed, signed_range
from rankle.reports.table import ABSENT, title_of

_NUMBER: Final = 5
_ID: Final = 17
"""Cells of a query's id at most; ids of cases have so many."""
_SCORE: Final = 7
_CHANGE: Final = 8
_RANKS: Final = 13
_ROOM: Final = 24
"""Cells that a query needs to stand in the line of its figures."""
_SLICES: Final = 10
"""Slices that are shown of a pair, the worst first; the JSON has all."""


def pair_blocks(
    found: Comparison, pair: PairComparison, *, n_moves: int, width: int
) -> tuple[list[str], list[str], list[str]]:
    """The lines of each; none where there is nothing to tell.

    n_moves: queries to show that lost most, and as many that gained most.
    """
    return (
        _moves(found, pair, n=n_moves, width=width),
        _slices(found, pair, width=width),
        _overlap(pair, width=width),
    )


def interval_head(found: Comparison) -> str:
    """The head of a column of intervals, such as `95% interval`."""
    return f"{100 * (1 - found.alpha):g}% interval"


def mean_text(value: float | None) -> str:
    return ABSENT if value is None else f"{value:.3f}"


def _moves(found: Comparison, pair: PairComparison, *, n: int, width: int) -> list[str]:
    """What lost most and what gained most, n queries of each at most."""
    lost = [move for move in pair.moves if move.score_b < move.score_a]
    gained = sorted((move for move in pair.moves if move.score_b > move.score_a), key=_loss)
    lines: list[str] = []
    for words, moves in (("Lost", lost), ("Gained", gained)):
        if moves[:n]:
            lines += [""] if lines else []
            of = f"{len(moves):,}" if len(moves) <= n else f"{n} of {len(moves):,}"
            head = f"{words} most from {pair.a} to {pair.b}, by {_title(found)} ({of})"
            lines += wrapped(head, rest="  ", width=width)
            lines += _move_table(found, pair, moves[:n], width=width)
    shown = [*lost[:n], *gained[:n]]
    if found.level != "case" and any(
        None in (move.first_relevant_rank_a, move.first_relevant_rank_b) for move in shown
    ):
        told = f"first hit: rank of the first relevant result; {ABSENT} is none in the first {found.depth}"
        lines += wrapped(told, rest="  ", width=width)
    return lines


def _move_table(found: Comparison, pair: PairComparison, moves: Sequence[Move], *, width: int) -> list[str]:
    """Cases of evals have no ranks, so that column is theirs alone who have any."""
    asked = asked_at(found.level)
    has_ranks = asked is not CASES
    heads = pad("", _NUMBER) + pad(pair.a, _SCORE) + pad(pair.b, _SCORE) + pad("change", _CHANGE)
    heads += pad("first hit", _RANKS) if has_ranks else ""
    if width < len(heads) + _ROOM:
        each = enumerate(moves, start=1)
        return [line for place, move in each for line in _in_words(place, move, width, has_ranks=has_ranks)]
    lines = [f"{heads}{asked.one}"]
    for place, move in enumerate(moves, start=1):
        figures = pad(f"{place:3}. ", _NUMBER) + pad(f"{move.score_a:.3f}", _SCORE)
        figures += pad(f"{move.score_b:.3f}", _SCORE) + pad(signed(move.score_b - move.score_a), _CHANGE)
        figures += pad(_ranks(move), _RANKS) if has_ranks else ""
        lines.append(figures + one_line(_query(move), width=width - len(figures)))
    return lines


def _in_words(place: int, move: Move, width: int, *, has_ranks: bool) -> list[str]:
    figures = f"{place}. {move.score_a:.3f} → {move.score_b:.3f}"
    figures += f"; first hit {_ranks(move)}" if has_ranks else ""
    return [
        *wrapped(figures, first="  ", rest=" " * _NUMBER, width=width),
        " " * _NUMBER + one_line(_query(move), width=width - _NUMBER),
    ]


def _loss(move: Move) -> float:
    return round(move.score_a - move.score_b, 9)


def _ranks(move: Move) -> str:
    ranks = (move.first_relevant_rank_a, move.first_relevant_rank_b)
    return " → ".join(ABSENT if rank is None else str(rank) for rank in ranks)


def _query(move: Move) -> str:
    """Id and text; only the id where the record has no text."""
    name = shortened(move.id, _ID)
    return f"{name}  {one_line(move.query)}" if move.query and move.query != move.id else name


def _slices(found: Comparison, pair: PairComparison, *, width: int) -> list[str]:
    if not pair.slices:
        return []
    shown = pair.slices[:_SLICES]
    heads = {
        "n": 6, pair.a: 7, pair.b: 7, "change": 8, interval_head(found): 18, "Holm p": 8,
    }  # fmt: skip
    rows: list[Row] = [
        (
            f"{one.by} {one_line(one.value)}",
            [
                f"{one.n:,}",
                mean_text(one.mean_a),
                mean_text(one.mean_b),
                signed(one.difference),
                signed_range(one.low, one.high),
                probability(one.p_adjusted),
            ],
        )
        for one in shown
    ]
    of = (
        f", the worst {len(shown)} of {len(pair.slices)}"
        if len(shown) < len(pair.slices)
        else ", worst first"
    )
    lines = wrapped(f"Slices from {pair.a} to {pair.b}, by {_title(found)}{of}", rest="  ", width=width)
    return lines + figure_table("Slice", heads, rows, name_width=20, width=width)


def _overlap(pair: PairComparison, *, width: int) -> list[str]:
    one = pair.overlap
    if one is None:
        return []
    within = "results" if one.k is None else f"results in the first {one.k}"
    text = f"Rankings of {pair.a} and {pair.b}: overlap {one.rbo:.3f} (mean RBO; 1 is the same)."
    if any(measure.n for measure in pair.measures):  # else no judgment could have told anything
        text += (
            f" Unjudged {within}: {one.unjudged_only_a:,} of {pair.a} only, {one.unjudged_only_b:,} of "
            f"{pair.b} only."
        )
    return wrapped(text, rest="  ", width=width)


def _title(found: Comparison) -> str:
    return title_of(read_figure(found.main_measure))
