"""The root command, and what becomes of errors. Commands are imported when they are called."""

import gc
import sys
from typing import Final

from rankle.core.garbage import uncollected
from rankle.core.product import NAME, VERSION

with uncollected():  # a twentieth of a start
    import click

    from rankle.cli.groups import LazyCommand
    from rankle.cli.root_group import RootGroup

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as shells have it."""

COMMANDS: Final = {
    "init": LazyCommand("rankle.cli.init:init", "Start a project: settings, an example, CI."),
    "doctor": LazyCommand("rankle.cli.doctor:doctor", "Say what is wrong here, and what to do."),
    "index": LazyCommand("rankle.cli.index:index", "Index folders and files into a workspace."),
    "embed": LazyCommand("rankle.cli.embed:embed", "Make the vectors that search by meaning needs."),
    "search": LazyCommand("rankle.cli.search:search", "Search a workspace."),
    "explain": LazyCommand("rankle.cli.explain:explain", "Say why a document is not on the first page."),
    "eval": LazyCommand("rankle.cli.eval:eval_", "Evaluate search on a set of queries with judgments."),
    "record": LazyCommand(
        "rankle.cli.record:record", "Keep what a search of yours answers, to measure it without it."
    ),
    "run": LazyCommand("rankle.cli.run:run", "Run evals that are written as code."),
    "watch": LazyCommand("rankle.cli.watch:watch", "Run evals again whenever what they read changes."),
    "compare": LazyCommand(
        "rankle.cli.compare:compare", "Compare runs: better, worse, or no difference shown."
    ),
    "gate": LazyCommand("rankle.cli.gate:gate", "Judge a run by the gates of the project."),
    "baseline": LazyCommand("rankle.cli.baseline:baseline", "Set, show and list what runs are held against."),
    "power": LazyCommand("rankle.cli.power:power", "Say how many queries it takes to see a difference."),
    "score": LazyCommand(
        "rankle.cli.score:score", "Score recorded runs against judgments, as trec_eval does."
    ),
    "export": LazyCommand(
        "rankle.cli.export:export", "Make a report or a table of a run that was measured before."
    ),
    "history": LazyCommand("rankle.cli.history:history", "List recorded runs; prune old ones."),
    "show": LazyCommand("rankle.cli.show:show", "Show a recorded run, as the day it ran."),
    "rescore": LazyCommand("rankle.cli.rescore:rescore", "Score a recorded run by other measures or labels."),
    "tag": LazyCommand("rankle.cli.tag:tag", "Name a recorded run."),
    "cache": LazyCommand("rankle.cli.cache:cache", "See and clear what evals need not ask again."),
    "inspect": LazyCommand(
        "rankle.cli.inspect:inspect", "Say what files are, what is wrong with them, and how ids join."
    ),
    "rate": LazyCommand("rankle.cli.rate:rate", "Rate results for a query, from 1 to 5."),
    "ratings": LazyCommand("rankle.cli.ratings:ratings", "List, export and remove ratings."),
    "docs": LazyCommand("rankle.cli.docs:docs", "List, show and remove indexed documents."),
    "workspace": LazyCommand("rankle.cli.workspace:workspace", "List, create, choose and delete workspaces."),
    "analytics": LazyCommand(
        "rankle.cli.analytics:analytics", "What people searched for, and what they found."
    ),
    "completion": LazyCommand(
        "rankle.cli.completion:completion", "Print what makes a shell complete commands."
    ),
}


@click.group(
    NAME,
    cls=RootGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("-V", "--version", is_flag=True, help="Show the version and exit.")
@click.option("--json", "as_json", is_flag=True, help="With --version: as JSON, with Python and platform.")
def main() -> None:
    """Is your search any good, where does it fail, and did a change make it better?

    \b
    rankle init                            start a project, with an example
    rankle index docs/                     index a folder
    rankle search "how do I reset it"      search it
    rankle eval queries.jsonl              measure it on queries with judgments

    Exit codes: 0 fine, 1 a gate is broken, 2 could not measure.
    """
    from rankle.app.wiring.variables import unread_variables

    for name, meant in unread_variables().items():
        if meant:
            click.echo(f"Note: the variable {name} is not read; did you mean {meant}?", err=True)


def run() -> None:
    """Entry point of the console script: runs the command and turns what went wrong into an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A file name in another encoding, or a pipe that takes ASCII only, must not end a command.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    gc.freeze()  # what is imported stays; collections, above all the one at the end, need not walk it
    sys.exit(_exit_code(sys.argv[1:]))


def _exit_code(args: list[str]) -> int:
    stdout = sys.stdout
    try:
        code = main.main(args, prog_name=NAME, standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted. What was complete is kept.", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        from rankle.cli import usage_errors

        usage_errors.show(error)
        return error.exit_code
    except SystemExit as error:
        if sys.stdout is not stdout:  # so click ends where the reader (head, less) is gone: no failure
            return 0
        return _tell_ended(error)
    except Exception as error:  # noqa: BLE001 - Python would exit with 1, which means a broken gate
        return _tell(error)
    return code if isinstance(code, int) else 0


def _tell(error: Exception) -> int:
    """Say what went wrong; returns the exit code."""
    from rankle.core.errors import RankleError

    if isinstance(error, RankleError):
        click.echo(f"Error: {error}", err=True)
        return error.exit_code
    if isinstance(error, OSError):
        click.echo(f"Error: {_os_error_words(error)}", err=True)
    else:
        _report_bug(error)
    return RankleError.exit_code


def _tell_ended(error: SystemExit) -> int:
    """Code of the user's that ends the process has measured nothing, whatever code it ends with."""
    from rankle.core.errors import RankleError

    said = "" if error.code is None else f" with {error.code!r}"
    click.echo(f"Error: code that was imported or called ended the process{said} (sys.exit)", err=True)
    return RankleError.exit_code


def _os_error_words(error: OSError) -> str:
    """What the system says, the file where it names one, and what to do where a file found no room."""
    import errno

    where = f"{error.filename}: " if error.filename else ""
    words = f"{where}{error.strerror or error}"
    if error.errno not in (errno.EFBIG, errno.ENOSPC, errno.EDQUOT):
        return words
    return (
        f"a file could not be written: {words}. Make room for the workspace, the output and "
        "temporary files (TMPDIR names their folder), or raise the limit (ulimit -f), then try again"
    )


def _report_bug(error: Exception) -> None:
    import traceback

    click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    click.echo(
        f"This is a fault of {NAME} {VERSION}, not of your input. Please report the lines above.", err=True
    )
