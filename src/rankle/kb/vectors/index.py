"""The vectors of one workspace as a search uses them: their state, the matrix, and the model of the query."""

import shlex
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rankle.core.embedding import Embedder, OpenEmbedder
from rankle.core.errors import ModelError, WorkspaceError
from rankle.core.product import NAME
from rankle.kb.vectors.store import (
    Generation,
    count_chunks,
    count_embedded,
    read_generation,
    read_model,
)

if TYPE_CHECKING:
    from rankle.kb.vectors.matrix import VectorMatrix


@dataclass(frozen=True, slots=True)
class VectorState:
    """Which model a workspace has, and how far it got."""

    model: str
    """As users name it."""
    fingerprint: str
    dimensions: int
    n_embedded: int
    """Chunks that have a vector."""
    n_chunks: int
    is_current: bool
    """Whether the vectors are of what this version of ours embeds of a chunk."""

    @property
    def is_complete(self) -> bool:
        """Whether a search by vectors can find every chunk."""
        return self.is_current and self.n_embedded == self.n_chunks


class VectorIndex:
    """Answers from the last state that it saw until the workspace changes. Safe to use from several threads.

    Every method that takes a connection reads the state that the connection sees, which must be within a
    transaction.
    """

    def __init__(self, folder: Path, open_embedder: OpenEmbedder | None = None) -> None:
        """folder: of the workspace. open_embedder: called when a vector is needed, and not before."""
        self._folder = folder
        self._open_embedder = open_embedder
        self._matrix: tuple[Generation, VectorMatrix] | None = None
        self._state: tuple[Generation, VectorState | None] | None = None
        self._embedders: dict[str, Embedder] = {}
        self._reading = threading.Lock()
        self._loading = threading.Lock()

    def state(self, connection: sqlite3.Connection) -> VectorState | None:
        """None where the workspace has no model."""
        generation = read_generation(connection)
        known = self._state
        if known is None or known[0] != generation:
            known = self._state = generation, _read_state(connection)
        return known[1]

    def matrix(self, connection: sqlite3.Connection) -> "VectorMatrix":
        """The vectors of all chunks that have one. Shape (0, 0) where the workspace has no model."""
        from rankle.kb.vectors.matrix import open_matrix  # brings numpy, which full text does not need

        generation = read_generation(connection)
        with self._reading:  # so that two threads do not make it twice
            known = self._matrix
            if known is None or known[0] != generation:
                known = self._matrix = generation, open_matrix(connection, self._folder)
            return known[1]

    def embedder(self, connection: sqlite3.Connection) -> Embedder:
        """The model that embedded the chunks, to embed queries with; opened once.

        Raises WorkspaceError where the workspace has no model, or where the model of this name gives other
        vectors now; what `open_embedder` raises where it cannot be opened.
        """
        state = self.state(connection)
        if state is None:
            raise WorkspaceError(f"the workspace has no vectors. Make them: {self.command()}")
        embedder = self.open(state.model)
        found = embedder.info
        if (found.fingerprint, found.dimensions) != (state.fingerprint, state.dimensions):
            raise WorkspaceError(
                f"the workspace was embedded with another {state.model} "
                f"({state.fingerprint[:8]}, {state.dimensions} dimensions) than is here now "
                f"({found.fingerprint[:8]}, {found.dimensions} dimensions), and these do not compare. "
                f"Embed it anew: {self.command(state.model)}"
            )
        return embedder

    def check_complete(self, connection: sqlite3.Connection) -> None:
        """Raises WorkspaceError where a search by vectors would miss chunks."""
        state = self.state(connection)
        if state is None:
            raise WorkspaceError(f"the workspace has no vectors. Make them: {self.command()}")
        if not state.is_current:
            raise WorkspaceError(
                f"the vectors were made by another version of {NAME}. Bring them up to date: {self.command()}"
            )
        missing = state.n_chunks - state.n_embedded
        if missing:
            verb = "has" if missing == 1 else "have"
            raise WorkspaceError(
                f"{missing:,} of {state.n_chunks:,} chunks {verb} no vector. Make them: {self.command()}"
            )

    def open(self, name: str) -> Embedder:
        """The model of this name, opened once. Raises what `open_embedder` raises."""
        with self._loading:
            if name not in self._embedders:
                if self._open_embedder is None:
                    raise ModelError(
                        f'the model "{name}" is needed, and this knowledge base was opened without models. '
                        f"Open it with {NAME}.open, or give it open_embedder"
                    )
                self._embedders[name] = self._open_embedder(name)
            return self._embedders[name]

    def close(self) -> None:
        """Lets go of the matrix and its file; the next use opens it again."""
        with self._reading:
            self._matrix = None

    def command(self, model: str | None = None) -> str:
        """The command that makes the vectors that are missing; with a model, all anew. For a shell."""
        named = "" if model is None else f" --model {shlex.quote(model)}"
        return f"{NAME} embed{named} -w {self._folder.name}"


def _read_state(connection: sqlite3.Connection) -> VectorState | None:
    model = read_model(connection)
    if model is None:
        return None
    return VectorState(
        model=model.name,
        fingerprint=model.fingerprint,
        dimensions=model.dimensions,
        n_embedded=count_embedded(connection),
        n_chunks=count_chunks(connection),
        is_current=model.is_current,
    )
