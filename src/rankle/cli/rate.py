"""`rankle rate`: one rating by its arguments, or a round of them by single keys."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from rankle.cli.options import count, json_option, method_option, workspace_option
from rankle.cli.ranking_options import ranking_options

if TYPE_CHECKING:
    from rankle.app.rating_round import RatingRound, RoundSettings
    from rankle.app.wiring.settings import Settings
    from rankle.cli.key_round import TakeBack
    from rankle.cli.keyboard import Keyboard
    from rankle.cli.screen import Screen
    from rankle.core.rating import Rating
    from rankle.core.search import Hit, SearchResult
    from rankle.kb.search_settings import SearchSettings


@click.command("rate", short_help="Rate results for a query, from 1 to 5.")
@click.argument("chunk", metavar="[CHUNK]", required=False)
@click.option("--query", metavar="TEXT", help="What was searched for.")
@click.option(
    "--rating",
    type=click.IntRange(1, 5),
    metavar="1..5",
    help="From 1, of no use, to 5, just what was looked for.",
)
@click.option("--note", metavar="TEXT", help="Why, in words.")
@click.option("--rater", metavar="NAME", help="Who rates. Default: RANKLE_RATER, or your login name.")
@click.option("-k", type=click.IntRange(min=1), metavar="N", help="In a round: results a query. Default: 5.")
@method_option
@click.option("--collection", metavar="NAME", help="The collection that the query searches.")
@ranking_options
@workspace_option
@json_option
def rate(
    chunk: str | None,
    *,
    query: str | None,
    rating: int | None,
    note: str | None,
    rater: str | None,
    k: int | None,
    method: str | None,
    collection: str | None,
    ranking: "SearchSettings",
    workspace: str | None,
    as_json: bool,
) -> None:
    """Rate the chunk CHUNK as a result for a query. Without CHUNK, a round: type a query, see its results,
    rate each with one key, type the next.

    \b
      rankle rate
      rankle rate --query "how do I reset it" -k 10
      rankle rate chunk-0a1b2c3d4e5f --query "how do I reset it" --rating 5

    \b
      5  just what was looked for
      4  answers it
      3  helps
      2  about the same thing, no help
      1  of no use

    Keys of a round: 1 to 5; s skips; n adds a note to the next key; u takes the last one back; q ends. Every
    key is stored at once, and nothing that was given is lost. A rating keeps the passage, so that it outlasts
    every new index; it is made anew by rating again. `rankle eval generate-from-ratings` makes a set of them.
    """
    from rankle.app.wiring.settings import load_settings
    from rankle.app.wiring.variables import default_rater
    from rankle.core.errors import InputError

    settings = load_settings(workspace=workspace)
    who = (rater or "").strip() or default_rater()
    if chunk is not None:
        if query is None or rating is None:
            raise InputError("a rating needs the query and the grade: --query TEXT --rating 1..5")
        if k is not None or method is not None:
            raise InputError("-k and --method choose the results of a round; with CHUNK nothing is searched")
        _rate_one(chunk, query, rating, note=note, who=who, collection=collection, settings=settings,
                  as_json=as_json)  # fmt: skip
        return
    if rating is not None or note is not None or as_json:
        raise InputError("--rating, --note and --json are of one rating; name its chunk: rankle rate CHUNK …")
    from rankle.app.rating_round import RoundSettings

    asked = RoundSettings(rater=who, k=k or 5, method=method, collection=collection, ranking=ranking)
    _rate_many(asked, settings=settings, first=query)


def _rate_one(
    chunk: str,
    query: str,
    rating: int,
    *,
    note: str | None,
    who: str,
    collection: str | None,
    settings: "Settings",
    as_json: bool,
) -> None:
    from rankle.app.rate import Opinion
    from rankle.app.rate import rate as keep
    from rankle.cli.options import print_report
    from rankle.formats.rating_rows import rating_record
    from rankle.reports.layout import one_line
    from rankle.reports.rating_json import RatingReport

    opinion = Opinion(query, rating, who, note, collection)
    kept = keep(chunk, opinion, settings=settings, now=lambda: datetime.now(UTC))
    if as_json:
        print_report(RatingReport(**rating_record(kept)))
    else:
        words = one_line(kept.query, width=40)
        click.echo(f'Rated {kept.rating}: {kept.chunk} for "{words}", by {one_line(kept.rater)} (#{kept.id})')
        click.echo(f"  {one_line(kept.quote, width=76)}")


def _rate_many(asked: "RoundSettings", *, settings: "Settings", first: str | None) -> None:
    from rankle.app.rating_round import rating_round
    from rankle.cli.keyboard import terminal_keyboard
    from rankle.cli.screen import screen

    keyboard = terminal_keyboard(instead="One rating without: rankle rate CHUNK --query TEXT --rating 1..5")
    with rating_round(settings, asked, now=lambda: datetime.now(UTC)) as held:
        n_kept = run_round(held, keyboard, seen=screen(), workspace=settings.workspace, first=first)
    click.echo(f"{count(n_kept, 'rating')} kept. Next: rankle eval generate-from-ratings")


@dataclass(slots=True)
class RatingDesk:
    """The results of one query after the other, and the workspace that keeps the ratings."""

    held: "RatingRound"
    seen: "Screen"
    workspace: str
    result: "SearchResult | None" = None
    earlier: "dict[str, Rating]" = field(default_factory=dict)

    @property
    def grades(self) -> range:
        return range(1, 6)

    def search(self, query: str) -> "SearchResult":
        self.earlier = self.held.earlier(query)
        self.result = self.held.search(query)
        return self.result

    def lines(self, item: "Hit") -> Iterable[str]:
        from rankle.reports.search import SearchView, render_hit

        assert self.result is not None
        view = SearchView(
            workspace=self.workspace, collection=None, explain=False, depth=len(self.result),
            width=self.seen.width, marking=self.seen.marking,
        )  # fmt: skip
        yield ""
        yield from render_hit(item, self.result, view)
        before = self.earlier.get(item.id)
        if before is not None:
            day = f"{before.at.astimezone():%Y-%m-%d}"
            yield f"   You rated it {before.rating} on {day}; a new key takes its place."

    def keep(self, item: "Hit", grade: int, *, note: str | None) -> "TakeBack":
        assert self.result is not None
        kept = self.held.keep(item, query=self.result.query, rating=grade, note=note)
        return lambda: self.held.take_back(kept)


def run_round(
    held: "RatingRound", keyboard: "Keyboard", *, seen: "Screen", workspace: str, first: str | None
) -> int:
    """Query after query until somebody has had enough. Returns how many ratings were kept."""
    from rankle.cli.key_round import KeyRound
    from rankle.reports.layout import one_line

    desk = RatingDesk(held, seen, workspace)
    turns = KeyRound(desk, keyboard, say=click.echo, prompt=lambda text: click.echo(text, nl=False))
    query = first or keyboard.line("Query (empty to end): ")
    while query and query.strip():
        result = desk.search(query.strip())
        if not result.hits:
            click.echo(f'No results for "{one_line(result.query, width=60)}".')
        if not turns.grade(result.hits):
            break
        query = keyboard.line("\nQuery (empty to end): ")
    return turns.n_kept
