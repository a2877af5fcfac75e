"""The JSON of checked labels, schema `rankle.check/1`. The published JSON Schema is made from these types."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from rankle.core.run import Count, SetInfo

Percent = Annotated[float, Meta(ge=0, le=100)]


class LabelVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one label."""

    query: str
    """The query's id."""
    line: int | None
    """Where the query stands in the file, from 1; null where it comes from no file."""
    target: str
    """The document, or the chunk, as the set names it."""
    verdict: Literal["valid", "moved", "split", "merged", "gone"]
    """`moved` and `split` and `merged` are stale and can be repaired; of what is `gone` nothing is
    indexed."""
    why: str
    """The reason; empty for what is valid and as it was."""
    then: str | None
    """The text that was labelled; null where the label does not keep it."""
    now: str | None
    """The text that is meant now; null where there is none."""
    likeness: Percent
    """Of then and now; 100 where they are equal, or one of them is not known."""
    repaired: list[dict[str, Any]] | None
    """The labels that belong in its stead, as a set states them; empty where nothing of it can be found, null
    where nobody can say for certain."""


class SetFault(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the set that is wrong, or probably not meant."""

    line: int | None
    """In the set's file, from 1; null where it is of the whole file."""
    message: str
    """What is wrong, and what to do."""


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """What was written in the set's stead."""

    path: str
    """Of the set that was written."""
    n_repaired: Count
    """Stale labels that are repaired in it."""
    n_dropped: Count
    """Labels of what is gone that were left out on request."""
    n_left: Count
    """Stale labels that stand in it as they were, since nobody can say for certain what they should be."""
    n_passages: Count
    """Chunk ids that got the passage beside them on request."""


class CheckReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.check/1"):
    """The labels of a set, held against what a workspace stores: `rankle.check/1`."""

    rankle_version: str
    """The version that checked."""
    set: SetInfo
    """What was checked."""
    workspace: str
    """What it was held against."""
    level: Literal["document", "chunk", "span"] | None
    """What counts as the target; null where labels are of several kinds and nobody said which counts."""
    counts: dict[str, Count]
    """Labels by verdict."""
    n_unclear: Count
    """Labels that do not say clearly what they mean; see `faults`."""
    n_bad_lines: Count
    """Lines that cannot be read, whose labels are in no other count; see `faults`."""
    faults: list[SetFault]
    """Why the set cannot be scored: what is wrong with its lines, each label that is unclear, and labels of
    several kinds."""
    remarks: list[SetFault]
    """What is probably not meant: such as queries with one text and other labels."""
    labels: list[LabelVerdict]
    """In the order of the set."""
    repair: Repair | None = None
    """Null where nothing was written."""

    @property
    def n_stale(self) -> int:
        """Labels that are not valid."""
        return sum(count for verdict, count in self.counts.items() if verdict != "valid")
