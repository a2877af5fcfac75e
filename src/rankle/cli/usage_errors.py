"""What is said to somebody who called a command wrongly, with what is near, or a call that is right."""

import re
from collections.abc import Iterator
from typing import Final

import click

from rankle.cli.groups import command_tree

_MOST_OWNERS: Final = 6
_REFUSED: Final = re.compile(r"'(?P<given>.*)' is not ", re.DOTALL)
"""How click says that a value is none of the choices."""


def show(error: click.ClickException) -> None:
    """Print the error and what helps: a call that works, the nearest choice, or whose option it is."""
    error.show()
    for line in _advice(error):
        click.echo(line, err=True)


def example_of(command: click.Command, path: str) -> str:
    """The first call of a command in its own help, without what is said of it; empty where there is none."""
    found = re.search(rf"^\s*({re.escape(path)} .+?)(?:\s{{2,}}.*)?$", command.help or "", re.MULTILINE)
    return found[1] if found else ""


def _advice(error: click.ClickException) -> Iterator[str]:
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return
    if isinstance(error, click.NoSuchOption):
        yield from _owners(error.option_name, error.ctx)
    elif isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
        yield from _nearest_choice(error)
    elif isinstance(error, click.MissingParameter) or "extra argument" in error.message:
        example = example_of(error.ctx.command, error.ctx.command_path)
        yield from [f"Such as: {example}"] if example else []


def _nearest_choice(error: click.BadParameter) -> Iterator[str]:
    """The choice that comes nearest to what was given."""
    kind = error.param.type if error.param is not None else None
    refused = _REFUSED.match(error.message)
    if not isinstance(kind, click.Choice) or refused is None:
        return
    from rankle.core.errors import nearest

    for choice in nearest(refused["given"], map(str, kind.choices), limit=1, cutoff=50):
        yield f'Did you mean "{choice}"?'


def _owners(option: str, ctx: click.Context) -> Iterator[str]:
    """The other commands that have an option of exactly this name, where they are few enough to tell."""
    root = ctx.find_root()
    tree = command_tree(root.command, (root.command_path,))
    paths = [" ".join(path) for path, command in tree if _has(command, option)]
    if 0 < len(paths) <= _MOST_OWNERS:
        yield f"{option} is an option of: {', '.join(paths)}"


def _has(command: click.Command, option: str) -> bool:
    return any(option in (*param.opts, *param.secondary_opts) for param in command.params)
