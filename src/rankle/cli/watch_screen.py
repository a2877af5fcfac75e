"""What `rankle watch` shows: on a terminal the last table and what goes on, else each table once."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, Protocol

import click
from rich.console import Console

from rankle.app.watch_evals import Began, Ended, Event, Left, Went
from rankle.app.watched_process import Outcome
from rankle.cli.eval_progress import counted
from rankle.cli.screen import screen, styled
from rankle.core.evals import EvalSummary
from rankle.harness.evals.progress import Progress
from rankle.reports.evals_terminal import overview_text
from rankle.reports.layout import one_line, wrapped

_NAMED: Final = 3
"""Files that are named of those that changed."""
_WAITING: Final = "Watching; Ctrl-C ends it."
_ERASE_LINE: Final = "\r\x1b[2K"
_ERASE_SCREEN: Final = "\x1b[2J\x1b[H"
Now = Callable[[], datetime]


def _local_time() -> datetime:
    return datetime.now(UTC).astimezone()


class WatchScreen(Protocol):
    """Where a watch is shown."""

    def show(self, event: Event) -> None:
        """Show what happened."""
        ...

    def stopped(self) -> None:
        """Say that the watch is over."""
        ...


def watch_screen(*, quiet: bool, now: Now = _local_time) -> WatchScreen:
    """A terminal's own way, where the standard output is one that can move its cursor."""
    console = Console()
    is_moving = console.is_terminal and not console.is_dumb_terminal
    return _Terminal(quiet=quiet, now=now) if is_moving else _Lines(now=now)


class _Lines:
    """Prints each table once."""

    def __init__(self, *, now: Now) -> None:
        self._now = now
        self._is_first = True

    def show(self, event: Event) -> None:
        if isinstance(event, Ended | Left):
            click.echo(("" if self._is_first else "\n") + event_text(event, at=self._now()), nl=False)
            if self._is_first:
                click.echo(f"\n{_WAITING}")
            self._is_first = False

    def stopped(self) -> None:
        click.echo("Stopped.")


class _Terminal:
    """Keeps the last table until the next one takes its place; the line below it says what goes on."""

    def __init__(self, *, quiet: bool, now: Now) -> None:
        self._quiet = quiet
        self._now = now
        self._is_first = True

    def show(self, event: Event) -> None:
        if isinstance(event, Ended | Left):
            click.echo(_ERASE_LINE if self._is_first else _ERASE_SCREEN, nl=False)
            click.echo(styled(event_text(event, at=self._now())))
            self._is_first = False
            self._line(_WAITING)
        elif isinstance(event, Began):
            self._line(f"Running {'all evals' if event.is_all else 'what changed'}{_because(event.changed)}")
        elif not self._quiet:
            self._line(f"Running: {_progress_words(event)}")

    def stopped(self) -> None:
        click.echo(f"{_ERASE_LINE}Stopped.")

    def _line(self, words: str) -> None:
        """Take the place of the last line."""
        click.echo(_ERASE_LINE + one_line(words, width=Console().width - 1), nl=False)


def event_text(event: Ended | Left, *, at: datetime) -> str:
    """What a run came to, or what is left of the evals; ends in a line break."""
    width = screen().width
    blocks = _left(event, width=width) if isinstance(event, Left) else _ended(event, width=width)
    head = f"{at:%H:%M:%S}  {_head(event)}"
    return "\n\n".join(["\n".join(wrapped(one_line(head), rest="  ", width=width)), *blocks]) + "\n"


def _head(event: Ended | Left) -> str:
    if isinstance(event, Left):
        return f"{_named(event.files)} {'is' if len(event.files) == 1 else 'are'} gone"
    began = event.began
    if not began.changed:
        return "All evals"
    return f"{_named(began.changed)} changed" + (": all evals" if began.is_all else "")


def _left(event: Left, *, width: int) -> list[str]:
    words = [] if event.error is None else ["\n".join(wrapped(f"Error: {event.error}", width=width))]
    return words + _others(event.others, head="As they were last", width=width)


def _ended(event: Ended, *, width: int) -> list[str]:
    told = event.outcome.told
    if told is None:
        shown = "\n".join(wrapped(_how_it_ended(event.outcome), width=width))
    elif told.error is not None:
        shown = "\n".join(wrapped(f"Error: {told.error}", width=width))
    else:
        shown = told.text.rstrip("\n")
    blocks = [
        shown,
        *_printed(event.outcome, width=width),
        *_others(event.others, head="Not touched, as they were last", width=width),
    ]
    if told is not None and told.not_recorded is not None:
        words = f"Warning: the figures are complete, but the run is not recorded: {told.not_recorded}"
        blocks.append("\n".join(wrapped(words, width=width)))
    return blocks


def _how_it_ended(outcome: Outcome) -> str:
    by = f"signal {-outcome.exit_code}" if outcome.exit_code < 0 else f"exit code {outcome.exit_code}"
    return (
        f"Error: the process of this run ended by {by} before its evals were done. What was complete is "
        "recorded. It is run again when its code changes"
    )


def _others(evals: Sequence[EvalSummary], *, head: str, width: int) -> list[str]:
    if not evals:
        return []
    return [f"{head}:\n" + overview_text(evals, width=width).rstrip("\n")]


def _printed(outcome: Outcome, *, width: int) -> list[str]:
    """The end of what the evals printed."""
    lines = outcome.printed
    if not lines:
        return []
    of = "" if outcome.n_printed == len(lines) else f", the last {len(lines)} of {outcome.n_printed:,} lines"
    return [
        "\n".join([f"Printed{of}:", *(f"  {one_line(line, width=width - 2)}".rstrip() for line in lines)])
    ]


def _named(files: Sequence[str]) -> str:
    more = len(files) - _NAMED
    if more > 1:
        return f"{', '.join(files[:_NAMED])} and {more:,} others"
    return " and ".join([", ".join(files[:-1]), files[-1]] if len(files) > 1 else files)


def _because(files: Sequence[str]) -> str:
    return f": {_named(files)}" if files else ""


def _progress_words(event: Went) -> str:
    told = event.progress
    return counted(
        Progress(
            n_done=told.n_done,
            n_total=told.n_total,
            n_failed=told.n_failed,
            n_cached=told.n_cached,
            cost_usd=told.cost_usd,
            elapsed_s=told.elapsed_s,
            evals=(),
            just_finished=None,
            reading=told.reading,
        )
    )
