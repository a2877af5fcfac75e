"""`rankle ratings list|export|agreement|remove`: what people thought of results."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rankle.cli.groups import SuggestingGroup
from rankle.cli.options import count, json_option, workspace_option, yes_option


@click.group("ratings", cls=SuggestingGroup, short_help="List, export and remove ratings.")
def ratings() -> None:
    """List, export and remove the ratings of a workspace, which `rankle rate` gave.

    \b
      rankle ratings list --rater anna
      rankle ratings export -o ratings.jsonl
      rankle ratings remove 12 13

    No index loses a rating, neither when a text is cut anew nor when its document goes. They are the file
    ratings.db in the folder of the workspace.
    """


def _choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--document", metavar="DOC", help="Of this document only, by its id."),
        click.option("--rater", metavar="NAME", help="By this rater only."),
        click.option("--query", metavar="TEXT", help="For queries with this text, case ignored."),
    ):
        command = option(command)
    return command


@ratings.command("list", short_help="List the ratings, and what became of their passages.")
@_choice_options
@click.option("--gone", is_flag=True, help="Only those whose document is not indexed any more.")
@workspace_option
@json_option
def list_(
    *,
    query: str | None,
    rater: str | None,
    document: str | None,
    gone: bool,
    workspace: str | None,
    as_json: bool,
) -> None:
    """List the ratings, the oldest first.

    \b
      rankle ratings list
      rankle ratings list --query reset --json

    What became of the passage stands behind its document: nothing where its chunk is in the index, "cut anew"
    where the document has other chunks or text now, "gone" where the document is not indexed any more.

    --json prints rankle.ratings/1: workspace, and ratings with id, at, query, collection, document, chunk,
    start, end, quote, rating, rater, note, and standing (indexed, recut or gone).
    """
    from rankle.app.ratings import Choice, list_ratings
    from rankle.app.wiring.settings import load_settings
    from rankle.cli import ratings_report
    from rankle.cli.options import print_report

    settings = load_settings(workspace=workspace)
    found = list_ratings(settings, Choice(query, rater, document), gone=gone)
    if as_json:
        print_report(ratings_report.list_json(found, workspace=settings.workspace))
    else:
        from rankle.cli.screen import table_width

        click.echo("\n".join(ratings_report.list_lines(found, width=table_width())))


@ratings.command("export", short_help="Write the ratings as JSON Lines or CSV.")
@_choice_options
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Default: standard output."
)
@click.option(
    "--as", "form", type=click.Choice(["jsonl", "csv"]), help="Default: what FILE ends in, else jsonl."
)
@workspace_option
def export(
    *,
    query: str | None,
    rater: str | None,
    document: str | None,
    output: Path | None,
    form: str | None,
    workspace: str | None,
) -> None:
    """Write the ratings, with the whole text of each passage.

    \b
      rankle ratings export > ratings.jsonl
      rankle ratings export -o ratings.csv

    Also where the index cannot be opened.
    """
    from rankle.app.ratings import Choice, read_ratings
    from rankle.app.wiring.settings import load_settings
    from rankle.core.errors import InputError
    from rankle.formats.output import write_bytes
    from rankle.formats.rating_rows import FORMS, render_ratings

    named = output.suffix.lstrip(".").lower() if output is not None else "jsonl"
    if form is None and named not in FORMS:
        raise InputError(f"the name {output} does not tell what to write; let it end in .jsonl or .csv")
    found = read_ratings(load_settings(workspace=workspace), Choice(query, rater, document))
    text = render_ratings(found, form or named)
    if output is None:
        click.echo(text, nl=False, color=True)  # color: the texts go out as they are
    else:
        write_bytes(output, text.encode())
        click.echo(f"Wrote {count(len(found), 'rating')} to {output}")


@ratings.command("remove", short_help="Drop ratings, by number or by what they are of.")
@click.argument("ids", metavar="[ID]...", nargs=-1, type=int)
@_choice_options
@click.option("--gone", is_flag=True, help="Those whose document is not indexed any more.")
@click.option("--all", "every", is_flag=True, help="All ratings of the workspace.")
@yes_option
@workspace_option
def remove(
    ids: tuple[int, ...],
    *,
    query: str | None,
    rater: str | None,
    document: str | None,
    gone: bool,
    every: bool,
    yes: bool,
    workspace: str | None,
) -> None:
    """Drop ratings for good: by the numbers that `rankle ratings list` shows, or by what they are of.

    \b
      rankle ratings remove 12 13
      rankle ratings remove --rater anna --query reset --yes
    """
    from rankle.app import ratings as use
    from rankle.app.wiring.settings import load_settings
    from rankle.cli.options import confirm

    settings = load_settings(workspace=workspace)
    doomed = use.plan_removal(settings, ids, use.Choice(query, rater, document), every=every, gone=gone)
    if not doomed:
        click.echo("No rating is of that kind. Nothing was changed.")
        return
    confirm(f"Remove {count(len(doomed), 'rating')} from workspace {settings.workspace}?", yes=yes)
    click.echo(f"Removed: {count(use.remove(settings, doomed), 'rating')}")


@ratings.command("agreement", short_help="How far raters agree.")
@_choice_options
@workspace_option
@json_option
def agreement(
    *, query: str | None, rater: str | None, document: str | None, workspace: str | None, as_json: bool
) -> None:
    """How far raters agree on the passages that several of them rated: Krippendorff's alpha (ordinal) of all,
    and Cohen's kappa of every two. 1 is always, 0 as often as by chance.

    \b
      rankle ratings agreement
    """
    from rankle.app.ratings import Choice, ratings_agreement
    from rankle.app.wiring.settings import load_settings
    from rankle.cli.agreement_report import agreement_lines
    from rankle.cli.options import print_report
    from rankle.reports.judging_json import AgreementReport, judges_record

    found = ratings_agreement(load_settings(workspace=workspace), Choice(query, rater, document))
    if as_json:
        print_report(AgreementReport(agreement=judges_record(found)))
    else:
        click.echo("\n".join(agreement_lines(found, what="passages")))
