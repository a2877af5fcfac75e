"""What `rankle run` shows while evals run: bars on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from rankle.harness.evals.progress import Progress

OnProgress = Callable[["Progress"], None]
_MOST_BARS: Final = 8
_NAME: Final = 28
_EVERY_S: Final = 5.0
"""Between two lines where there is no terminal: enough to see life in a log of CI."""


@contextmanager
def eval_progress(*, quiet: bool) -> Iterator[OnProgress]:
    """What is called with every trial that is done. quiet: nothing is shown."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bars() as show:
            yield show
    else:
        yield _Lines()


def counted(progress: "Progress") -> str:
    """How far, what failed, how fast, how long still and what it cost, for a line; or whose data is read."""
    if progress.reading is not None:
        from rankle.reports.layout import one_line

        return f"reading data of {one_line(progress.reading, width=_NAME)}, {_duration(progress.elapsed_s)}"
    words = [f"{progress.n_done:,} of {progress.n_total:,}"]
    if progress.n_failed:
        words.append(f"{progress.n_failed:,} failed")
    if progress.n_cached:
        words.append(f"{progress.n_cached:,} from the cache")
    rate = progress.n_done / progress.elapsed_s if progress.elapsed_s > 0 else 0.0
    if rate:
        words.append(f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s")
        left = (progress.n_total - progress.n_done) / rate
        if left >= 1:
            words.append(f"{_duration(left)} left")
    if progress.cost_usd:
        words.append(f"${progress.cost_usd:.4g}")
    return ", ".join(words)


class _Lines:
    """A line on the error stream now and then."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told = clock()

    def __call__(self, progress: "Progress") -> None:
        now = self._clock()
        goes_on = progress.reading is not None or progress.n_done < progress.n_total
        if now - self._told >= _EVERY_S and goes_on:
            self._told = now
            click.echo(f"{counted(progress)}", err=True)


@contextmanager
def _bars() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(16),
        MofNCompleteColumn(),
        TextColumn("{task.fields[now]}", markup=False),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _Shown(bars)


class _Shown:
    """A bar for all trials, and one for each eval that is under way."""

    def __init__(self, bars: "Bars") -> None:
        self._bars = bars
        self._all: TaskID | None = None
        self._of: dict[str, TaskID] = {}

    def __call__(self, progress: "Progress") -> None:
        if self._all is None:
            self._all = self._bars.add_task("", total=None, now="")
        if progress.reading is not None:
            self._bars.update(self._all, description=counted(progress))
            return
        self._bars.update(
            self._all,
            description="all",
            total=progress.n_total,
            completed=progress.n_done,
            now=counted(progress).partition(", ")[2],
        )
        if len(progress.evals) > 1:
            for each in progress.evals:
                self._one(each.key, each.n_done, each.n_total, each.n_failed)

    def _one(self, key: str, n_done: int, n_total: int, n_failed: int) -> None:
        from rankle.reports.layout import one_line

        if n_done == n_total or not n_done:
            if key in self._of:
                self._bars.remove_task(self._of.pop(key))
            return
        if key not in self._of:
            if len(self._of) >= _MOST_BARS:
                return
            name = one_line(key.rpartition("::")[2], width=_NAME)
            self._of[key] = self._bars.add_task(name, total=n_total, now="")
        self._bars.update(self._of[key], completed=n_done, now=f"{n_failed} failed" if n_failed else "")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
