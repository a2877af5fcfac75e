"""A group that is a command too: its first word is the name of one of its commands, or else its argument."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from rankle.cli.groups import LazyGroup

_ALIKE: Final = 75.0
"""Likeness, of 100, from which on a word that is no file is a misspelt command."""


class ArgumentOrCommand(click.Argument):
    """The argument of such a group: a shell completes it by the names of commands too."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        group = ctx.command
        is_option = incomplete.startswith("-")
        near = [] if is_option or not isinstance(group, LazyGroup) else group.shell_complete(ctx, incomplete)
        return [*near, *super().shell_complete(ctx, incomplete)]


class CommandOrArgument(LazyGroup):
    """`rankle eval check SET` runs the command `check`; `rankle eval SET` the group's own function.

    A path of a command's name is written `./check`.
    """

    # Options may stand behind the argument, and nothing else may, as for any command.
    allow_extra_args = False
    allow_interspersed_args = True

    def __init__(self, *args: Any, without_argument: Callable[[], str] | None = None, **kwargs: Any) -> None:
        """without_argument: gives what is said where the argument is missing; None for what click says."""
        super().__init__(*args, no_args_is_help=False, subcommand_metavar="", **kwargs)
        self.without_argument = without_argument

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in self.list_commands(ctx):
            ctx.args = args
            return args
        if args and not ctx.resilient_parsing:
            self._check_spelling(ctx, args[0])
        try:
            return click.Command.parse_args(self, ctx, args)
        except click.MissingParameter as error:
            if self.without_argument is None:
                raise
            raise click.UsageError(self.without_argument(), ctx) from error

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Of a command of this group, which reads no argument of the group's own: the options alone."""
        params = super().get_params(ctx)
        if ctx.command is self:
            return params
        return [param for param in params if not isinstance(param, click.Argument)]

    def _check_spelling(self, ctx: click.Context, word: str) -> None:
        """Raises UsageError where a word is no path and looks like the name of a command."""
        if word.startswith("-") or not word.replace("-", "").isalpha() or Path(word).exists():
            return
        from rankle.core.errors import nearest

        near = nearest(word, self.list_commands(ctx), limit=1, cutoff=_ALIKE)
        if near:
            raise click.UsageError(
                f'no file and no command is named "{word}"; did you mean "{ctx.command_path} {near[0]}"?', ctx
            )

    def invoke(self, ctx: click.Context) -> Any:
        if not ctx.args:
            return click.Command.invoke(self, ctx)
        name, *rest = ctx.args
        command = self.get_command(ctx, name)
        assert command is not None
        with command.make_context(name, rest, parent=ctx) as inner:
            return command.invoke(inner)
