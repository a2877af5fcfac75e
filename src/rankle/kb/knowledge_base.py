"""The knowledge base: one workspace, opened. What Python users hold and all commands go through."""

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, Unpack

from rankle.core.canonical import fingerprint
from rankle.core.catalog import Catalog
from rankle.core.embedding import OpenEmbedder
from rankle.core.errors import (
    InputError,
    MissingExtraError,
    ModelError,
    RankleError,
    UnknownNameError,
    WorkspaceError,
)
from rankle.core.explanation import Explanation
from rankle.core.ids import is_chunk_id
from rankle.core.product import NAME
from rankle.core.search import SearchResult
from rankle.core.sync import run_sync
from rankle.core.text_range import Range
from rankle.kb.explaining import explain
from rankle.kb.fusion import DEFAULT_CANDIDATES, Fusion, FusionKind
from rankle.kb.indexing import IndexProgress, IndexReport, index_paths
from rankle.kb.methods import MethodChoice
from rankle.kb.planning import DEFAULT_MAX_MB, IndexRequest, resolved
from rankle.kb.prepare import ROWS_VERSION
from rankle.kb.ratings import Ratings
from rankle.kb.restemming import follow_languages
from rankle.kb.search_request import SearchOptions, SearchRequest, search_request
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings, check_used
from rankle.kb.searching import search, search_many
from rankle.kb.searchlog import SearchLog, logged
from rankle.kb.session import Session
from rankle.kb.store.database import FILE_NAME, Database
from rankle.kb.store.documents import (
    DocumentInfo,
    StoredChunk,
    chunk_named,
    chunks_of_document,
    collections,
    content_rows,
    delete_document,
    document_text,
    known_documents,
    languages,
    list_documents,
    read_catalog,
)
from rankle.kb.store.places import read_chunk_places
from rankle.kb.store.roots import Failure, Root, delete_root, list_failures, list_roots
from rankle.kb.vectors.choice import NO_MODEL, DefaultModel, VectorWish, chosen_model
from rankle.kb.vectors.embedding import EmbedProgress, EmbedReport, embed_workspace
from rankle.kb.vectors.index import VectorIndex, VectorState
from rankle.kb.vectors.store import vector_fingerprint


@dataclass(frozen=True, slots=True)
class WorkspaceInfo:
    """What a workspace holds."""

    name: str
    folder: Path
    n_documents: int
    n_chunks: int
    n_failures: int
    languages: dict[str, int]
    """Documents per language, most first."""
    collections: dict[str, int]
    """Documents per collection."""
    roots: tuple[Root, ...]
    n_bytes: int
    """On disk."""
    n_searches: int | None
    """In the search log; None where that cannot be read."""
    vectors: VectorState | None
    """None where the workspace has no model."""
    n_ratings: int | None
    """None where they cannot be read."""


class KnowledgeBase:
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
        self.folder = folder
        self.name = name
        self.log = SearchLog(folder)
        self.ratings = Ratings(folder)
        self._vectors = VectorIndex(folder, open_embedder)
        self._default_model = default_model
        self._opened: Database | None = None
        self._opening = threading.Lock()
        self._ready_for: set[str | None] = set()
        if not lazy:
            self._open(create=create)

    @property
    def _database(self) -> Database:
        return self._open(create=False)

    def _open(self, *, create: bool) -> Database:
        with self._opening:
            if self._opened is None:
                self._opened = Database(self.folder / FILE_NAME, create=create)
            elif create:
                self._opened.open(create=True)
            return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Releases the files. A closed knowledge base opens them again when it is used."""
        self._vectors.close()
        if self._opened is not None:
            self._opened.close()

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
        progress: Callable[[IndexProgress], None] | None = None,
        embed_progress: Callable[[EmbedProgress], None] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> IndexReport:
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
        progress: Callable[[EmbedProgress], None] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> EmbedReport:
        """Gives every chunk a vector; those that have one keep it. Goes on where a killed run ended.

        model: None for the workspace's own, else the default. Another one than before replaces all vectors.
        Raises UnknownNameError, MissingExtraError or ModelError where the model cannot be loaded, ModelError
        where its answer is no vector, InputError where nothing names a model.
        """
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
        progress: Callable[[EmbedProgress], None] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> EmbedReport | None:
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
    ) -> Explanation:
        """Why a document or chunk is, or is not, among the first k results: where it stands in each stage.

        target: a document's id, path or short content id, or a chunk's id.
        settings: how the search was ranked, where not by the defaults.
        Raises InputError for a target that is not in the index, and otherwise what `search` raises.
        """
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
            failed = next((each for each in self.failures() if each.path in _paths_of(name)), None)
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

    def catalog(self) -> Catalog:
        """Every document and chunk that a search could return."""
        with self._database.reading() as connection:
            return read_catalog(connection)

    def fingerprint(self) -> str:
        """SHA-256 over what is indexed and how; the same on every machine for the same content."""
        with self._database.reading() as connection:
            rows = [ROWS_VERSION, [list(row) for row in content_rows(connection)]]
            vectors = vector_fingerprint(connection)
            return fingerprint(rows if vectors is None else [*rows, vectors])

    def documents(self, *, collection: str | None = None) -> list[DocumentInfo]:
        """All documents by id, or those of one collection. Raises UnknownNameError for an unknown one."""
        with self._database.reading() as connection:
            known = collections(connection)
            if collection is not None and collection not in known:
                raise UnknownNameError(what="collection", name=collection, known=known)
            return list_documents(connection, collection=collection)

    def document(self, name: str) -> DocumentInfo:
        """One document by its id, path, or short content id. Raises InputError where none or several fit."""
        found = _fitting(name, self.documents())
        if len(found) == 1:
            return found[0]
        if found:
            fits = ", ".join(document.name for document in found)
            raise InputError(f'"{name}" fits several documents: {fits}. Use the full id')
        known = [document.name for document in self.documents()]
        raise UnknownNameError(what="document", name=name, known=known, hint="See: rankle docs list")

    def text(self, document: DocumentInfo) -> str:
        """The stored text, which all offsets point into."""
        with self._database.reading() as connection:
            return document_text(connection, document.name)

    def stored_text(self, document: str) -> str:
        """The same, by the document's id. Raises UnknownNameError where no document has it."""
        with self._database.reading() as connection:
            return document_text(connection, document)

    def chunk_places(self) -> dict[str, Range]:
        """Where every chunk stands, by its id."""
        with self._database.reading() as connection:
            return read_chunk_places(connection)

    def chunks(self, document: DocumentInfo) -> list[StoredChunk]:
        """A document's chunks in order."""
        with self._database.reading() as connection:
            return chunks_of_document(connection, document.name)

    def chunk(self, name: str) -> StoredChunk:
        """One chunk by its id. Raises UnknownNameError where no chunk has it."""
        with self._database.reading() as connection:
            return chunk_named(connection, name)

    def remove(self, documents: list[DocumentInfo], *, waiting: Callable[[], None] | None = None) -> None:
        """Drops documents from the workspace. A file that is still there comes back with the next index.

        waiting: called once where another process writes to the workspace.
        """
        with self._database.writing(waiting=waiting) as connection:
            known = known_documents(connection)
            for document in documents:
                if document.name in known:  # else another process was quicker
                    delete_document(connection, known[document.name].id)
            follow_languages(connection)

    def remove_root(self, path: Path, *, waiting: Callable[[], None] | None = None) -> int:
        """Drops a root with all its documents. Returns how many. Raises InputError for an unknown root."""
        wanted = resolved(path)
        with self._database.writing(waiting=waiting) as connection:
            root = next((root for root in list_roots(connection) if root.path == wanted), None)
            if root is None:
                roots = ", ".join(str(root.path) for root in list_roots(connection)) or "none"
                raise InputError(f"{wanted} is not an indexed root. Roots: {roots}")
            own = [document for document in known_documents(connection).values() if document.root == root.id]
            for document in own:
                delete_document(connection, document.id)
            delete_root(connection, root.id)
            follow_languages(connection)
        return len(own)

    def roots(self) -> list[Root]:
        with self._database.reading() as connection:
            return list_roots(connection)

    def failures(self) -> list[Failure]:
        """The files that the last index of each root could not read."""
        with self._database.reading() as connection:
            return list_failures(connection)

    def info(self) -> WorkspaceInfo:
        with self._database.reading() as connection:
            (n_chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
            found = collections(connection)
            return WorkspaceInfo(
                name=self.name,
                folder=self.folder,
                n_documents=sum(found.values()),
                n_chunks=n_chunks,
                n_failures=len(list_failures(connection)),
                languages=languages(connection),
                collections=found,
                roots=tuple(list_roots(connection)),
                n_bytes=sum(size for size in _file_sizes(self.folder)),
                n_searches=self._n_searches(),
                vectors=self._vectors.state(connection),
                n_ratings=self._n_ratings(),
            )

    def _n_searches(self) -> int | None:
        try:
            return self.log.count()
        except WorkspaceError:
            return None

    def _n_ratings(self) -> int | None:
        try:
            return self.ratings.count()
        except WorkspaceError:
            return None


def _nameable(model: str, error: RankleError) -> str:
    """The model as a command should name it: nobody shall repeat a name that there is not."""
    return "NAME" if isinstance(error, UnknownNameError) else model


def delete_workspace(folder: Path) -> None:
    """Deletes a workspace's files; the documents that it was made of stay where they are."""
    shutil.rmtree(folder)


def _fitting(name: str, documents: list[DocumentInfo]) -> list[DocumentInfo]:
    by_id = [document for document in documents if document.name == name]
    if by_id:
        return by_id
    paths = _paths_of(name)
    prefix = name[1:].lower() if name.startswith("#") and len(name) > 6 else None
    return [
        document
        for document in documents
        if document.path in paths or (prefix and document.content_hash.startswith(prefix))
    ]


def _paths_of(name: str) -> set[str]:
    """The absolute paths that a name may mean: with links kept, and with links followed."""
    try:
        return {os.path.abspath(name), str(resolved(Path(name)))}  # noqa: PTH100 - `absolute` would keep ".."
    except InputError:
        return set()


def _file_sizes(folder: Path) -> Iterator[int]:
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # SQLite drops its side files when the last reader leaves
            yield path.stat().st_size


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
