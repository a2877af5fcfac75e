"""`rankle eval generate-from-ratings`: a set of queries made of what people thought of results."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli.options import count, json_option, workspace_option

if TYPE_CHECKING:
    from rankle.app.set_from_ratings import WrittenSet
    from rankle.reports.rating_json import RatedSetReport


@click.command("generate-from-ratings", short_help="Make a set of what people rated.")
@click.option(
    "--min-rating",
    type=click.IntRange(1, 5),
    default=4,
    show_default=True,
    metavar="1..5",
    help="The least rating of what is relevant.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("eval.jsonl"),
    show_default=True,
    metavar="FILE",
    help="Where the set is written.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@workspace_option
@json_option
def generate_from_ratings(
    *, min_rating: int, output: Path, force: bool, workspace: str | None, as_json: bool
) -> None:
    """Make a set of the ratings of a workspace, one line a query.

    \b
      rankle eval generate-from-ratings
      rankle eval generate-from-ratings --min-rating 3 -o lenient.jsonl

    Of each rater the latest rating of a passage counts, of several raters the median, the lower of two.
    From the minimum on a passage is relevant, with grade rating - minimum + 1; rated 1 or 2 below it, it is
    judged not relevant, grade 0; what lies between is left out. Labels are passages, with the id of their
    chunk beside, so that they outlast a new chunking.

    Recall over such a set is relative to what was rated: what nobody was shown counts as not relevant.
    `rankle eval pool` lists what is worth judging.
    """
    from rankle.app.set_from_ratings import write_set_from_ratings
    from rankle.app.wiring.settings import load_settings
    from rankle.cli.options import print_report

    settings = load_settings(workspace=workspace)
    written = write_set_from_ratings(settings, output, minimum=min_rating, force=force)
    if as_json:
        print_report(_report(written))
    else:
        click.echo("\n".join(_lines(written)))


def _lines(written: "WrittenSet") -> Iterator[str]:
    from rankle.reports.layout import wrapped

    rated = written.rated
    queries = _queries(len(written.queries))
    yield f"Wrote {queries} with {count(written.n_labels, 'judgment')} to {written.path}"
    yield f"  of {count(rated.n_ratings, 'rating')} by {count(rated.n_raters, 'rater')}"
    least = written.minimum
    for n, n_queries, why in (
        (rated.n_between, rated.n_queries_between, f"rated above 2 and below {least}, which says neither"),
        (written.n_gone, written.n_queries_gone, "held by no indexed document any more"),
    ):
        if n:
            with_queries = f" (with them {_queries(n_queries)})" if n_queries else ""
            yield from wrapped(f"Left out: {count(n, 'passage')} {why}{with_queries}", rest="  ")
    if written.n_without_relevant:
        yield from wrapped(
            f"{_queries(written.n_without_relevant)} with nothing relevant: undefined in most measures, and "
            "counted apart",
            rest="  ",
        )
    yield from wrapped("Recall is relative to what was rated: what nobody was shown counts as not relevant.")
    if written.n_without_relevant < len(written.queries):
        yield f"Next: rankle eval {written.path}"
    else:
        yield f"Nothing is rated {least} or more, so nothing can be measured. Next: rankle rate"


def _queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"


def _report(written: "WrittenSet") -> "RatedSetReport":
    from rankle.reports.rating_json import RatedSetReport

    rated = written.rated
    return RatedSetReport(
        path=str(written.path),
        min_rating=written.minimum,
        n_queries=len(written.queries),
        n_judgments=written.n_labels,
        n_ratings=rated.n_ratings,
        n_raters=rated.n_raters,
        n_between=rated.n_between,
        n_queries_between=rated.n_queries_between,
        n_gone=written.n_gone,
        n_queries_gone=written.n_queries_gone,
        n_without_relevant=written.n_without_relevant,
    )
