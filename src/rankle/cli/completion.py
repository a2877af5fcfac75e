"""`rankle completion SHELL`: what makes a shell complete commands, options and names."""

from collections.abc import Iterator

import click

from rankle.cli.completion_scripts import SCRIPTS, SEPARATOR
from rankle.core.product import NAME


@click.command("completion", short_help="Print what makes a shell complete commands.")
@click.argument("shell", metavar="SHELL", type=click.Choice(list(SCRIPTS)))
@click.option("--line", metavar="TEXT", hidden=True, help="Print what this line can go on with.")
@click.option("--breaks", metavar="SIGNS", default="", hidden=True, help="What ends a word for bash.")
def completion(shell: str, *, line: str | None, breaks: str) -> None:
    """Print the script that makes SHELL complete commands, options, files, and the names of workspaces, runs,
    methods, measures, models, systems and baselines.

    \b
      rankle completion bash >> ~/.bashrc
      rankle completion zsh >> ~/.zshrc
      rankle completion fish > ~/.config/fish/completions/rankle.fish

    SHELL is bash (4.4 or newer), zsh or fish. Open a new shell afterwards. For the running one alone:

    \b
      source <(rankle completion bash)

    For zsh, a file _rankle in a folder of $fpath does as well.
    """
    if line is None:
        click.echo(SCRIPTS[shell], nl=False)
        return
    for offer in _offers(shell, line, breaks):
        click.echo(offer)


def _offers(shell: str, text: str, breaks: str) -> Iterator[str]:
    """Lines for the script: kind, text and what it is; see `completion_scripts`."""
    from rankle.cli.completing import offers
    from rankle.cli.main import main
    from rankle.cli.shell_line import parse_line

    line = parse_line(text, breaks=breaks if shell == "bash" else "")
    for offer in offers(main, line.words[1:], line.last, name=NAME):
        is_plain = offer.type == "plain"
        shown = line.as_bash_takes(offer.value) if is_plain and shell == "bash" else offer.value
        if not {"\n", SEPARATOR} & {*shown}:  # which no shell can be told
            yield SEPARATOR.join((offer.type, shown, (offer.help or "").replace("\n", " ")))
