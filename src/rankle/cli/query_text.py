"""Commands whose argument is a query: any text, also one that looks like an option."""

from typing import Final

import click

from rankle.core.product import NAME

_AS_TEXT: Final = (
    'To exclude a word, quote the query: "apple -pie". '
    f'A query that begins with a minus: {NAME} {{}} -- "-pie"'
)
_PLACE: Final = "-"
"""Stands for a first argument that looks like an option while the rest is parsed; click takes it as text."""


class QueryCommand(click.Command):
    """Takes a first argument as text where it begins with a minus and is no option, as any query is text."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args and self._is_text(args[0]) else None
        try:
            left = super().parse_args(ctx, args if first is None else [_PLACE, *args[1:]])
        except click.NoSuchOption as error:
            if not error.option_name.startswith("--"):
                raise click.UsageError(f"{error.message} {_AS_TEXT.format(self.name)}", ctx) from error
            raise
        if first is not None:
            ctx.params["words"] = (first, *ctx.params["words"][1:])
        return left

    def _is_text(self, arg: str) -> bool:
        """Whether no option could be meant: neither `-k5` nor a misspelt `--option`."""
        if not arg.startswith("-") or arg == "--":
            return False
        if arg.startswith("--"):
            return any(char.isspace() for char in arg.partition("=")[0])
        known = {"-h", *(option for parameter in self.params for option in parameter.opts)}
        return arg[:2] not in known
