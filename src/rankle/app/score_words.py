"""How shares are said beside scores: of results that are judged, of judged targets that were retrieved."""

from collections.abc import Iterator
from typing import Final

FIRST: Final = 10
"""Results of a query that somebody should have judged."""
POOR: Final = 0.5
"""Share of the judged targets retrieved, up to which a normalisation that finds more is looked for."""


def judged_share(n_judged: int, n_first: int) -> Iterator[str]:
    """What must be said where some of the first results of queries are not judged."""
    if n_judged < n_first:
        yield (
            f"judged among the first {FIRST} results of a query: {_share(n_judged, n_first)}; the others "
            "count as not relevant"
        )


def retrieved_share(n_joined: int, n_wanted: int, near: str = "") -> Iterator[str]:
    """What must be said where some of the judged targets were not retrieved. near: what would join more."""
    if n_joined < n_wanted:
        yield f"judged targets that the run retrieved: {_share(n_joined, n_wanted)}{near and '; '}{near}"


def _share(part: int, whole: int) -> str:
    """`1 of 3 (33.3 %)`; a share that is not whole is never shown as 100 %."""
    return f"{part:,} of {whole:,} ({min(100 * part / whole, 99.9):.1f} %)"
