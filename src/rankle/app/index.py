"""Index folders and files into a workspace, which is made where it does not exist, and embed what is new."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.models import model_readiness
from rankle.app.wiring.settings import DEFAULT_WORKSPACE, Settings
from rankle.core.embedding import OpenEmbedder
from rankle.core.errors import RankleError
from rankle.core.product import NAME
from rankle.kb.index_request import IndexRequest
from rankle.kb.indexing import IndexProgress, IndexReport
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.vectors.choice import EmbedPlan, VectorWish
from rankle.kb.vectors.embedding import EmbedProgress
from rankle.kb.workspaces import discard_if_empty, is_workspace


@dataclass(frozen=True, slots=True)
class IndexWatchers:
    """What is called while an indexing goes on; None where nobody looks."""

    progress: Callable[[IndexProgress], None] | None = None
    embedding: Callable[[EmbedProgress], None] | None = None
    waiting: Callable[[], None] | None = None
    """Another process writes to the workspace."""


NOBODY = IndexWatchers()


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an indexing did, and where."""

    workspace: str
    is_new: bool
    """Whether the workspace was made for it."""
    report: IndexReport
    text_s: float
    """For the text."""
    vectors_s: float
    """For the vectors, loading the model included."""
    problem: RankleError | None
    """Why vectors are missing that were wanted; the text is indexed all the same."""
    hint: str | None
    """What to do for vectors, where nobody asked for them and none could be made."""
    plan: EmbedPlan | None = None
    """What would be embedded, in a dry run."""

    @property
    def documents_per_s(self) -> float | None:
        """Of the text. None where the time is too short to tell."""
        n_files = self.report.n_read + len(self.report.failures) + len(self.report.empty)
        return n_files / self.text_s if self.text_s > 0 else None


def index(
    request: IndexRequest,
    *,
    settings: Settings,
    wish: VectorWish | None = None,
    watchers: IndexWatchers = NOBODY,
    open_embedder: OpenEmbedder | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Indexed:
    """Bring the workspace of `settings` in line with the files of the request, then embed what is new.

    A workspace that is made for this and gets nothing, since the indexing fails, is interrupted, or is a dry
    run, is taken away again. Raises what `KnowledgeBase.index` raises, but for the vectors: there the text
    stays and `problem` says what is wrong.
    """
    wish = wish or VectorWish()
    started = clock()
    is_new = not is_workspace(settings.home / settings.workspace)
    problem, hint, plan = None, None, None
    with _opened(settings, is_new=is_new, open_embedder=open_embedder) as kb:
        report = index_text(kb, request, watchers=watchers)
        text_s = clock() - started
        if request.dry_run:
            plan = kb.embedding_plan(wish, n_new=report.n_chunks)
        try:
            embed_into(kb, request, report, wish=wish, watchers=watchers)
        except RankleError as error:
            problem = error
        else:
            hint = _hint(kb, report, wish, settings=settings)
    vectors_s = clock() - started - text_s
    return Indexed(settings.workspace, is_new, report, text_s, vectors_s, problem, hint, plan)


def index_text(kb: KnowledgeBase, request: IndexRequest, *, watchers: IndexWatchers = NOBODY) -> IndexReport:
    """One indexing of an open workspace, without vectors."""
    return kb.index(
        *request.paths,
        collection=request.collection,
        name=request.name,
        chunker=request.chunker,
        dry_run=request.dry_run,
        max_mb=request.max_mb,
        wait_s=request.wait_s,
        vectors=False,
        progress=watchers.progress,
        waiting=watchers.waiting,
    )


def embed_into(
    kb: KnowledgeBase,
    request: IndexRequest,
    report: IndexReport,
    *,
    wish: VectorWish,
    watchers: IndexWatchers = NOBODY,
) -> None:
    """The vectors after `index_text`, noted in its report. Raises what `KnowledgeBase.index` raises."""
    if not request.dry_run:
        report.embedding = kb.embed_changes(
            wish, wait_s=request.wait_s, progress=watchers.embedding, waiting=watchers.waiting
        )


def _hint(kb: KnowledgeBase, report: IndexReport, wish: VectorWish, *, settings: Settings) -> str | None:
    if report.embedding or report.dry_run or wish.is_no or settings.model is not None:
        return None
    if not (report.added or report.updated):  # said when they came
        return None
    from rankle.models.catalog import DEFAULT_MODEL
    from rankle.models.readiness import Readiness

    command = f"{NAME} embed" + ("" if kb.name == DEFAULT_WORKSPACE else f" -w {kb.name}")
    if model_readiness() is Readiness.NEEDS_EXTRA:
        return f"for search by meaning too: pip install '{NAME}[local]', then {command}"
    return f"for search by meaning too: {command}, which downloads {DEFAULT_MODEL} first"


@contextmanager
def _opened(
    settings: Settings, *, is_new: bool, open_embedder: OpenEmbedder | None
) -> Iterator[KnowledgeBase]:
    try:
        with open_knowledge_base(settings, create=True, open_embedder=open_embedder) as kb:
            yield kb
    finally:
        if is_new:
            discard_if_empty(settings.home / settings.workspace)
