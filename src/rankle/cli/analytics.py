"""`rankle analytics`: what people searched for, and what they found."""

from datetime import UTC, datetime

import click

from rankle.cli.options import json_option, workspace_option


@click.command("analytics", short_help="What people searched for, and what they found.")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    default=30,
    show_default=True,
    metavar="N",
    help="Days to look back, today included.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="Queries in each list.",
)
@workspace_option
@json_option
def analytics(*, days: int, top: int, workspace: str | None, as_json: bool) -> None:
    """What people searched for in a workspace, and what they found.

    \b
      rankle analytics
      rankle analytics --days 7 --top 20

    Lists the most frequent queries, those that found nothing, and those with weak results: the first result
    holds fewer than half of the query's terms. Case and white space do not tell queries apart. Latency is
    the time of the search itself; p95 is what 95 % of the searches did not exceed.

    Every `rankle search` is counted, unless with --no-log; `rankle eval` never is. The log is the file
    searches.db in the folder of the workspace, and leaves this machine by no way of ours.
    """
    from rankle.app.analytics import analyse
    from rankle.app.wiring.settings import load_settings
    from rankle.cli import analytics_report
    from rankle.cli.options import print_json

    now = datetime.now(UTC).astimezone()
    found = analyse(load_settings(workspace=workspace), now=now, days=days, top=top)
    if as_json:
        print_json("rankle.analytics/1", analytics_report.analytics_json(found))
    else:
        from rankle.cli.screen import table_width

        click.echo("\n".join(analytics_report.analytics_lines(found, width=table_width())))
