"""Index folders and files into a workspace, which is made where it does not exist."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rankle.app.wiring import Settings, open_knowledge_base
from rankle.kb.indexing import IndexProgress, IndexReport
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.planning import IndexRequest
from rankle.kb.workspaces import discard_if_empty, is_workspace


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an indexing did, and where."""

    workspace: str
    is_new: bool
    """Whether the workspace was made for it."""
    report: IndexReport
    took_s: float

    @property
    def documents_per_s(self) -> float | None:
        """None where the time is too short to tell."""
        n_files = self.report.n_read + len(self.report.failures) + len(self.report.empty)
        return n_files / self.took_s if self.took_s > 0 else None


def index(
    request: IndexRequest,
    *,
    settings: Settings,
    progress: Callable[[IndexProgress], None] | None = None,
    waiting: Callable[[], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Indexed:
    """Bring the workspace of `settings` in line with the files of the request.

    A workspace that is made for this and gets nothing, since the indexing fails, is interrupted, or is a dry
    run, is taken away again. Raises what `KnowledgeBase.index` raises.
    """
    started = clock()
    is_new = not is_workspace(settings.home / settings.workspace)
    with _opened(settings, is_new=is_new) as kb:
        report = index_into(kb, request, progress=progress, waiting=waiting)
    return Indexed(settings.workspace, is_new, report, clock() - started)


def index_into(
    kb: KnowledgeBase,
    request: IndexRequest,
    *,
    progress: Callable[[IndexProgress], None] | None = None,
    waiting: Callable[[], None] | None = None,
) -> IndexReport:
    """One indexing of an open workspace."""
    return kb.index(
        *request.paths,
        collection=request.collection,
        name=request.name,
        chunker=request.chunker,
        dry_run=request.dry_run,
        max_mb=request.max_mb,
        wait_s=request.wait_s,
        progress=progress,
        waiting=waiting,
    )


@contextmanager
def _opened(settings: Settings, *, is_new: bool) -> Iterator[KnowledgeBase]:
    try:
        with open_knowledge_base(settings, create=True) as kb:
            yield kb
    finally:
        if is_new:
            discard_if_empty(settings.home / settings.workspace)
