"""The methods of search, and which of them a workspace is ready for."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rankle.core.errors import UnknownNameError

if TYPE_CHECKING:
    import sqlite3

    from rankle.kb.vectors.index import VectorIndex, VectorState

FULLTEXT: Final = "fts5"
VECTOR: Final = "vector"
FUSION: Final = "fusion"
HYBRID: Final = "hybrid"
METHODS: Final = (HYBRID, VECTOR, FULLTEXT)
"""Best first."""
STAGES: Final = {
    HYBRID: (FULLTEXT, VECTOR, FUSION),
    VECTOR: (VECTOR,),
    FULLTEXT: (FULLTEXT,),
}
"""The stages of each method, in the order in which they run."""
CUT: Final = "cut"
"""The stage that takes results out of the ranked list, where settings ask for it."""


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """What a search is made with."""

    method: str
    notices: tuple[str, ...] = ()
    """Why it is not a better one."""


def check_method(method: str | None) -> None:
    """Raises UnknownNameError for a name that is no method."""
    if method is not None and method not in METHODS:
        raise UnknownNameError(
            what="method", name=method, known=METHODS, hint=f"Known: {', '.join(METHODS)}."
        )


def choose_method(
    method: str | None, vectors: "VectorIndex", connection: "sqlite3.Connection"
) -> MethodChoice:
    """The method to search with; with none asked for, the best that the workspace is ready for.

    One that is asked for never falls back: raises UnknownNameError where there is none of this name,
    WorkspaceError where it needs vectors and not every chunk has one.
    """
    check_method(method)
    if method == FULLTEXT:
        return MethodChoice(method)
    if method is not None:
        vectors.check_complete(connection)
        return MethodChoice(method)
    state = vectors.state(connection)
    if state is not None and state.is_complete:
        return MethodChoice(HYBRID)
    return MethodChoice(FULLTEXT, () if state is None else (_why_not(state, vectors),))


def _why_not(state: "VectorState", vectors: "VectorIndex") -> str:
    made = f"only {state.n_embedded:,} of {state.n_chunks:,} chunks have a vector"
    if not state.is_current:
        made = "its vectors were made by another version"
    return f"searched by full text alone: {made}. Bring them up to date: {vectors.command()}"
