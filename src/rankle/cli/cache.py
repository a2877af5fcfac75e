"""`rankle cache info|clear|prune`: what evals need not ask again, and room for more."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from rankle.cli.groups import SuggestingGroup
from rankle.cli.options import json_option, yes_option
from rankle.cli.run_options import records_option

_KINDS: Final = click.Choice(["task", "model"])
_AGE: Final = "30d"
_SIZE: Final = "1GB"


@click.group("cache", cls=SuggestingGroup, short_help="See and clear what evals need not ask again.")
def cache() -> None:
    """See and clear what evals need not ask again.

    `rankle run` keeps what cacheable tasks and traced models gave, in the store of records, and takes it from
    there where case, trial, task, model and parameters are the same. It tidies up by itself: what is older
    than 30 days goes, and beyond 1 GB what was used longest ago.

    \b
      rankle cache info
      rankle cache prune --older-than 7d --max-size 200MB
      rankle cache clear --kind model --yes
    """


@cache.command("info", short_help="Say what the cache holds.")
@json_option
@records_option
def info(*, as_json: bool, records: Path | None) -> None:
    """Say how much the cache holds of tasks and of models, and what making it took.

    \b
      rankle cache info --json
    """
    from rankle.app.cache import cache_info
    from rankle.cli.cache_report import cache_lines, cache_record
    from rankle.cli.options import print_json

    found = cache_info(records=records)
    if as_json:
        print_json("rankle.cache/1", cache_record(found))
    else:
        click.echo("\n".join(cache_lines(found)))


@cache.command("clear", short_help="Remove all that the cache holds.")
@click.option("--kind", type=_KINDS, help="Only what tasks gave, or only what models did.")
@yes_option
@records_option
def clear(*, kind: str | None, yes: bool, records: Path | None) -> None:
    """Remove all that the cache holds; records of runs stay. Evals then ask everything again.

    \b
      rankle cache clear --yes
    """
    from rankle.app.cache import cache_info, clear_cache
    from rankle.cli.cache_report import clear_question, removed_line
    from rankle.cli.options import confirm

    found = cache_info(records=records)
    if not any(one.n for one in found.contents.kinds if kind in (None, one.kind)):
        click.echo("Nothing to remove.")
        return
    confirm(clear_question(found, kind=kind), yes=yes)
    click.echo(removed_line(clear_cache(kind=kind, records=records)))


@cache.command("prune", short_help="Remove what is old, and what is too much.")
@click.option(
    "--older-than", default=_AGE, show_default=True, metavar="AGE", help="Made longer ago: 30d, 12h, 4w."
)
@click.option(
    "--max-size",
    default=_SIZE,
    show_default=True,
    metavar="SIZE",
    help="What may stay, such as 500MB; what was used longest ago goes first.",
)
@click.option("--kind", type=_KINDS, help="Look only at what tasks gave, or only at what models did.")
@records_option
def prune(*, older_than: str, max_size: str, kind: str | None, records: Path | None) -> None:
    """Remove what is older than an age, then what was used longest ago until the rest fits.

    \b
      rankle cache prune --older-than 7d
      rankle cache prune --max-size 200MB --kind model
    """
    from rankle.app.cache import prune_cache
    from rankle.cli.cache_report import removed_line
    from rankle.cli.moments import parse_age
    from rankle.cli.sizes import parse_size

    now = datetime.now(UTC)
    before = parse_age(older_than, now=now, option="--older-than")
    gone = prune_cache(
        max_age_s=(now - before).total_seconds(),
        max_bytes=parse_size(max_size, option="--max-size"),
        kind=kind,
        records=records,
    )
    click.echo(removed_line(gone))
