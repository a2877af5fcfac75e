"""`rankle tag RUN NAME`: names for runs that last."""

from pathlib import Path

import click

from rankle.cli import completing
from rankle.cli.run_options import records_option
from rankle.core.errors import InputError


@click.command("tag", short_help="Name a recorded run.")
@click.argument("run", metavar="RUN", required=False, shell_complete=completing.runs)
@click.argument("name", metavar="NAME", required=False)
@click.option(
    "--delete", "gone", metavar="NAME", shell_complete=completing.tags, help="Take a tag away; the run stays."
)
@records_option
def tag(run: str | None, name: str | None, *, gone: str | None, records: Path | None) -> None:
    """Name a recorded run. A tag is on one run at a time: given again, it moves.

    RUN is named as in `rankle show`. A tagged run is not pruned.

    \b
      rankle tag latest main
      rankle tag --delete main
    """
    from rankle.app.tag_run import tag_run, untag

    if gone is not None:
        if run is not None:
            raise InputError(f"--delete takes the tag alone, as in: rankle tag --delete {gone}")
        untag(gone, records=records)
        click.echo(f"Taken away: {gone}")
        return
    if run is None or name is None:
        raise InputError("name a run and its tag, as in: rankle tag latest main")
    tagged = tag_run(run, name, records=records)
    moved = tagged.before is not None and tagged.before.whole_id != tagged.now.whole_id
    before = f"; it was on {tagged.before.whole_id}" if tagged.before is not None and moved else ""
    click.echo(f"Tagged: {tagged.now.whole_id} is {name}{before}")
