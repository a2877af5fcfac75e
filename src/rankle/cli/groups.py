"""Groups of commands that say what is near a misspelt name, and import commands only when they are used."""

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LazyCommand(NamedTuple):
    """Where a command lives, and its line in the help of its group."""

    target: str
    """`module:attribute` of a click command."""
    help: str
    """Equals the command's own short help; a test compares them."""


def command_tree(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command and all below it, with the words that call each; imports them all."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from command_tree(below, (*path, name))


class SuggestingGroup(click.Group):
    """A group that says what is near a misspelt name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        is_unknown = self.get_command(ctx, name) is None and not name.startswith("-")
        if is_unknown and not ctx.resilient_parsing:  # completion must not fail on half a line
            from rankle.core.errors import UnknownNameError

            error = UnknownNameError(
                what="command",
                name=name,
                known=self.list_commands(ctx),
                hint=f"See: {ctx.command_path} --help",
            )
            raise click.UsageError(str(error), ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(SuggestingGroup):
    """A group whose commands are imported on use, so that its help stays quick."""

    def __init__(self, *args: Any, lazy: dict[str, LazyCommand] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.lazy[cmd_name].target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands from the table, so that none is imported for its line of help; and options as usual."""
        from click.shell_completion import CompletionItem

        own = {name: self.commands[name].get_short_help_str(80) for name in self.commands}
        lines = {**{name: command.help for name, command in self.lazy.items()}, **own}
        near = [
            CompletionItem(name, help=line) for name, line in lines.items() if name.startswith(incomplete)
        ]
        return [*near, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = {name: self.commands[name].get_short_help_str(80) for name in self.commands}
        rows = [(name, command.help) for name, command in self.lazy.items()] + list(own.items())
        with formatter.section("Commands"):
            formatter.write_dl(rows)
