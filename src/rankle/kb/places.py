"""Where chunks stand, in one state of a workspace: what names them, and what orders them among equals."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rankle.kb.candidates import ChunkScore, tuples


class Place(NamedTuple):
    """A chunk's id, its document's id, and where in the document it stands."""

    name: str
    document: str
    ordinal: int


class Places:
    """The places of chunks, each read once for all searches that share this."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """connection: within a transaction."""
        self._connection = connection
        self._known: dict[int, Place] = {}

    def beside(self, connection: sqlite3.Connection) -> "Places":
        """For another thread; what is read by either is known to both. connection: sees the same state."""
        other = Places(connection)
        other._known = self._known
        return other

    def read(self, chunks: Iterable[int]) -> None:
        """Reads those that were not read before, all at once."""
        missing = [chunk for chunk in chunks if chunk not in self._known]
        if missing:
            rows = self._connection.execute(
                "SELECT c.id, c.name, d.name, c.ordinal FROM chunks c JOIN documents d ON d.id = c.document "
                "WHERE c.id IN (SELECT value FROM json_each(?))",
                (json.dumps(missing),),
            )
            self._known.update((row[0], Place(*row[1:])) for row in rows)

    def ranked(self, chunks: Sequence[int], scores: Sequence[float]) -> list[ChunkScore]:
        """The chunks with their names; equal scores in the order of document id and place.

        chunks: row ids, the highest score first, each once. scores: of each chunk.
        """
        self.read(chunks)
        known = self._known
        if len(set(scores)) < len(scores):
            placed = [(known[chunk], chunk, score) for chunk, score in zip(chunks, scores, strict=True)]
            placed.sort(key=lambda item: (-item[2], item[0].document, item[0].ordinal))
            chunks, scores = [item[1] for item in placed], [item[2] for item in placed]
        places = [known[chunk] for chunk in chunks]
        names, documents = [place.name for place in places], [place.document for place in places]
        return tuples(ChunkScore, chunks, names, documents, scores)
