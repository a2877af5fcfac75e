"""`rankle watch`: run evals again whenever what they read changes."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.eval_run_options import Running, quiet_option, watch_evals_options, worst_cases_option

if TYPE_CHECKING:
    from rankle.app.watched_messages import Order


@click.command("watch", short_help="Run evals again whenever what they read changes.")
@click.argument("paths", metavar="[PATH]...", nargs=-1, shell_complete=completing.files)
@watch_evals_options
@worst_cases_option
@quiet_option
def watch(paths: tuple[str, ...], *, running: Running, worst: int, quiet: bool) -> None:
    """Run the evals in PATH as `rankle run` does, and go on: run again what a change touches, until Ctrl-C.

    \b
      rankle watch
      rankle watch evals/search_eval.py::Search --failing latest

    An eval is touched by its own file, by every module of the project that it imports, directly or not, by
    files that this code opens, by its data, and by what depends_on names; all evals are by rankle.toml,
    pyproject.toml and setup files. A change that touches none runs nothing. New files of evals are run.
    Folders that git ignores, hidden ones and virtual environments are not watched.

    Each run is a process of its own and is recorded. A change that touches what runs ends that run; all
    others wait for its end, and one next run takes them together.

    Exit code: 0 after Ctrl-C, 2 where there is nothing to watch. docs/watching.md tells it all.
    """
    from msgspec.structs import replace

    from rankle.app.watch_evals import EvalWatch
    from rankle.app.watch_folders import changes_below
    from rankle.app.watched_process import RunProcess
    from rankle.cli.screen import screen as screen_of_now
    from rankle.cli.watch_screen import watch_screen

    watching = EvalWatch(
        _order(paths, running, worst=worst, quiet=quiet),
        lambda order: RunProcess(replace(order, width=screen_of_now().width)),  # windows change their size
    )
    shown = watch_screen(quiet=quiet)
    try:
        changes = changes_below(watching.roots(), beside=lambda: watching.known.named_files())
        with closing(watching.follow(changes)) as events:
            for event in events:
                shown.show(event)
    except KeyboardInterrupt:
        shown.stopped()


def _order(paths: tuple[str, ...], running: Running, *, worst: int, quiet: bool) -> "Order":
    """Raises InputError where a run of before is named that is not there."""
    from rankle.app.pinned_run import pinned_run
    from rankle.app.watched_messages import Order
    from rankle.cli.screen import screen

    recording = running.record.recording
    records = None if recording is None else recording.path
    failing, errors = (
        None if ref is None else pinned_run(ref, records=records) for ref in (running.failing, running.errors)
    )
    return Order(
        paths=paths,
        within=None,
        asked=running.asked,
        filter=running.filter,
        tags=running.tags,
        failing=failing,
        errors=errors,
        seed=running.seed,
        records=None if records is None else str(records),
        is_asked_for=recording is not None and recording.is_asked_for,
        name=None if recording is None else recording.name,
        width=screen().width,
        worst=worst,
        quiet=quiet,
    )
