"""The root command. Commands are imported when they are called, so that `--help` stays quick."""

import importlib
import sys
from typing import Any, Final, NamedTuple

import click

from rankle.core.product import NAME, VERSION


class LazyCommand(NamedTuple):
    """Where a command lives, and its line in the help of its group."""

    target: str
    """`module:attribute` of a click command."""
    help: str
    """Equals the command's own short help; a test compares them."""


COMMANDS: Final = {
    "index": LazyCommand("rankle.cli.index:index", "Index folders and files into a workspace."),
    "search": LazyCommand("rankle.cli.search:search", "Search a workspace."),
    "eval": LazyCommand("rankle.cli.eval:eval_", "Evaluate search on a set of queries with judgments."),
    "docs": LazyCommand("rankle.cli.docs:docs", "List, show and remove indexed documents."),
    "workspace": LazyCommand("rankle.cli.workspace:workspace", "List, create, choose and delete workspaces."),
    "analytics": LazyCommand("rankle.cli.analytics:analytics", "What people searched for, and what they found."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported on use, and which says what is near a misspelt name."""

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = {name: self.commands[name].get_short_help_str(80) for name in self.commands}
        rows = [(name, command.help) for name, command in self.lazy.items()] + list(own.items())
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from rankle.core.errors import UnknownNameError

            error = UnknownNameError(
                what="command", name=name, known=self.list_commands(ctx), hint=f"See: {ctx.command_path} --help"
            )
            raise click.UsageError(str(error), ctx)
        return super().resolve_command(ctx, args)


@click.group(
    NAME,
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, "-V", "--version", prog_name=NAME)
def main() -> None:
    """Is your search any good, where does it fail, and did a change make it better?

    \b
    rankle index docs/                     index a folder
    rankle search "how do I reset it"      search it
    rankle eval queries.jsonl              measure it on queries with judgments

    Exit codes: 0 fine, 1 a gate is broken, 2 could not measure.
    """


def run() -> None:
    """Entry point of the console script: runs the command and turns what went wrong into an exit code."""
    sys.exit(_exit_code(sys.argv[1:]))


def _exit_code(args: list[str]) -> int:
    from rankle.core.errors import RankleError

    try:
        code = main.main(args, prog_name=NAME, standalone_mode=False)
    except RankleError as error:
        click.echo(f"Error: {error}", err=True)
        return error.exit_code
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted. What was complete is kept.", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        # The reader (head, less) is gone; Python would complain once more when it flushes at exit.
        sys.stderr.close()
        return 0
    return code if isinstance(code, int) else 0
