"""`rankle eval generate`: questions made of the documents themselves."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rankle.cli.options import count, workspace_option

if TYPE_CHECKING:
    from rankle.core.evalset import EvalQuery

_DIFFICULTIES: Final = ("easy", "medium", "hard", "unanswerable")


@click.command("generate", short_help="Make questions of the documents themselves; weak.")
@click.option(
    "--n", type=click.IntRange(min=1), default=50, show_default=True, metavar="N", help="Questions, at most."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("generated.jsonl"),
    show_default=True,
    metavar="FILE",
    help="Where the set is written.",
)
@click.option(
    "--unanswerable",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    metavar="SHARE",
    help="Share of questions that nothing answers.",
)
@click.option("--collection", metavar="NAME", help="Ask about this collection only.")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Another one asks otherwise."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@workspace_option
def generate(
    *,
    n: int,
    output: Path,
    unanswerable: float,
    collection: str | None,
    seed: int,
    force: bool,
    workspace: str | None,
) -> None:
    """Make questions of headings, definitions and the rare words of sentences, each labelled with the passage
    that it was made of, and some that nothing answers. Nothing leaves the machine, and no model is asked.

    \b
      rankle eval generate
      rankle eval generate --n 200 --seed 1 -o more.jsonl

    Such a set is weak: it asks with the documents' own words, and a passage that answers as well but was not
    asked about counts as not relevant. Use it to find what is broken, not to tell which of two methods is
    better. No question shares three words in a row with its passage.

    \b
      easy          no other chunk has its words, all or all but one
      medium        up to 4 others have
      hard          5 or more others have
      unanswerable  of general knowledge, in the documents' languages; no chunk
                    has half of its words

    Every query is tagged "generated", with its difficulty and its kind: heading, section, definition,
    keywords, sentence, pair. Of documents in English, German, French, Italian and Spanish all kinds are made,
    of Japanese and Chinese headings and definitions, of Korean, Arabic and Thai headings.
    """
    from rankle.app.generate_set import GenerateRequest, generate_set
    from rankle.app.wiring.settings import load_settings
    from rankle.reports.layout import wrapped

    asked = GenerateRequest(output, n, unanswerable, seed, collection, force)
    made = generate_set(load_settings(workspace=workspace), asked)
    n_made = len(made.queries)
    fewer = f" of {n:,}" if n_made < n else ""
    click.echo(f"Wrote {count(n_made, 'question')}{fewer} to {output}")
    if fewer:
        click.echo("The documents give no more.")
    click.echo("\n".join(_examples(made.queries)))
    if made.n_passed_over:
        n_chunks = count(made.n_passed_over, "chunk")
        click.echo(f"Passed over: {n_chunks} in languages that no question can be asked in")
    caution = (
        "These labels are weak: questions use the documents' own words. They show what is broken; judgments "
        "of people tell which method is better (rankle rate, rankle eval label)."
    )
    click.echo("\n".join(wrapped(caution)))
    click.echo(f"Next: rankle eval {output}")
    click.echo(f"then: rankle eval label {output}")


def _examples(queries: "Sequence[EvalQuery]") -> "Iterator[str]":
    """How many there are of each difficulty, with one of them."""
    from rankle.reports.layout import one_line

    for difficulty in _DIFFICULTIES:
        found = [query for query in queries if difficulty in query.tags]
        example = f"  such as: {one_line(found[0].text, width=50)}" if found else ""
        yield f"{len(found):>5,}  {difficulty:<12}{example}".rstrip()
