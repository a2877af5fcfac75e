"""How many queries it takes, for people at a terminal."""

from rankle.metrics.figure import read_figure
from rankle.reports.figure_table import Row, figure_table
from rankle.reports.header import note_lines
from rankle.reports.layout import WIDTH, one_line, wrapped
from rankle.reports.power import PowerReport
from rankle.reports.table import ABSENT, title_of


def render_power(found: PowerReport, *, width: int = WIDTH) -> str:
    """The answer, the table behind it and what it rests on, ending in a line break."""
    blocks = [
        wrapped(one_line(_question(found)), width=width, breaking=True),
        note_lines(found.notes, width=width),
        wrapped(_answer(found), width=width),
        _table(found, width=width),
        [line for text in _rests_on(found) for line in wrapped(one_line(text), width=width, breaking=True)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _question(found: PowerReport) -> str:
    return (
        f"How many queries like those of {found.set} show a difference of {found.difference:g} in "
        f"{title_of(read_figure(found.measure))}, with a chance of {100 * found.power:g}% at "
        f"alpha {found.alpha:g}?"
    )


def _answer(found: PowerReport) -> str:
    needed = [row.n_needed for row in found.rows]
    few, many = min(needed), max(needed)
    range_ = f"{few:,}" if few == many else f"{few:,} to {many:,}, by how much the runs differ"
    have = f"The set has {found.n_queries:,} that can be scored"
    if many <= found.n_queries:
        return f"{range_}. {have}: enough."
    if few > found.n_queries:
        return f"{range_}. {have}: too few."
    return f"{range_}. {have}: enough for changes that leave most as it is."


def _table(found: PowerReport, *, width: int) -> list[str]:
    heads = {"correlation": 13, "vary by": 9, "queries": 9, f"seen with {found.n_queries:,}": 9}
    rows: list[Row] = [
        (
            row.change,
            [
                ABSENT if row.correlation is None else f"{row.correlation:.2f}",
                f"{row.deviation:.3f}",
                f"{row.n_needed:,}",
                ABSENT if row.smallest is None else f"{row.smallest:.3f}",
            ],
        )
        for row in found.rows
    ]
    return figure_table("Compared with", heads, rows, name_width=27, width=width)


def _rests_on(found: PowerReport) -> list[str]:
    told = "vary by: the standard deviation of the differences per query"
    n = f"{found.n_scored:,} queries"
    if found.against is not None:
        return [told, f"From the differences of {found.run} and {found.against} on {n}."]
    source = (
        f"From the scores of {found.run}, which vary by {found.deviation:.3f} over {n}. "
        "How much two runs correlate is supposed; a second run tells: --against RUN."
    )
    return [told, source]
