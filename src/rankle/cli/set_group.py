"""A group that is a command too: its first word is the name of one of its commands, or else its argument."""

from typing import Any

import click

from rankle.cli.groups import LazyGroup


class CommandOrArgument(LazyGroup):
    """`rankle eval check SET` runs the command `check`; `rankle eval SET` the group's own function.

    A path of a command's name is written `./check`.
    """

    # Options may stand behind the argument, and nothing else may, as for any command.
    allow_extra_args = False
    allow_interspersed_args = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, no_args_is_help=False, subcommand_metavar="", **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in self.list_commands(ctx):
            ctx.args = args
            return args
        return click.Command.parse_args(self, ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        if not ctx.args:
            return click.Command.invoke(self, ctx)
        name, *rest = ctx.args
        command = self.get_command(ctx, name)
        assert command is not None
        with command.make_context(name, rest, parent=ctx) as inner:
            return command.invoke(inner)
