"""`rankle embed`: make the vectors that are missing, or all of them with another model."""

import click

from rankle.cli import completing
from rankle.cli.options import json_option, workspace_option


@click.command("embed", short_help="Make the vectors that search by meaning needs.")
@click.option(
    "--model",
    shell_complete=completing.models,
    metavar="NAME",
    help="e5-small, openai:MODEL@URL or onnx:PATH. Another one than before replaces all vectors. Default: "
    "the workspace's own, else RANKLE_MODEL or rankle.toml, else e5-small.",
)
@workspace_option
@json_option
def embed(*, model: str | None, workspace: str | None, as_json: bool) -> None:
    """Make the vectors that search by meaning needs, for every chunk that has none.

    \b
      rankle embed
      rankle embed --model openai:bge-m3@http://localhost:8000/v1

    `rankle index` does this for what is new. Text that was embedded before is not embedded again. Each batch
    is kept: what is interrupted goes on with the next call. Naming another model drops the vectors of the one
    before; search by meaning waits until all chunks have theirs.
    """
    from rankle.app.embed import embed as run_embed
    from rankle.app.wiring.settings import load_settings
    from rankle.cli.embed_report import embed_json, embed_lines
    from rankle.cli.index_bar import index_bar
    from rankle.cli.options import print_json

    with index_bar("looking for what is new") as bar:
        done = run_embed(
            model,
            settings=load_settings(workspace=workspace),
            progress=bar.watchers.embedding,
            waiting=bar.watchers.waiting,
            open_embedder=bar.open_embedder,
        )
    if as_json:
        print_json("rankle.embed/1", embed_json(done))
    else:
        click.echo("\n".join(embed_lines(done)))
