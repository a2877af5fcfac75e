"""`rankle completion SHELL`: what makes a shell complete commands, options and names."""

from typing import Final

import click

from rankle.core.product import NAME

SHELLS: Final = ("bash", "zsh", "fish")


@click.command("completion", short_help="Print what makes a shell complete commands.")
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that makes SHELL complete commands, options, files, workspaces, runs and methods.

    \b
      rankle completion bash > ~/.local/share/bash-completion/completions/rankle
      rankle completion zsh > "${fpath[1]}/_rankle"
      rankle completion fish > ~/.config/fish/completions/rankle.fish

    SHELL is bash (4.4 or newer), zsh or fish. Open a new shell afterwards. For the running one alone:

    \b
      source <(rankle completion bash)
    """
    from click.shell_completion import get_completion_class

    from rankle.cli.main import main

    kind = get_completion_class(shell)
    assert kind is not None
    complete = kind(main, {}, NAME, f"_{NAME.upper()}_COMPLETE")
    click.echo(complete.source_template % complete.source_vars())
