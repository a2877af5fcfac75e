"""The knowledge base: one workspace, opened. What Python users hold and all commands go through."""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from rankle.core.embedding import OpenEmbedder
from rankle.core.errors import (
    InputError,
    MissingExtraError,
    ModelError,
    RankleError,
    UnknownNameError,
)
from rankle.core.ids import is_chunk_id
from rankle.core.product import NAME
from rankle.core.search import SearchResult
from rankle.core.sync import run_sync
from rankle.kb.contents import Contents
from rankle.kb.document_names import paths_of
from rankle.kb.floors import Floors
from rankle.kb.fusion import DEFAULT_CANDIDATES, Fusion, FusionKind
from rankle.kb.index_request import DEFAULT_MAX_MB, IndexRequest
from rankle.kb.methods import MethodChoice
from rankle.kb.ratings import Ratings
from rankle.kb.search_request import SearchOptions, SearchRequest, search_request
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings, check_used
from rankle.kb.searching import search, search_many
from rankle.kb.searchlog import SearchLog, logged
from rankle.kb.session import Session
from rankle.kb.store.documents import (
    DocumentInfo,
)
from rankle.kb.vectors.choice import (
    NO_MODEL,
    DefaultModel,
    EmbedPlan,
    VectorWish,
    chosen_model,
    plan_embedding,
)
from rankle.kb.vectors.index import VectorIndex, VectorState

if TYPE_CHECKING:
    from rankle.core.explanation import Explanation
    from rankle.kb.indexing import IndexProgress, IndexReport
    from rankle.kb.vectors.embedding import EmbedProgress, EmbedReport
    from rankle.kb.workspace_info import WorkspaceInfo


class KnowledgeBase(Contents):
    """One workspace, opened. Safe to use from several threads; close it, or use it as a context manager."""

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        create: bool = False,
        lazy: bool = False,
        open_embedder: OpenEmbedder | None = None,
        default_model: Callable[[], DefaultModel] | None = None,
    ) -> None:
        """Opens the workspace in `folder`, and makes it where there is none if `create`.

        lazy: opens on first use, and `index` makes the workspace where there is none.
        open_embedder: opens an embedding model by name, called when a vector is needed; None for full text
            only.
        default_model: the model that a workspace without one gets; None for none unless one is named.
        Raises WorkspaceError where there is none and it may not be made; with `lazy` on first use.
        """
        super().__init__(folder, name=name, create=create, lazy=lazy)
        self.log = SearchLog(folder)
        self.ratings = Ratings(folder)
        self.floors = Floors(lambda: self._database)
        self._vectors = VectorIndex(folder, open_embedder)
        self._default_model = default_model
        self._ready_for: set[str | None] = set()

    def close(self) -> None:
        """Releases the files. A closed knowledge base opens them again when it is used."""
        self._vectors.close()
        super().close()

    def index(
        self,
        *paths: str | os.PathLike[str],
        collection: str | None = None,
        name: str | None = None,
        chunker: str | None = None,
        dry_run: bool = False,
        max_mb: int = DEFAULT_MAX_MB,
        wait_s: float | None = None,
        vectors: bool | None = None,
        model: str | None = None,
        progress: Callable[["IndexProgress"], None] | None = None,
        embed_progress: Callable[["EmbedProgress"], None] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> "IndexReport":
        """Brings the workspace in line with folders and files; without paths, with all that it knows.

        collection: the group that the documents belong to; None keeps that of a known root, else `default`.
        chunker: how to cut them, such as `fixed:200`; None keeps that of a known root, else `heading`.
        name: prefix of the document ids, where two roots would have the same ids.
        dry_run: only says what would change.
        wait_s: how long to wait while another process writes to the workspace, 60 seconds where it is None;
            `waiting` is called once where that is so.
        vectors: whether to embed the new chunks as well; None where the workspace has a model, or where the
            default one is at hand.
        model: the embedding model; None for the workspace's own, else the default. Another one than before
            replaces all vectors.
        Raises InputError for paths that are missing, empty, overlapping or colliding; CannotMeasureError
        where every file failed or is empty, WorkspaceError where another process writes for longer than
        `wait_s`. All of it is kept, or nothing. Vectors come after it, and ModelError means that the text is
        indexed and vectors are missing.
        """
        from rankle.kb.indexing import index_paths  # brings all parsers, which a search does not need

        wish = VectorWish(vectors, model)
        request = IndexRequest(
            paths=tuple(Path(path) for path in paths),
            collection=collection,
            name=name,
            chunker=chunker,
            dry_run=dry_run,
            max_mb=max_mb,
            wait_s=wait_s,
        )
        database = self._open(create=True)
        report = index_paths(database, request, now=_now(), progress=progress, waiting=waiting)
        if not dry_run:
            report.embedding = self.embed_changes(
                wish, wait_s=wait_s, progress=embed_progress, waiting=waiting
            )
        return report

    def embed(
        self,
        model: str | None = None,
        *,
        wait_s: float | None = None,
        progress: Callable[["EmbedProgress"], None] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> "EmbedReport":
        """Gives every chunk a vector; those that have one keep it. Goes on where a killed run ended.

        model: None for the workspace's own, else the default. Another one than before replaces all vectors.
        Raises UnknownNameError, MissingExtraError or ModelError where the model cannot be loaded, ModelError
        where its answer is no vector, InputError where nothing names a model.
        """
        from rankle.kb.vectors.embedding import embed_workspace

        if model is None and self.vector_state() is None:
            model = chosen_model(VectorWish(vectors=True), None, self._default())
        if model == NO_MODEL:
            raise InputError(f'vectors need a model, got "{NO_MODEL}"')
        return embed_workspace(
            self._database, self._vectors, model=model, wait_s=wait_s, progress=progress, waiting=waiting
        )

    def embed_changes(
        self,
        wish: VectorWish,
        *,
        wait_s: float | None = None,
        progress: Callable[["EmbedProgress"], None] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> "EmbedReport | None":
        """The second half of `index`: vectors for what has none, where they are wanted; else None."""
        if wish.is_no:
            return None
        state = self.vector_state()
        name = chosen_model(wish, state, self._default())
        if name is None:
            return None
        own = state is not None and wish.model is None
        try:
            return self.embed(None if own else name, wait_s=wait_s, progress=progress, waiting=waiting)
        except (ModelError, MissingExtraError, UnknownNameError) as error:
            raise ModelError(
                f"{error}\nThe text is indexed, vectors are missing. When that is mended: "
                f"{self._vectors.command(None if own else _nameable(name, error))}. "
                f"To do without: {NAME} index --no-vectors -w {self.name}"
            ) from error

    def embedding_plan(self, wish: VectorWish, *, n_new: int) -> EmbedPlan | None:
        """What `embed_changes` would do after an indexing that brings n_new chunks; None for nothing.

        Opens no model. Raises InputError where vectors are asked for and nothing names a model.
        """
        return plan_embedding(wish, self.vector_state(), self._default(), n_new=n_new)

    def _default(self) -> DefaultModel | None:
        return None if self._default_model is None else self._default_model()

    def vector_state(self) -> VectorState | None:
        """The workspace's model, and how many chunks are embedded; None where it has no model."""
        with self._database.reading() as connection:
            return self._vectors.state(connection)

    def search(self, query: str, **options: Unpack[SearchOptions]) -> SearchResult:
        """`asearch`, for code that does not await; it takes the same options."""
        return run_sync(self.asearch(query, **options))

    async def asearch(
        self,
        query: str,
        *,
        k: int = 10,
        method: str | None = None,
        collection: str | None = None,
        group: Literal["chunk", "document"] = "chunk",
        depth: int | None = None,
        explain: bool = False,
        log: bool = False,
        fusion: FusionKind = "convex",
        vector_weight: float | None = None,
        candidates: int = DEFAULT_CANDIDATES,
        collapse: bool = False,
        per_document: int | None = None,
    ) -> SearchResult:
        """The best k results, each with its passage; iterate over the result for its hits.

        query: any text; `"a phrase"`, `-without`, `begin*`.
        method: `hybrid`, `vector` or `fts5`; None takes the best that the workspace is ready for.
        group: chunks, or documents ranked by their best chunk.
        depth: how many results to rank, at least k (100 by default); only the first k come back.
        log: whether the search counts in `rankle analytics`.
        fusion, vector_weight, candidates: how `hybrid` makes one list of two; see `kb.fusion.Fusion`.
        collapse: fold results whose text nearly repeats a better one into that one's `folded`.
        per_document: at most so many chunks of one document.
        """
        request = search_request(
            query,
            k=k,
            method=method,
            collection=collection,
            group=group,
            depth=depth,
            explain=explain,
            settings=SearchSettings(
                Fusion(fusion, vector_weight, candidates), collapse=collapse, per_document=per_document
            ),
        )
        result = await self.answer(request)
        if log:
            entry = logged(result, collection=collection, at=datetime.now(UTC), n_shown=k)
            await asyncio.to_thread(self.log.append, entry)
        return result.first(k)

    async def answer(self, request: SearchRequest) -> SearchResult:
        """`run` for someone who waits for it: what it needs is loaded before its time is taken.

        Raises InputError where settings of the fusion were given and nothing was fused.
        """
        await asyncio.to_thread(self._get_ready, request.method)
        result = await self.run(request)
        check_used(request.settings, method=result.method)
        return result

    def _get_ready(self, method: str | None) -> None:
        """Once, so that the time of the first search is that of a search and not of loading."""
        if method not in self._ready_for:
            self.prepare_to_search(method)
            self._ready_for.add(method)

    def explain(
        self,
        query: str,
        *,
        target: str,
        k: int = 10,
        method: str | None = None,
        collection: str | None = None,
        settings: SearchSettings = DEFAULT_SETTINGS,
    ) -> "Explanation":
        """Why a document or chunk is, or is not, among the first k results: where it stands in each stage.

        target: a document's id, path or short content id, or a chunk's id.
        settings: how the search was ranked, where not by the defaults.
        Raises InputError for a target that is not in the index, and otherwise what `search` raises.
        """
        from rankle.kb.explaining import explain

        request = SearchRequest(query, method=method, collection=collection, settings=settings)
        self._get_ready(method)
        found = explain(
            self._database,
            self._vectors,
            request,
            target=self._target(target),
            k=k,
            workspace=self.name,
        )
        check_used(settings, method=found.method)
        return found

    def _target(self, name: str) -> str:
        """The id of the document or chunk that is meant."""
        if is_chunk_id(name):
            return name
        try:
            return self.document(name).name
        except UnknownNameError:
            failed = next((each for each in self.failures() if each.path in paths_of(name)), None)
            if failed is None:
                raise
            raise InputError(f"{failed.path} is not indexed: {failed.message}") from None

    async def run(self, request: SearchRequest) -> SearchResult:
        """One search as it is asked for, all hits down to its depth. Never logged."""
        return await asyncio.to_thread(search, self._database, self._vectors, request, workspace=self.name)

    async def run_batch(self, requests: Sequence[SearchRequest]) -> list[SearchResult | ModelError]:
        """For each request what `run` gives, in less time than one after another.

        A query that the model cannot embed has its error in its place; other errors are raised.
        """
        return await asyncio.to_thread(
            search_many, self._database, self._vectors, requests, workspace=self.name
        )

    def prepare_to_search(self, method: str | None = None) -> MethodChoice:
        """Loads what searching by this method needs, so that the first search is no slower than the rest.

        Returns the method that searches will be made with. Raises WorkspaceError where no search could be
        answered: nothing indexed, or by another version, or without the vectors that the method needs.
        """
        with self._database.reading() as connection:
            return Session(connection, self._vectors, workspace=self.name).load(method)

    def remove(self, documents: list[DocumentInfo], *, waiting: Callable[[], None] | None = None) -> None:
        """Drops documents from the workspace. A file that is still there comes back with the next index.

        waiting: called once where another process writes to the workspace.
        """
        from rankle.kb.removal import remove_documents

        remove_documents(self._database, documents, waiting=waiting)

    def remove_root(self, path: Path, *, waiting: Callable[[], None] | None = None) -> int:
        """Drops a root with all its documents. Returns how many. Raises InputError for an unknown root."""
        from rankle.kb.removal import remove_root

        return remove_root(self._database, path, waiting=waiting)

    def info(self) -> "WorkspaceInfo":
        from rankle.kb.workspace_info import read_info

        with self._database.reading() as connection:
            info = read_info(
                connection,
                folder=self.folder,
                name=self.name,
                vectors=self._vectors.state(connection),
                log=self.log,
                ratings=self.ratings,
            )
        return replace(info, content=self.fingerprint()) if info.floors else info


def _nameable(model: str, error: RankleError) -> str:
    """The model as a command should name it: nobody shall repeat a name that there is not."""
    return "NAME" if isinstance(error, UnknownNameError) else model


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
