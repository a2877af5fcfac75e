"""`rankle eval floor`: from which score on a result counts as found."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankle.cli.options import json_option, max_failures_option, method_option, workspace_option
from rankle.cli.ranking_options import ranking_options
from rankle.cli.reading import set_reading_options

if TYPE_CHECKING:
    from rankle.app.wiring.settings import Settings
    from rankle.formats.kinds import ReadOptions
    from rankle.kb.floors import Floor
    from rankle.kb.search_settings import SearchSettings


@click.command("floor", short_help="Choose the score up to which nothing counts as found.")
@click.argument("set_file", metavar="[SET]", type=click.Path(path_type=Path), required=False)
@method_option
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Of the split: half of the queries choose, half say how well.",
)
@click.option("--dry-run", is_flag=True, help="Keep nothing.")
@click.option("--set", "value", type=float, metavar="VALUE", help="Set the floor by hand, without SET.")
@click.option("--clear", is_flag=True, help="Drop the floor of --method, or of all methods.")
@max_failures_option
@workspace_option
@json_option
@ranking_options
@set_reading_options
def floor(
    set_file: Path | None,
    *,
    method: str | None,
    seed: int,
    dry_run: bool,
    value: float | None,
    clear: bool,
    max_failures: int,
    workspace: str | None,
    as_json: bool,
    ranking: "SearchSettings",
    reading: "ReadOptions",
) -> None:
    """Choose the floor of a method: the score that a result must be above to count as found. `rankle eval`
    then reports on which queries search abstains, and on which it should. Search itself returns what it did
    before.

    \b
      rankle eval floor set.jsonl
      rankle eval floor set.jsonl --method vector --dry-run
      rankle eval floor --set 0.8 --method vector
      rankle eval floor --clear
      rankle eval floor

    SET needs at least 10 queries that nothing answers ("answerable": false, or --empty-means nothing) and
    10 with a relevant label. On half of each, drawn by --seed, the floor with the highest balanced accuracy
    is chosen. That is the mean of two shares: of the queries that nothing answers, the ones abstained on,
    and of the others, the ones that are not. Of equal floors the lowest is taken. Both errors are reported
    on the other half, and the floor is kept in the workspace where they show that it separates the two.
    That need not be so: the scores of hybrid are relative to the best result of each list.

    A floor is of one method, model and ranking (--fusion, --vector-weight, --candidates); with others it
    is not used. Without SET, the floors of the workspace are listed.

    Exit code 2 if no floor separates, or a side has too few queries. --json prints rankle.floor/1.
    """
    from rankle.app.wiring.settings import load_settings
    from rankle.core.errors import InputError

    given = {"SET": set_file is not None, "--set": value is not None, "--clear": clear}
    named = [name for name, is_given in given.items() if is_given]
    if len(named) > 1:
        raise InputError(f"{' and '.join(named)} ask for different things; give one of them")
    if dry_run and set_file is None:
        raise InputError("--dry-run is about choosing a floor on a set; name the set")
    settings = load_settings(workspace=workspace)
    if set_file is not None:
        from rankle.app.floor import FloorRequest

        asked = FloorRequest(
            set_file=set_file,
            method=method,
            seed=seed,
            dry_run=dry_run,
            reading=reading,
            ranking=ranking,
            max_failures=max_failures,
        )
        _choose(settings, asked, as_json=as_json)
    elif value is not None:
        _set(settings, value, method=method, ranking=ranking, as_json=as_json)
    elif clear:
        _clear(settings, method=method, as_json=as_json)
    else:
        _list(settings, method=method, as_json=as_json)


def _choose(settings: "Settings", asked: Any, *, as_json: bool) -> None:
    from datetime import UTC, datetime

    from rankle.app.floor import choose_floor
    from rankle.cli.eval_measuring import progress
    from rankle.cli.screen import screen
    from rankle.reports.abstention_floor import render_floor
    from rankle.reports.json_text import json_text

    with progress() as on_progress:
        found = choose_floor(settings, asked, now=lambda: datetime.now(UTC), on_progress=on_progress)
    text = json_text(found) if as_json else render_floor(
        found, path=str(asked.set_file), width=screen().width
    )  # fmt: skip
    click.echo(text, nl=False)
    if not found.separates:
        raise click.exceptions.Exit(2)


def _set(
    settings: "Settings", value: float, *, method: str | None, ranking: "SearchSettings", as_json: bool
) -> None:
    from datetime import UTC, datetime

    from rankle.app.floor import set_floor

    kept = set_floor(settings, value, method=method, ranking=ranking, now=lambda: datetime.now(UTC))
    _tell([kept], f"Set in the workspace {settings.workspace}:", settings, as_json=as_json)


def _clear(settings: "Settings", *, method: str | None, as_json: bool) -> None:
    from rankle.app.floor import clear_floors, list_floors

    cleared = clear_floors(settings, method=method)
    if as_json:
        _tell(list_floors(settings), "", settings, as_json=True)
    elif cleared:
        click.echo(f"Dropped the floor of {', '.join(cleared)}")
    else:
        click.echo(f"There was no floor{f' of {method}' if method else ''} in {settings.workspace}")


def _list(settings: "Settings", *, method: str | None, as_json: bool) -> None:
    from rankle.app.floor import list_floors

    found = [one for one in list_floors(settings) if method in (None, one.method)]
    _tell(found, f"Floors of the workspace {settings.workspace}:", settings, as_json=as_json)


def _tell(floors: "Sequence[Floor]", head: str, settings: "Settings", *, as_json: bool) -> None:
    from rankle.cli.options import print_json
    from rankle.cli.workspace_report import floor_json, floor_words
    from rankle.reports.layout import wrapped

    if as_json:
        members = {"workspace": settings.workspace, "floors": [floor_json(one) for one in floors]}
        print_json("rankle.floors/1", members)
        return
    if not floors:
        click.echo("No floor is set. Choose one with: rankle eval floor SET")
        return
    click.echo("\n".join([head, *(line for one in floors for line in wrapped(floor_words(one), first="  "))]))
