"""A floor that was looked for, for people at a terminal."""

from typing import Final

from rankle.core.floor import FloorFigures, FloorReport
from rankle.core.product import NAME
from rankle.core.run import ShareReport
from rankle.reports.abstention import floor_text, named_table, share_counts, share_interval, share_text
from rankle.reports.figure_table import Row
from rankle.reports.header import note_lines
from rankle.reports.layout import WIDTH, wrapped
from rankle.reports.table import ABSENT

_RELATIVE: Final = frozenset({"hybrid"})
"""Methods whose scores are relative to the other results of a query."""


def render_floor(found: FloorReport, *, path: str, width: int = WIDTH) -> str:
    """The floor, its two errors on the queries that it was not chosen on, and whether it is kept.

    path: the set, as the user named it. width: cells of a line, at least 40.
    """
    blocks = [
        wrapped(_head(found), rest="  ", width=width),
        note_lines(found.notices, width=width),
        named_table("On the other queries", _HEADS, _rows(found), name_width=37, width=width),
        _left_out(found, width=width),
        *(wrapped(text, width=width) for text in _verdict(found, path)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


_HEADS: Final = {"Share": 9, "95% interval": 16, "Queries": 12}


def _head(found: FloorReport) -> str:
    on = found.chosen_on
    name = "none does better than none" if found.floor is None else floor_text(found.floor)
    queries = f"{on.recall.n_of:,} queries that nothing answers and {on.answered.n_of:,} with an answer"
    balance = "" if found.floor is None else f": {_balance(on.balanced_accuracy)}"
    return (
        f"Floor of {found.method}: {name}. Chosen on {queries} (seed {found.seed}), by balanced "
        f"accuracy{balance}"
    )


def _rows(found: FloorReport) -> list[Row]:
    rest, without = found.rest, found.rest_without
    return [
        _error("Answers though nothing does", rest.recall),
        _error("Abstains though there is an answer", rest.answered),
        ("Balanced accuracy", [_balance(rest.balanced_accuracy), _balance_interval(rest), ABSENT]),
        (
            "  the same without a floor",
            [_balance(without.balanced_accuracy), _balance_interval(without), ABSENT],
        ),
        ("  the same by chance", ["0.500", ABSENT, ABSENT]),
    ]


def _error(title: str, right: ShareReport) -> Row:
    """The share of the queries that went wrong, of which the record has the others."""
    wrong = ShareReport(
        share=None if right.share is None else (right.n_of - right.n) / right.n_of,
        low=None if right.high is None else 1 - right.high,
        high=None if right.low is None else 1 - right.low,
        n=right.n_of - right.n,
        n_of=right.n_of,
    )
    return title, [share_text(wrong), share_interval(wrong), share_counts(wrong)]


def _left_out(found: FloorReport, *, width: int) -> list[str]:
    parts = []
    if found.n_failed:
        parts.append(f"{found.n_failed:,} failed")
    if found.n_undefined:
        parts.append(f"{found.n_undefined:,} of which the set does not tell what should be found")
    return wrapped(f"Left out: {', '.join(parts)}.", width=width) if parts else []


def _verdict(found: FloorReport, path: str) -> list[str]:
    """A paragraph each."""
    method, workspace = found.method, found.workspace
    if found.kept:
        see = f"{NAME} eval {path} --method {method} -w {workspace}"
        kept = f"Kept as the floor of {method} in the workspace {workspace}. To see what it does: {see}."
        return [f"{kept} Search itself returns what it did before."]
    if found.separates:
        return ["Not kept, since this is a dry run."]
    why = (
        "no floor does better than none on the queries to choose on"
        if found.floor is None
        else "on the other queries it may be no better than chance"
    )
    told = f"No floor separates queries that nothing answers from others by the scores of {method}: {why}."
    return [f"{told} Nothing was kept; a floor that stood before stays.", _advice(method)]


def _advice(method: str) -> str:
    if method not in _RELATIVE:
        return "More queries may show one, and so may another method."
    return (
        f"The scores of {method} are relative to the best result of each list, so that they hardly tell "
        "whether anything fits. Those of one list alone may: --method vector, --method fts5."
    )


def _balance(value: float | None) -> str:
    return ABSENT if value is None else f"{value:.3f}"


def _balance_interval(figures: FloorFigures) -> str:
    if figures.low is None or figures.high is None:
        return ABSENT
    return f"{figures.low:.3f}–{figures.high:.3f}"
