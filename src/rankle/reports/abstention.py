"""Whether a system finds nothing where nothing should be found: the figures as people read them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Final

from msgspec import UnsetType

from rankle.core.product import NAME
from rankle.core.run import AbstentionReport, RunReport, ShareReport
from rankle.reports.figure_table import Row, figure_table
from rankle.reports.layout import wrapped
from rankle.reports.table import ABSENT, percent

TITLES: Final = {"precision": "Precision", "recall": "Recall", "answered": "Answered"}
"""Member of `AbstentionReport` to its name in tables."""
_MEANING: Final = (
    "Precision: of the queries it abstained on, the share that nothing answers. Recall: of the queries that "
    "nothing answers, the share it abstained on. Answered: of those with an answer, the share it did not."
)
_CELL: Final = 20


@dataclass(frozen=True, slots=True)
class AbstentionFigure:
    """One share of a run, under its name for programs."""

    name: str
    """Such as `abstention_recall`."""
    share: ShareReport
    n_undefined: int
    n_failed: int


def abstention_reports(runs: Sequence[RunReport]) -> list[AbstentionReport | None]:
    """Of each run; None where its set marks no query."""
    return [None if isinstance(run.abstention, UnsetType) else run.abstention for run in runs]


def abstention_figures(run: RunReport) -> Iterator[AbstentionFigure]:
    """The shares of a run for programs; none where it has no abstention."""
    (report,) = abstention_reports([run])
    if report is not None:
        for name in TITLES:
            share: ShareReport = getattr(report, name)
            yield AbstentionFigure(f"abstention_{name}", share, report.n_undefined, report.n_failed)


def share_text(share: ShareReport) -> str:
    return ABSENT if share.share is None else percent(share.share)


def share_interval(share: ShareReport) -> str:
    if share.low is None or share.high is None:
        return ABSENT
    return f"{100 * share.low:.1f}–{percent(share.high)}"


def share_counts(share: ShareReport) -> str:
    return f"{share.n:,} of {share.n_of:,}"


def floor_text(floor: float | None) -> str:
    """A floor to ten digits, which is more than anybody writes."""
    return "none" if floor is None else f"{floor:.10g}"


def abstention_rows(runs: Sequence[RunReport]) -> list[tuple[str, list[str]]]:
    """Rows of a table with a column a run: the floor, then of each share its figure, counts and interval.

    Empty where no run has any.
    """
    reports = abstention_reports(runs)
    if not any(reports):
        return []
    rows = [("Floor", [ABSENT if one is None else floor_text(one.floor) for one in reports])]
    for name, title in TITLES.items():
        shares: list[ShareReport | None] = [None if one is None else getattr(one, name) for one in reports]
        for head, told in (
            (title, share_text),
            ("  queries", share_counts),
            ("  95% interval", share_interval),
        ):
            rows.append((head, [ABSENT if share is None else told(share) for share in shares]))
    return rows


def compact_rows(runs: Sequence[RunReport]) -> list[tuple[str, list[str]]]:
    """The same with all of a share in one cell, where a line has room for it."""
    rows = abstention_rows(runs)
    return rows[:1] + [
        (title, [_joined(*cells) for cells in zip(shares, counts, intervals, strict=True)])
        for (title, shares), (_, counts), (_, intervals) in zip(
            rows[1::3], rows[2::3], rows[3::3], strict=True
        )
    ]


def _joined(share: str, counts: str, interval: str) -> str:
    return share if counts == ABSENT else f"{share} ({counts}; {interval})"


def abstention_notes(runs: Sequence[RunReport], names: Sequence[str]) -> list[str]:
    """What the shares mean and which queries are in none of them; empty where no run has any.

    names: of the runs; one alone is not named.
    """
    told = [(name, one) for name, one in zip(names, abstention_reports(runs), strict=True) if one is not None]
    if not told:
        return []
    set_name = runs[0].set.name
    notes = [*_of_floors([one.floor for _, one in told], set_name), _MEANING, *_one_sided(told)]
    left_out = {name: _left_out(one) for name, one in told}
    if len(set(left_out.values())) == 1:
        return [*notes, *dict.fromkeys(f"In no share: {words}." for words in left_out.values() if words)]
    return [*notes, *(f"In no share of {name}: {words or 'none'}." for name, words in left_out.items())]


def share_rows(report: RunReport) -> list[tuple[str, list[str]]]:
    """Of one run a row a share: its figure, interval and counts; empty where its set marks no query."""
    (found,) = abstention_reports([report])
    if found is None:
        return []
    shares: list[tuple[str, ShareReport]] = [(title, getattr(found, name)) for name, title in TITLES.items()]
    return [(title, [share_text(one), share_interval(one), share_counts(one)]) for title, one in shares]


def abstention_lines(report: RunReport, *, width: int) -> list[str]:
    """The table of one run for a terminal; empty where its set marks no query."""
    rows: list[Row] = [*share_rows(report)]
    if not rows:
        return []
    heads = {"Share": 9, "95% interval": _CELL, "Queries": 12}
    lines = named_table("Abstention", heads, rows, name_width=16, width=width)
    return [*lines, "", *note_lines_of([report], [report.system.method], width=width)]


def named_table(
    corner: str, heads: Mapping[str, int], rows: Sequence[Row], *, name_width: int, width: int
) -> list[str]:
    """`figure_table`, with its corner above where the screen is too narrow for a table, which drops it."""
    lines = figure_table(corner, heads, rows, name_width=name_width, width=width)
    return lines if lines[0].startswith(corner) else [corner, *lines]


def note_lines_of(runs: Sequence[RunReport], names: Sequence[str], *, width: int) -> list[str]:
    return [
        line for note in abstention_notes(runs, names) for line in wrapped(note, width=width, breaking=True)
    ]


def _one_sided(told: Sequence[tuple[str, AbstentionReport]]) -> Iterator[str]:
    if not any(one.answered.n_of for _, one in told):
        yield "No query here has an answer, so that precision tells nothing."


def _of_floors(floors: Sequence[float | None], set_name: str) -> Iterator[str]:
    stated = [floor for floor in floors if floor is not None]
    if stated:
        one = f"the floor, {floor_text(stated[0])}" if len(floors) == 1 else "its floor"
        yield f"Search abstains where no result scores above {one}."
    if len(stated) < len(floors):
        which = "Where no floor is stated, it" if stated else "No floor is stated, so search"
        command = f"{NAME} eval floor {quote(set_name)}"
        yield f"{which} abstains only where nothing is found. To choose one: {command}"


def _left_out(report: AbstentionReport) -> str:
    parts = []
    if report.n_failed:
        parts.append(f"{report.n_failed:,} failed")
    if report.n_undefined:
        parts.append(f"{report.n_undefined:,} of which the set does not tell what should be found")
    return ", ".join(parts)
