"""The root of all commands: it says its version, alone or as JSON, and whether commands print in colour."""

from typing import Any

import click

from rankle.cli.groups import LazyGroup
from rankle.core.product import NAME, VERSION


class RootGroup(LazyGroup):
    """Ends after `--version`, whatever else was written."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        as_json, is_asked = ctx.params.pop("as_json", False), ctx.params.pop("version", False)
        if ctx.resilient_parsing:  # for completion, which runs nothing
            return rest
        if is_asked:
            _say_version(as_json=as_json)
            ctx.exit()
        if as_json:
            raise click.UsageError("--json stands behind a command, or goes with --version", ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command; its context inherits whether there is colour."""
        from rankle.app.wiring.variables import forces_colour

        if forces_colour():
            ctx.color = True  # click takes styles out of what goes into a pipe, unless told not to
        return super().invoke(ctx)


def _say_version(*, as_json: bool) -> None:
    if not as_json:
        click.echo(f"{NAME}, version {VERSION}")
        return
    import platform

    from rankle.cli.options import print_json

    described = {"python": platform.python_version(), "platform": platform.platform()}
    print_json("rankle.version/1", {"name": NAME, "version": VERSION, **described})
