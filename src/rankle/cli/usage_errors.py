"""What is said to somebody who called a command wrongly, with a call that is right."""

import re

import click


def show(error: click.ClickException) -> None:
    """Print the error; where an argument or option is missing, with a call that has it."""
    error.show()
    if isinstance(error, click.MissingParameter) and error.ctx is not None:
        example = example_of(error.ctx.command, error.ctx.command_path)
        if example:
            click.echo(f"Such as: {example}", err=True)


def example_of(command: click.Command, path: str) -> str:
    """The first call of a command in its own help, without what is said of it; empty where there is none."""
    found = re.search(rf"^\s*({re.escape(path)} .+?)(?:\s{{2,}}.*)?$", command.help or "", re.MULTILINE)
    return found[1] if found else ""
