"""Method `fts5`: BM25 over the fields of each chunk, by SQLite's FTS5.

The weights were chosen on SciFact train and half of the queries of the other public sets (docs/quality.md).
FTS5 fixes k1 at 1.2 and b at 0.75 and counts the length of all fields together.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Final, NamedTuple

from rankle.core.search import TermInfo
from rankle.kb.candidates import ChunkScore
from rankle.kb.places import Places
from rankle.kb.text.forms import readable
from rankle.kb.text.query import Lookup, ParsedQuery, QueryTerm


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How much an occurrence counts by the field that it stands in; in the order of the index's columns."""

    title: float = 2.0
    breadcrumb: float = 1.0
    path: float = 1.0
    body: float = 0.8
    variants: float = 1.0
    """Stems, parts of identifiers and other spellings of all fields."""


DEFAULT_WEIGHTS: Final = FieldWeights()
_ORDERED_FIELDS: Final = "{title breadcrumb path body}"
# Below this, looking up the common words as well costs nothing that anyone could notice.
_LARGE: Final = 1_000
_TIED: Final = 1_000
"""So many more are asked for than needed, to see all that share the last score; asking twice costs more."""
_OF_COLLECTION: Final = """
        JOIN chunks c ON c.id = fulltext.rowid
        JOIN documents d ON d.id = c.document AND d.collection = :collection"""


class FullTextMatches(NamedTuple):
    """The best chunks for a query, best first; ties in the order of document id and place."""

    rows: list[ChunkScore]
    exhausted: bool
    """Whether these are all that match."""


class FullText:
    """The index of one state of a workspace; words are counted and chunks read once for all queries."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """connection: within a transaction."""
        self.connection = connection
        self.places = Places(connection)
        self.words = WordCounts(connection)

    def beside(self, connection: sqlite3.Connection) -> "FullText":
        """The same for another thread. connection: another one that sees the same state."""
        other = FullText(connection)
        other.places, other.words = self.places.beside(connection), self.words.beside(connection)
        return other

    def state(self) -> tuple[object, ...]:
        """Another one after every write to the index: what FTS5 notes of itself."""
        return tuple(self.connection.execute("SELECT id, block FROM fulltext_data WHERE id IN (1, 10)"))

    def search(
        self,
        query: ParsedQuery,
        *,
        limit: int,
        collection: str | None = None,
        weights: FieldWeights = DEFAULT_WEIGHTS,
    ) -> FullTextMatches:
        """The best `limit` chunks. A query without a term, or with excluded terms only, matches nothing."""
        if not query.wanted:
            return FullTextMatches([], exhausted=True)
        ranking = _Ranking(weights, query.excluded, limit, collection)
        telling = telling_lookups(self.words, query.wanted, small=_LARGE)
        if len(telling) < len(query.wanted):
            # A word in more than half of all chunks weighs nothing in BM25, and takes most of the time. Its
            # matches are asked for only where the others leave room.
            first = self._best(telling, ranking)
            if len(first) == limit:
                return FullTextMatches(first, exhausted=False)
            rows = _continued(first, self._best(query.wanted, ranking))
        else:
            rows = self._best(query.wanted, ranking)
        return FullTextMatches(rows, exhausted=len(rows) < limit)

    def _best(self, wanted: Sequence[Lookup], ranking: "_Ranking") -> list[ChunkScore]:
        """Names are read for the best alone: for all that match, they would take as long as the scores."""
        asked_for = ranking.limit + _TIED
        found = _scored(self.connection, wanted, ranking, limit=asked_for)
        if len(found) > ranking.limit:
            # Of those that share the last score, only their places tell which come first.
            last = found[ranking.limit - 1][1]
            if len(found) == asked_for and found[-1][1] == last:  # and there may be more of them
                found = _scored(self.connection, wanted, ranking, limit=-1)
            found = [row for row in found if row[1] >= last]
        chunks, scores = [row[0] for row in found], [row[1] for row in found]
        return self.places.ranked(chunks, scores)[: ranking.limit]


class WordCounts:
    """In how many chunks words stand, in one state of a workspace; each is counted once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """connection: within a transaction."""
        self._connection = connection
        self._known: dict[str, int] = {}

    def beside(self, connection: sqlite3.Connection) -> "WordCounts":
        """What is counted here or there is known to both. connection: as for `FullText.beside`."""
        other = WordCounts(connection)
        other._known = self._known
        return other

    @cached_property
    def n_chunks(self) -> int:
        """Of the workspace."""
        (found,) = self._connection.execute("SELECT count(*) FROM chunks").fetchone()
        return int(found)

    def of(self, token: str) -> int:
        """How many chunks hold it."""
        if token not in self._known:
            row = self._connection.execute("SELECT doc FROM vocabulary WHERE term = ?", (token,)).fetchone()
            self._known[token] = int(row[0]) if row else 0
        return self._known[token]


def _continued(first: list[ChunkScore], every: list[ChunkScore]) -> list[ChunkScore]:
    """`first`, then what `every` has beside it.

    Common words add a millionth to a score, which could change the order of what a smaller limit returned.
    """
    known = {row.chunk for row in first}
    last = first[-1].score if first else float("inf")
    return [*first, *(row._replace(score=min(row.score, last)) for row in every if row.chunk not in known)]


def explain_terms(connection: sqlite3.Connection, query: ParsedQuery) -> tuple[TermInfo, ...]:
    """Each term, what is looked up for it, and in how many chunks it stands."""
    return tuple(_explained(connection, term) for term in query.terms)


def chunk_holds(connection: sqlite3.Connection, chunk: int, lookups: Sequence[Lookup]) -> bool:
    """Whether any of the lookups matches this one chunk."""
    found = connection.execute(
        "SELECT 1 FROM fulltext WHERE fulltext MATCH ? AND rowid = ?", (_any(lookups), chunk)
    )
    return found.fetchone() is not None


def matching_chunks(connection: sqlite3.Connection, lookups: Sequence[Lookup]) -> list[int]:
    """Row ids of the chunks that match any of the lookups, ascending; of which there is at least one."""
    rows = connection.execute(
        "SELECT rowid FROM fulltext WHERE fulltext MATCH ? ORDER BY rowid", (_any(lookups),)
    )
    return [row[0] for row in rows]


def _explained(connection: sqlite3.Connection, term: QueryTerm) -> TermInfo:
    tokens = [" ".join(map(readable, look.tokens)) + ("*" if look.prefix else "") for look in term.lookups]
    (n_chunks,) = connection.execute(
        "SELECT count(*) FROM fulltext WHERE fulltext MATCH ?", (_any(term.lookups),)
    ).fetchone()
    (n_all,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    return TermInfo(
        text=term.text,
        kind=term.kind,
        tokens=tuple(tokens),
        n_chunks=n_chunks,
        weightless=term.kind != "exclude" and 2 * n_chunks > n_all,
    )


@dataclass(frozen=True, slots=True)
class _Ranking:
    weights: FieldWeights
    excluded: Sequence[Lookup]
    limit: int
    collection: str | None


def _scored(
    connection: sqlite3.Connection, wanted: Sequence[Lookup], ranking: _Ranking, *, limit: int
) -> list[tuple[int, float]]:
    """The best chunks' row ids and scores, best first. limit: -1 for all."""
    match = f"({_any(wanted)}) NOT ({_any(ranking.excluded)})" if ranking.excluded else _any(wanted)
    weights = ", ".join(str(float(weight)) for weight in astuple(ranking.weights))
    filtered = "" if ranking.collection is None else _OF_COLLECTION
    return connection.execute(
        f"""
        SELECT fulltext.rowid, -bm25(fulltext, {weights}) AS score FROM fulltext {filtered}
        WHERE fulltext MATCH :match ORDER BY score DESC LIMIT :limit
        """,  # noqa: S608 - weights are numbers of ours
        {"match": match, "limit": limit, "collection": ranking.collection},
    ).fetchall()


def telling_lookups(words: WordCounts, wanted: Sequence[Lookup], *, small: int) -> list[Lookup]:
    """The lookups without the single words that stand in more than half of all chunks.

    small: with fewer chunks than this, all of them; so too where nothing else would be left.
    """
    if words.n_chunks < small:
        return list(wanted)
    kept = [
        look
        for look in wanted
        if len(look.tokens) > 1 or look.prefix or 2 * words.of(look.tokens[0]) <= words.n_chunks
    ]
    return kept or list(wanted)


def _any(lookups: Sequence[Lookup]) -> str:
    """FTS5's query for any of the lookups. Tokens hold letters, marks and digits: none can break out."""
    return " OR ".join(_phrase(look) for look in lookups)


def _phrase(look: Lookup) -> str:
    quoted = '"' + " ".join(look.tokens) + '"' + ("*" if look.prefix else "")
    return f"{_ORDERED_FIELDS} : {quoted}" if look.ordered_text else quoted
