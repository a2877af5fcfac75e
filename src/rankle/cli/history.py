"""`rankle history`: what was measured when, and room for what is to come."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from rankle.cli.groups import SuggestingGroup
from rankle.cli.options import confirm, count, json_option, yes_option
from rankle.cli.run_options import records_option

_SHOWN: Final = 20


@click.group(
    "history",
    cls=SuggestingGroup,
    invoke_without_command=True,
    short_help="List recorded runs; prune old ones.",
)
@click.option("--name", metavar="TEXT", help="Runs whose name has this text in it.")
@click.option("--set", "set_name", metavar="TEXT", help="Runs over sets whose name has this text in it.")
@click.option("--tag", metavar="NAME", help="The run with this tag.")
@click.option("--since", metavar="WHEN", help="Begun then or later: a date, a time, or an age such as 7d.")
@click.option("--until", metavar="WHEN", help="Begun before then.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=_SHOWN,
    show_default=True,
    metavar="N",
    help="Runs shown, newest first; --json has all.",
)
@json_option
@records_option
@click.pass_context
def history(
    context: click.Context,
    *,
    name: str | None,
    set_name: str | None,
    tag: str | None,
    since: str | None,
    until: str | None,
    limit: int,
    as_json: bool,
    records: Path | None,
) -> None:
    """List the recorded runs, newest first.

    `rankle eval` records every run in .rankle/records.db, beside the project file or in the current folder.

    \b
      rankle history --since 7d
      rankle history --set support --json
      rankle history prune --keep 50
    """
    context.obj = records
    if context.invoked_subcommand is not None:
        return
    from rankle.app.history import list_runs
    from rankle.cli.history_report import history_lines, history_record
    from rankle.cli.moments import parse_moment
    from rankle.cli.screen import table_width
    from rankle.records.choosing import RunFilter
    from rankle.reports.json_text import json_text

    now = datetime.now(UTC).astimezone()
    wanted = RunFilter(
        name=name,
        set_name=set_name,
        tag=tag,
        since=None if since is None else parse_moment(since, now=now, option="--since"),
        until=None if until is None else parse_moment(until, now=now, option="--until"),
    )
    found = list_runs(wanted, records=records)
    if as_json:
        click.echo(json_text(history_record(found)), nl=False)
    else:
        click.echo("\n".join(history_lines(found, limit=limit, zone=now.tzinfo, width=table_width())))


@history.command("prune", short_help="Delete old runs.")
@click.option("--keep", type=click.IntRange(min=0), metavar="N", help="The newest N runs stay.")
@click.option("--older-than", metavar="AGE", help="What is younger stays: 30d, 12h, 4w.")
@yes_option
@records_option
@click.pass_context
def prune(
    context: click.Context, *, keep: int | None, older_than: str | None, yes: bool, records: Path | None
) -> None:
    """Delete recorded runs with all that was kept of them.

    With both limits, only what is beyond both goes. Runs with a tag, baselines and runs that are going on
    stay in any case.

    \b
      rankle history prune --keep 50
      rankle history prune --older-than 30d --yes
    """
    from rankle.app.history import plan_prune
    from rankle.app.history import prune as delete
    from rankle.cli.history_report import prune_question, staying
    from rankle.cli.moments import parse_age

    now = datetime.now(UTC)
    before = None if older_than is None else parse_age(older_than, now=now, option="--older-than")
    plan = plan_prune(keep=keep, before=before, records=records or context.obj)
    if not plan.runs:
        click.echo(f"Nothing to delete; {staying(plan.n_all)}.")
        return
    confirm(prune_question(plan), yes=yes)
    n_deleted = delete(plan)
    click.echo(f"Deleted: {count(n_deleted, 'run')}; {staying(plan.n_all - n_deleted)}.")
