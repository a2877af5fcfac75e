"""Embedding: vectors for the chunks that have none, batch by batch, each kept as soon as it is made."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Final

import numpy as np

from rankle.core.embedding import Embedder, EmbedderInfo, Vectors
from rankle.core.errors import InputError, ModelError, WorkspaceError
from rankle.core.product import NAME
from rankle.kb.store.database import Database
from rankle.kb.vectors.index import VectorIndex, VectorState
from rankle.kb.vectors.store import (
    count_chunks,
    count_embedded,
    has_vector,
    insert_vectors,
    is_crowded,
    link,
    passages,
    passages_without_vector,
    prune,
    read_model,
    write_model,
)

_TEXTS: Final = 64
"""Embedded at once: what a kill costs at most, about a second of e5-small, so that storing them is no part of
the time and progress shows."""
_CHUNKS: Final = 4_096
"""Looked at for one batch, where most of the texts were embedded before."""
_UNIT: Final = 0.01
"""How far from 1 the length of a vector may be: half precision, and servers that round."""


@dataclass(frozen=True, slots=True)
class EmbedProgress:
    """How far an embedding is."""

    n_done: int
    """Chunks that have a vector now and had none before."""
    n_total: int
    texts_per_s: float | None
    """How fast the model is; None before its first batch."""


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What an embedding did."""

    model: str
    n_chunks: int
    """Chunks that have a vector now and had none before."""
    n_texts: int
    """Texts that the model embedded for them; fewer where a text was embedded before, or stands twice."""
    n_total: int
    """Chunks of the workspace."""
    replaced: str | None
    """The model whose vectors were dropped for this one's."""
    took_s: float
    """In the model."""

    @property
    def texts_per_s(self) -> float | None:
        """None where the model embedded nothing."""
        return self.n_texts / self.took_s if self.n_texts and self.took_s > 0 else None


def embed_workspace(
    database: Database,
    index: VectorIndex,
    *,
    model: str | None = None,
    wait_s: float | None = None,
    progress: Callable[[EmbedProgress], None] | None = None,
    waiting: Callable[[], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> EmbedReport:
    """Gives every chunk a vector. Each batch is kept at once, so that a killed run goes on where it was.

    model: None for the workspace's own; another one drops the vectors of the one before as its first batch
        is kept. Several processes may do this at once.
    Without a model named, nothing is loaded where no chunk is without a vector.
    Raises InputError where none is named and the workspace has none, ModelError where the model's answer is
    no vector (nothing of that batch is kept), WorkspaceError where another process embeds with another model,
    or where the model that the workspace has gives other vectors now.
    """
    with database.reading() as connection:
        state = index.state(connection)
        if model is not None:
            embedder = index.open(model)
        elif state is None:
            raise InputError(f"the workspace has no model yet. Name one: {NAME} embed --model NAME")
        elif state.is_complete and not is_crowded(connection):
            return EmbedReport(state.model, 0, 0, state.n_chunks, None, 0.0)
        else:
            embedder = index.embedder(connection)
    work = _Work(database, embedder, state, wait_s=wait_s, progress=progress, waiting=waiting, clock=clock)
    return work.run()


@dataclass(frozen=True, slots=True)
class _Batch:
    """Chunks without a vector, and the texts of theirs that were never embedded."""

    chunks: list[int]
    new: dict[bytes, str]


class _Work:
    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        state: VectorState | None,
        *,
        wait_s: float | None,
        progress: Callable[[EmbedProgress], None] | None,
        waiting: Callable[[], None] | None,
        clock: Callable[[], float],
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._info = embedder.info
        self._before = state
        self._wait_s = wait_s
        self._progress = progress
        self._waiting = waiting
        self._clock = clock
        self._is_adopted = False
        self._n_done = 0
        self._n_texts = 0
        self._model_s = 0.0

    def run(self) -> EmbedReport:
        n_total = self._n_missing()
        self._tell(n_total)
        after = 0
        while True:
            batch = self._next(after)
            if batch.chunks:
                vectors = self._embed(batch.new)
                self._store(batch, vectors)
                self._tell(n_total)
                after = batch.chunks[-1]
            elif after or not self._is_adopted:
                # From the start again: another process may have brought chunks below.
                self._store(batch, {})
                after = 0
            else:
                return self._finished()

    def _n_missing(self) -> int:
        with self._database.reading() as connection:
            n_chunks = count_chunks(connection)
            return n_chunks if self._drops(connection) else n_chunks - count_embedded(connection)

    def _drops(self, connection: sqlite3.Connection) -> bool:
        """Whether the first batch will drop the vectors that chunks have now."""
        model = read_model(connection)
        return not self._is_adopted and not (model and model.is_current and model.is_same(self._info))

    def _next(self, after: int) -> _Batch:
        batch = _Batch([], {})
        with self._database.reading() as connection:
            model = read_model(connection)
            is_known = model is not None and model.is_same(self._info)
            with closing(passages(connection, after=after, every=self._drops(connection))) as found:
                for passage in found:
                    batch.chunks.append(passage.chunk)
                    if not (is_known and has_vector(connection, passage.hash)):
                        batch.new[passage.hash] = passage.text
                    if len(batch.new) >= _TEXTS or len(batch.chunks) >= _CHUNKS:
                        break
        return batch

    def _embed(self, new: dict[bytes, str]) -> dict[bytes, Vectors]:
        if not new:
            return {}
        started = self._clock()
        vectors = checked_vectors(self._embedder.embed_passages(list(new.values())), self._info, n=len(new))
        self._model_s += self._clock() - started
        self._n_texts += len(new)
        return dict(zip(new, vectors, strict=True))

    def _store(self, batch: _Batch, vectors: dict[bytes, Vectors]) -> None:
        with self._database.writing(wait_s=self._wait_s, waiting=self._waiting) as connection:
            self._adopt(connection)
            insert_vectors(connection, vectors)
            # Read again: another process may have changed these chunks, or given their row ids to others.
            self._n_done += link(connection, list(passages_without_vector(connection, batch.chunks)))
            if not batch.chunks:
                prune(connection)

    def _adopt(self, connection: sqlite3.Connection) -> None:
        """Makes the model the workspace's own, once; later on it has to be so still."""
        if self._is_adopted:
            model = read_model(connection)
            if model is None or not model.is_same(self._info):
                now = "no model" if model is None else model.name
                raise WorkspaceError(
                    f"another process embeds this workspace with {now}, so {self._info.name} stopped. "
                    "Decide for one of them, and embed again"
                )
        write_model(connection, self._info)
        self._is_adopted = True

    def _tell(self, n_total: int) -> None:
        if self._progress is not None:
            rate = self._n_texts / self._model_s if self._model_s > 0 else None
            self._progress(EmbedProgress(self._n_done, max(n_total, self._n_done), rate))

    def _finished(self) -> EmbedReport:
        with self._database.reading() as connection:
            n_chunks = count_chunks(connection)
        before = self._before
        is_replaced = before is not None and before.fingerprint != self._info.fingerprint
        return EmbedReport(
            model=self._info.name,
            n_chunks=self._n_done,
            n_texts=self._n_texts,
            n_total=n_chunks,
            replaced=before.model if before is not None and is_replaced else None,
            took_s=self._model_s,
        )


def checked_vectors(vectors: Vectors, info: EmbedderInfo, *, n: int) -> Vectors:
    """The vectors as they came. Raises ModelError where they are not n unit vectors of the model's size."""
    shape = np.shape(vectors)
    if shape != (n, info.dimensions):
        raise ModelError(
            f"{info.name} gave vectors of shape {shape} for {n} texts, not ({n}, {info.dimensions}); "
            "nothing of them was kept. Check the model"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    wrong = ~(np.abs(lengths - 1) <= _UNIT)  # so that NaN is wrong too
    if wrong.any():
        at = int(np.argmax(wrong))
        what = (
            f"of length {lengths[at]:.3g}" if np.isfinite(lengths[at]) else "with a value that is no number"
        )
        raise ModelError(
            f"{info.name} gave a vector {what} (text {at + 1} of {n}), not one of length 1; "
            "nothing of them was kept. Check the model"
        )
    return vectors
