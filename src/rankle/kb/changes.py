"""What changes a workspace: indexing files, embedding chunks, removing documents."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rankle.core.embedding import OpenEmbedder
from rankle.core.errors import InputError, MissingExtraError, ModelError, RankleError, UnknownNameError
from rankle.core.product import NAME
from rankle.kb.contents import Contents
from rankle.kb.index_request import DEFAULT_MAX_MB, IndexRequest
from rankle.kb.store.documents import DocumentInfo
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
    from rankle.kb.indexing import IndexProgress, IndexReport
    from rankle.kb.vectors.embedding import EmbedProgress, EmbedReport


class Changes(Contents):
    """What an opened workspace has, and what changes it."""

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        create: bool,
        lazy: bool,
        open_embedder: OpenEmbedder | None,
        default_model: Callable[[], DefaultModel] | None,
    ) -> None:
        """As `KnowledgeBase`, which says what the arguments mean."""
        super().__init__(folder, name=name, create=create, lazy=lazy)
        self._vectors = VectorIndex(folder, open_embedder)
        self._default_model = default_model

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


def _nameable(model: str, error: RankleError) -> str:
    """The model as the next command should name it: a name that does not exist is not told again."""
    return "NAME" if isinstance(error, UnknownNameError) else model


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
