"""`rankle eval generate`: questions made of the documents themselves."""

from collections import Counter
from pathlib import Path

import click

from rankle.cli.options import count, workspace_option


@click.command("generate", short_help="Make questions of the documents themselves; weak.")
@click.option("--n", type=click.IntRange(min=1), default=50, show_default=True, help="Questions, at most.")
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
    """Make questions of headings, definitions and key sentences, each labelled with the passage that it was
    made of. Nothing leaves the machine, and no model is asked.

    \b
      rankle eval generate
      rankle eval generate --n 200 --seed 1 -o more.jsonl

    Such a set is weak: it asks with the documents' own words, and a passage that answers as well but was not
    asked about counts as not relevant. Use it to find what is broken, not to tell which of two methods is
    better. Every query is tagged "generated", with its difficulty: easy (headings), medium (definitions),
    hard (rare words of a sentence, in another order), unanswerable. No question shares three words in a row
    with its passage.
    """
    from rankle.app.generate_set import GenerateRequest, generate_set
    from rankle.app.wiring import load_settings
    from rankle.reports.layout import wrapped

    asked = GenerateRequest(output, n, unanswerable, seed, collection, force)
    made = generate_set(load_settings(workspace=workspace), asked)
    kinds = Counter(query.tags[1] for query in made.queries)
    words = ", ".join(f"{kind} {kinds[kind]}" for kind in ("easy", "medium", "hard", "unanswerable"))
    click.echo(f"Wrote {count(len(made.queries), 'question')} to {output}: {words}")
    if made.n_passed_over:
        n_chunks = count(made.n_passed_over, "chunk")
        click.echo(f"Passed over: {n_chunks} in languages that no question can be asked in")
    caution = (
        "These labels are weak: questions use the documents' own words. They show what is broken; judgments "
        "of people tell which method is better (rankle rate, rankle eval label)."
    )
    click.echo("\n".join(wrapped(caution)))
    click.echo(f"Next: rankle eval {output}")
