"""`rankle run`: run evals that are written as code."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.eval_progress import eval_progress
from rankle.cli.eval_run_options import Running, quiet_option, run_evals_options, worst_cases_option
from rankle.cli.eval_run_output import EvalOutput
from rankle.cli.options import github_option, json_option
from rankle.cli.prints_aside import apart_from_threads, prints_aside

if TYPE_CHECKING:
    from rankle.harness.evals.stop import Stop


@click.command("run", short_help="Run evals that are written as code.")
@click.argument("paths", metavar="[PATH]...", nargs=-1, shell_complete=completing.files)
@run_evals_options
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save everything: JSON, or what FILE ends in, of .md, .html, .csv, .xml (JUnit); repeatable.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "csv", "csv-measures", "junit", "html"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@json_option
@github_option
@worst_cases_option
@quiet_option
def run(
    paths: tuple[str, ...],
    *,
    running: Running,
    outputs: tuple[Path, ...],
    form: str,
    as_json: bool,
    github: bool,
    worst: int,
    quiet: bool,
) -> None:
    """Run the evals in PATH, files and folders of Python code.

    Evals stand in files called *_eval.py and eval_*.py; FILE::NAME is one of them. Without PATH, evals/ is
    run where it is there, else the current folder:

    \b
      import rankle
      from rankle.scorers import recall

    \b
      @rankle.eval("Search", data="queries.json", scorers=[recall(5)])
      def search(input):
          return [hit.document for hit in kb.search(input["query"])]

    \b
      rankle run
      rankle run evals/search_eval.py::Search --trials 3
      rankle run --failing latest
      rankle run --gate --github -o evals.xml

    What a task or scorer raises, and a task that takes longer than its timeout, is a failure and no zero:
    it is in no mean and is told of. Each trial is recorded as it is done. Ctrl-C finishes what is in flight,
    twice stops; --resume goes on. What evals print goes to the error stream.

    Exit code: 0 fine, 1 a threshold is missed or a gate broken, 2 more cases failed than --max-failures, or
    something could not be run. docs/evals.md tells it all.
    """
    from rankle.app.run_evals import evals_run

    output = EvalOutput(outputs, form="json" if as_json else form, github=github, worst=worst, quiet=quiet)
    request = running.request(paths)
    with ExitStack() as stack:
        stack.enter_context(apart_from_threads())
        with _stopping() as stop, prints_aside(), eval_progress(quiet=quiet) as on_progress:
            finished = stack.enter_context(evals_run(request, on_progress=on_progress, stop=stop))
        judged = None if running.gating is None else running.gating.judge(finished)
        output.give(finished, judged)
    running.record.check()
    codes = [finished.run.summary.exit_code, *([] if judged is None else [judged.exit_code])]
    raise click.exceptions.Exit(max(codes))


@contextmanager
def _stopping() -> "Iterator[Stop]":
    """Ctrl-C finishes what is in flight; a second time gives it up; a third time ends the process."""
    from rankle.harness.evals.stop import Stop

    stop = Stop()
    if threading.current_thread() is not threading.main_thread():  # where Python takes no handlers
        yield stop
        return

    def asked(number: int, frame: FrameType | None) -> None:
        del number, frame
        if stop.is_now:
            raise KeyboardInterrupt
        if stop.is_finishing:
            click.echo("Stopping now.", err=True)
        else:
            click.echo("Finishing what is in flight; Ctrl-C again stops now.", err=True)
        stop.ask()

    before = signal.signal(signal.SIGINT, asked)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
