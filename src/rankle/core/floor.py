"""How a floor was chosen, and how well it tells on other queries: `rankle.floor/1`."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rankle.core.run import Count, ShareReport

Balance = Annotated[float, Meta(ge=0, le=1)]


class FloorFigures(msgspec.Struct, frozen=True, kw_only=True):
    """How well a floor tells queries that nothing answers from others, over some of the queries."""

    precision: ShareReport
    """Of the queries abstained on, those that nothing answers."""
    recall: ShareReport
    """Of the queries that nothing answers, those abstained on; the others are the one error."""
    answered: ShareReport
    """Of the queries with something relevant, those not abstained on; the others are the other error."""
    balanced_accuracy: Balance | None
    """Mean of recall and answered; 0.5 is chance. Null where either has no query."""
    low: float | None
    """Lower bound of its 95 % interval (Newcombe); null where either has fewer than two queries."""
    high: float | None
    """Upper bound of that interval; null as `low` is."""


class FloorReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.floor/1"):
    """A floor that was looked for: `rankle.floor/1`."""

    workspace: str
    """Whose scores the floor is for."""
    method: str
    """The method whose scores it is for."""
    set_name: str
    """The set that it was chosen on."""
    set_fingerprint: str
    """SHA-256 of that set's queries and judgments."""
    seed: int
    """Of the halving of the queries."""
    criterion: Literal["balanced accuracy"]
    """What the floor makes highest on the queries that it is chosen on."""
    floor: float | None
    """Null where no floor does better than none on the queries that it is chosen on."""
    separates: bool
    """Whether, on the other queries, the lower bound of its balanced accuracy is above 0.5."""
    kept: bool
    """Whether it is the workspace's floor of the method now."""
    chosen_on: FloorFigures
    """Over the queries that it was chosen on, which flatters it."""
    rest: FloorFigures
    """Over the other queries."""
    rest_without: FloorFigures
    """Over these without a floor, where a query is abstained on if nothing is found."""
    n_undefined: Count
    """Queries of which the set does not tell what should be found."""
    n_failed: Count
    """Other queries on which search failed."""
    notices: list[str]
    """What a reader of the figures must know."""
