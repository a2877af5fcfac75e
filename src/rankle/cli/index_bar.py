"""The bar of `rankle index` and `rankle embed`: how far, how fast, how long still, and at what."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankle.app.index import NOBODY, IndexWatchers
from rankle.models.progress import tell_notable
from rankle.reports.layout import one_line

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from rankle.core.embedding import OpenEmbedder
    from rankle.kb.indexing import IndexProgress
    from rankle.kb.vectors.embedding import EmbedProgress
    from rankle.models.progress import ModelProgress

_WORDS = 40


@dataclass(frozen=True, slots=True)
class IndexBar:
    """What a bar wants to be told; nothing where there is none."""

    watchers: IndexWatchers = NOBODY
    open_embedder: "OpenEmbedder | None" = None


@contextmanager
def index_bar(first: str) -> Iterator[IndexBar]:
    """A bar on the error stream where that is a terminal.

    first: what it says until it is told more.
    """
    import sys

    if not sys.stderr.isatty():
        yield IndexBar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from rankle.app.wiring.models import embedder_factory

    columns = (
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[now]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        shown = _Shown(progress, first)
        watchers = IndexWatchers(shown.text, shown.vectors, shown.waiting)
        yield IndexBar(watchers, embedder_factory(on_progress=shown.model))


class _Shown:
    def __init__(
        self, progress: "Progress", first: str, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._progress = progress
        self._clock = clock
        self._started = clock()
        self._doing = ""
        self._task = self._begin(first)

    def _begin(self, doing: str) -> "TaskID":
        """One line at a time: texts and vectors have a speed, and a time left, of their own."""
        if self._doing == doing:
            return self._task
        if self._doing:
            self._progress.update(self._task, visible=False)
        self._doing = doing
        return self._progress.add_task("", total=None, rate="", now=doing)

    def text(self, progress: "IndexProgress") -> None:
        rate = progress.n_done / max(self._clock() - self._started, 1e-9)
        self._progress.update(
            self._task,
            completed=progress.n_done,
            total=progress.n_total,
            rate=f"{rate:,.0f}/s" if progress.n_done else "",
            now=one_line(progress.name, width=30),
        )

    def vectors(self, progress: "EmbedProgress") -> None:
        self._task = self._begin("embedding")
        self._progress.update(
            self._task,
            completed=progress.n_done,
            total=progress.n_total,
            rate="" if progress.texts_per_s is None else f"{progress.texts_per_s:,.0f}/s",
            now="embedding",
        )

    def model(self, progress: "ModelProgress") -> None:
        if progress.is_notable:
            tell_notable(progress)  # to stay when the bar goes away
        self._task = self._begin("model")
        self._progress.update(
            self._task,
            completed=progress.done_bytes,
            total=progress.total_bytes,
            now=one_line(progress.what, width=_WORDS),
        )

    def waiting(self) -> None:
        self._progress.update(self._task, now="waiting: another process writes to the workspace")
