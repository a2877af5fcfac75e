"""One state of a workspace, ready to be searched: what a request asks of it, and the vectors of queries."""

import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rankle.core.errors import (
    InputError,
    MissingExtraError,
    ModelError,
    UnknownNameError,
    WorkspaceError,
)
from rankle.core.product import NAME
from rankle.kb.candidates import CandidateList, ms_since
from rankle.kb.fulltext import FullText
from rankle.kb.methods import FULLTEXT, STAGES, VECTOR, MethodChoice, choose_method
from rankle.kb.ranking import Source, first_limit
from rankle.kb.rows_version import ROWS_VERSION
from rankle.kb.scope import Scope
from rankle.kb.search_request import SearchRequest
from rankle.kb.sources import FullTextSource, QueryVector, VectorSource, no_vectors
from rankle.kb.stemming import workspace_languages
from rankle.kb.store.documents import chunks_by_id
from rankle.kb.store.holdings import collections, languages, pipelines
from rankle.kb.text.query import ParsedQuery, parse_query
from rankle.kb.vectors.index import VectorIndex
from rankle.kb.vectors.store import read_generation

if TYPE_CHECKING:
    from rankle.kb.space import VectorSpace

_HALF_CHARACTERS: Final = re.compile("[\ud800-\udfff]")
"""Bytes of an argument that are not UTF-8 come as these; they can be neither stored nor printed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, understood."""

    request: SearchRequest
    text: str
    """The query, printable."""
    query: ParsedQuery
    choice: MethodChoice
    took_ms: float
    """To understand it."""

    @property
    def needs_vector(self) -> bool:
        """Whether a stage wants the query's vector; one without anything to search for has none."""
        return VECTOR in STAGES[self.choice.method] and bool(self.query.wanted)

    @property
    def needs_fulltext(self) -> bool:
        """Whether full text is a stage."""
        return FULLTEXT in STAGES[self.choice.method]

    @property
    def scope(self) -> Scope:
        return Scope(self.request.collection, self.query.excluded)


class Session:
    """What searches share while they read one state of a workspace."""

    def __init__(self, connection: sqlite3.Connection, vectors: VectorIndex, *, workspace: str) -> None:
        """connection: within a transaction. workspace: its name, for the command that helps."""
        self.connection = connection
        self._vectors = vectors
        self._workspace = workspace
        self._choices: dict[str | None, MethodChoice] = {}

    def prepare(self, request: SearchRequest) -> Asked:
        """Raises UnknownNameError, InputError or WorkspaceError where the request cannot be answered."""
        started = time.perf_counter()
        if request.depth < 1:
            raise InputError(f"depth must be an integer >= 1, got {request.depth}")
        choice = self.choose(request.method)
        self._check_collection(request.collection)
        text = _HALF_CHARACTERS.sub("\ufffd", request.query)
        query = parse_query(text, languages=self._languages)
        return Asked(request, text, query, choice, ms_since(started))

    def choose(self, method: str | None) -> MethodChoice:
        """The method to search with. Raises as `choose_method`, and for a workspace without documents."""
        if method not in self._choices:
            check_searchable(self.connection, workspace=self._workspace)
            self._choices[method] = choose_method(method, self._vectors, self.connection)
        return self._choices[method]

    def load(self, method: str | None) -> MethodChoice:
        """Loads what searches by this method need, so that the first is no slower than the rest."""
        choice = self.choose(method)
        parse_query("load the stemmers", languages=self._languages)
        if VECTOR in STAGES[choice.method]:
            from rankle.kb import query_vectors, space  # noqa: F401 - with numpy, which full text does not need

            with _advised(method):
                self._vectors.embedder(self.connection)
            self._vectors.matrix(self.connection)
        return choice

    def embed(self, asked: Asked) -> QueryVector | None:
        """The query's vector; None where no stage needs one. Raises ModelError where it cannot be made."""
        if not asked.needs_vector:
            return None
        from rankle.kb.query_vectors import embed_query

        started = time.perf_counter()
        with _advised(asked.request.method):
            vector = embed_query(self._vectors.embedder(self.connection), asked.query.text)
        return QueryVector(vector, ms_since(started))

    def embed_many(self, asked: Sequence[Asked]) -> list[QueryVector | ModelError | None]:
        """The same for many, with what comes near each vector found for all at once."""
        places = [place for place, each in enumerate(asked) if each.needs_vector]
        made: list[QueryVector | ModelError | None] = [None] * len(asked)
        if not places:
            return made
        from rankle.kb.query_vectors import embed_queries

        started = time.perf_counter()
        embedder = self._vectors.embedder(self.connection)
        vectors = embed_queries(embedder, [asked[place].query.text for place in places])
        share_ms = ms_since(started) / len(places)
        alike: defaultdict[tuple[Scope, int], list[int]] = defaultdict(list)
        for place, vector in zip(places, vectors, strict=True):
            if isinstance(vector, ModelError):
                made[place] = vector
                continue
            made[place] = QueryVector(vector, share_ms)
            each = asked[place]
            alike[each.scope, first_limit(each.request, each.choice.method)].append(place)
        for (scope, limit), group in alike.items():
            self._find(scope, limit, group, made)
        return made

    def _find(
        self, scope: Scope, limit: int, group: list[int], made: list[QueryVector | ModelError | None]
    ) -> None:
        import numpy as np

        queries = [query for place in group if isinstance(query := made[place], QueryVector)]
        lists = self._space.search_many(np.stack([query.vector for query in queries]), scope, limit=limit)
        for place, query, ready in zip(group, queries, lists, strict=True):
            made[place] = replace(query, ready=ready, ready_limit=limit)

    def match_many(
        self, asked: Sequence[Asked | None], connection: sqlite3.Connection
    ) -> list[CandidateList | None]:
        """What full text finds for each, on two threads; None where it is no stage, or nothing was asked.

        connection: another one, within a transaction. Where it sees another state of the workspace, as when
        somebody wrote in between, nothing is found ahead.
        """
        found: list[CandidateList | None] = [None] * len(asked)
        places = iter([at for at, each in enumerate(asked) if each is not None and each.needs_fulltext])
        other = self.fulltext.beside(connection)
        if other.state() != self.fulltext.state() or read_generation(connection) != read_generation(
            self.connection
        ):
            return found

        def match(fulltext: FullText) -> None:
            for at in places:  # each thread takes the next one that is left
                each = asked[at]
                assert each is not None
                limit = first_limit(each.request, each.choice.method)
                found[at] = FullTextSource(fulltext, each.query, each.request)(limit)

        with ThreadPoolExecutor(2, thread_name_prefix="fulltext") as pool:
            list(pool.map(match, (self.fulltext, other)))
        return found

    def sources(
        self, asked: Asked, vector: QueryVector | None, matched: CandidateList | None = None
    ) -> list[Source]:
        """The stages that find chunks, in the order in which they run.

        matched: what `match_many` found.
        """
        made: list[Source] = []
        for stage in STAGES[asked.choice.method]:
            if stage == FULLTEXT:
                limit = first_limit(asked.request, asked.choice.method)
                made.append(FullTextSource(self.fulltext, asked.query, asked.request, matched, limit))
            elif stage == VECTOR:
                made.append(no_vectors if vector is None else VectorSource(self._space, asked.scope, vector))
        return made

    def n_documents(self, collection: str | None) -> int:
        """Of the collection, or of all."""
        return sum(self._collections.values()) if collection is None else self._collections[collection]

    def texts(self, chunks: Sequence[int]) -> dict[int, str]:
        """By row id."""
        return {chunk: stored.text for chunk, stored in chunks_by_id(self.connection, list(chunks)).items()}

    @cached_property
    def fulltext(self) -> FullText:
        """The index of the state that is searched."""
        return FullText(self.connection)

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        return workspace_languages(languages(self.connection))

    @cached_property
    def _space(self) -> "VectorSpace":
        from rankle.kb.space import VectorSpace

        matrix = self._vectors.matrix(self.connection)
        return VectorSpace(self.connection, matrix, self.fulltext.places)

    @cached_property
    def _collections(self) -> dict[str, int]:
        return collections(self.connection)

    def _check_collection(self, name: str | None) -> None:
        if name is not None and name not in self._collections:
            raise UnknownNameError(
                what="collection",
                name=name,
                known=self._collections,
                hint=f"Known: {', '.join(self._collections)}.",
            )


@contextmanager
def _advised(method: str | None) -> Iterator[None]:
    """Where nobody asked for vectors, an error of the model also says how to search without it.

    It stays an error: results of another method, unasked, would be taken for those of this one.
    """
    try:
        yield
    except (ModelError, MissingExtraError) as error:
        if method is not None:
            raise
        raise ModelError(f"{error}\nTo search without the model: --method {FULLTEXT}") from error


def check_searchable(connection: sqlite3.Connection, *, workspace: str) -> None:
    """Raises WorkspaceError where no search could be answered: nothing indexed, or by another version."""
    found = pipelines(connection)
    if not found:
        raise WorkspaceError(
            f"the workspace holds no documents. Index some: {NAME} index PATH -w {workspace}"
        )
    if not all(pipeline.startswith(ROWS_VERSION) for pipeline in found):
        raise WorkspaceError(
            f"the workspace was indexed by another version. Bring it up to date: {NAME} index -w {workspace}"
        )
