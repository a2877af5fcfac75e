"""`rankle show RUN`: a recorded run, as the day it ran."""

from pathlib import Path

import click

from rankle.cli.run_options import Show, run_argument, shown_options


@click.command("show", short_help="Show a recorded run, as the day it ran.")
@run_argument
@shown_options
def show(run: str, *, show: Show, records: Path | None) -> None:
    """Show a recorded run, as `rankle eval` or `rankle run` printed it the day it ran.

    RUN is an id or the beginning of one, latest (the newest complete run), latest~1 (the one before
    it), a tag, or a file that was saved with --output. Of a run of evals, RUN#NAME is one of them.

    \b
      rankle show latest
      rankle show 3f9c0a --worst 20 --funnel
      rankle show main --json
    """
    from rankle.app.runs import load_run
    from rankle.cli.evals_named import evals_of

    evals = evals_of([run], records=records)
    if evals is not None:
        from rankle.cli.eval_show import show_evals

        show_evals(evals, worst=show.worst, output=show.output, as_json=show.is_json)
        return
    loaded = load_run(run, records=records)
    show(loaded)
    if not show.is_json and loaded.info is not None:
        from rankle.cli.history_report import about_lines
        from rankle.cli.screen import screen

        click.echo("\n" + "\n".join(about_lines(loaded.info, width=screen().width)))
