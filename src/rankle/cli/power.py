"""`rankle power SET --run RUN`: how many queries does it take?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.options import json_option
from rankle.cli.reading import set_reading_options
from rankle.cli.run_options import records_option

if TYPE_CHECKING:
    from rankle.formats.kinds import ReadOptions

_SHARE = click.FloatRange(min=0, max=1, min_open=True, max_open=True)


@click.command("power", short_help="Say how many queries it takes to see a difference.")
@click.argument("set_file", metavar="SET", type=click.Path(path_type=Path))
@click.option(
    "--run",
    required=True,
    metavar="RUN",
    shell_complete=completing.runs,
    help="The run whose scores say how much queries vary.",
)
@click.option(
    "--against",
    metavar="RUN",
    shell_complete=completing.runs,
    help="A second run: then their differences say it, and nothing is supposed.",
)
@click.option(
    "--difference",
    type=click.FloatRange(min=0, min_open=True),
    default=0.02,
    show_default=True,
    metavar="D",
    help="The difference of two means that is to be seen.",
)
@click.option(
    "--measure", metavar="NAME", shell_complete=completing.measures, help="Default: nDCG at its deepest cut."
)
@click.option(
    "--power",
    type=_SHARE,
    default=0.8,
    show_default=True,
    metavar="P",
    help="The chance to see it, if it is there.",
)
@click.option(
    "--alpha",
    type=_SHARE,
    default=0.05,
    show_default=True,
    metavar="P",
    help="The chance of a false alarm, if it is not.",
)
@click.option(
    "--correlation",
    type=click.FloatRange(min=-1, max=1, max_open=True),
    metavar="R",
    help="How much the scores of the two systems correlate. Default: several likely values.",
)
@json_option
@records_option
@set_reading_options
def power(
    set_file: Path,
    *,
    run: str,
    against: str | None,
    difference: float,
    measure: str | None,
    power: float,
    alpha: float,
    correlation: float | None,
    as_json: bool,
    records: Path | None,
    reading: "ReadOptions",
) -> None:
    """Say how many queries it takes to see a difference, and what the queries of SET can show.

    RUN is an id, latest, a tag, or a file, as for `rankle compare`.

    \b
      rankle power set.jsonl --run latest
      rankle power set.jsonl --run latest --difference 0.05 --measure RR@10
      rankle power set.jsonl --run latest~1 --against latest

    Two systems that share much answer most queries alike, so that their differences vary little and fewer
    queries tell. With one run, how much they share is supposed; --against measures it.
    """
    from rankle.app.power import power_of
    from rankle.cli.screen import screen
    from rankle.core.errors import InputError
    from rankle.reports.json_text import json_text
    from rankle.reports.power import PowerRequest
    from rankle.reports.power_text import render_power

    if against is not None and correlation is not None:
        raise InputError("--against measures what --correlation supposes; give one of them")
    request = PowerRequest(
        difference=difference, power=power, alpha=alpha, measure=measure, correlation=correlation
    )
    found = power_of(set_file, run, request, against=against, records=records, reading=reading)
    click.echo(json_text(found) if as_json else render_power(found, width=screen().width), nl=False)
