"""The knowledge base: one workspace, opened. What Python users hold and all commands go through."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from rankle.core.embedding import OpenEmbedder
from rankle.core.errors import InputError, ModelError, UnknownNameError
from rankle.core.ids import is_chunk_id
from rankle.core.search import SearchResult
from rankle.core.sync import run_sync
from rankle.kb.changes import Changes
from rankle.kb.document_names import paths_of
from rankle.kb.floors import Floors
from rankle.kb.fusion import DEFAULT_CANDIDATES, Fusion, FusionKind
from rankle.kb.methods import MethodChoice
from rankle.kb.ratings import Ratings
from rankle.kb.search_request import SearchOptions, SearchRequest, search_request
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings, check_used
from rankle.kb.searching import search, search_many
from rankle.kb.searchlog import SearchLog, logged
from rankle.kb.session import Session
from rankle.kb.vectors.choice import DefaultModel

if TYPE_CHECKING:
    from rankle.core.explanation import Explanation
    from rankle.kb.workspace_info import WorkspaceInfo


class KnowledgeBase(Changes):
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
        super().__init__(
            folder,
            name=name,
            create=create,
            lazy=lazy,
            open_embedder=open_embedder,
            default_model=default_model,
        )
        self.log = SearchLog(folder)
        self.ratings = Ratings(folder)
        self.floors = Floors(lambda: self._database)
        self._ready_for: set[str | None] = set()

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
