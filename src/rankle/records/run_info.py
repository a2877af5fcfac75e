"""What a store knows of a run without reading its cases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rankle.core.canonical import Json


class RunState(StrEnum):
    """How far a run came."""

    RUNNING = "running"
    """A process is filling it now."""
    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    """It ended before its last case, and `--resume` goes on with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalFacts:
    """What is known of an eval as code beside, when it begins."""

    key: str
    """`path::name`, with `[variant]` behind it where it has one: what its history goes by."""
    name: str
    trials: int
    """Of each case."""
    is_full: bool
    """Whether the command left no case out, so that later runs are held against it."""
    scorers: tuple[str, ...]
    """Their names, in order."""
    cases_fingerprint: str
    """Of the ids of the cases that are run, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What is known of a run when it begins. No key, no credential and no command line is part of it."""

    id: str
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    set_name: str
    set_fingerprint: str
    """Of the queries and judgments that were asked, as the set states them."""
    n_queries: int
    level: str
    depth: int
    seed: int
    system_name: str
    method: str
    system_fingerprint: str
    rankle_version: str
    parts: Mapping[str, Json] = field(default_factory=dict)
    """What the system is made of, where it tells: fingerprints of the index and the model."""
    settings: Mapping[str, Json] = field(default_factory=dict)
    """What was asked of the evaluation and of the system, defaults resolved."""
    family: str = ""
    """Id of the first run of the same command; empty makes it the run's own."""
    family_size: int = 1
    """How many runs the command was to make, one a method."""
    name: str | None = None
    """As the user called it; several runs may have one name."""
    git_revision: str | None = None
    """Of the folder in which it ran; None outside a repository."""
    git_dirty: bool | None = None
    """Whether tracked files differed from that revision."""
    eval: EvalFacts | None = None
    """None for queries that a search system was asked. The run of an eval as code counts cases as its
    queries; its set is the data, its system the task, and its family is all that one command ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo(RunFacts):
    """A run as a store lists it."""

    state: RunState
    n_done: int
    """Cases that it holds; all of them once it is complete."""
    finished: str | None = None
    """None until it is complete."""
    tags: tuple[str, ...] = ()
    """By name; a tag is on one run at a time."""
    measures: Mapping[str, float | None] = field(default_factory=dict)
    """Measure to mean, in the order of the report; empty until it is complete."""
    n_failed: int | None = None
    """Queries on which the system failed; None until it is complete."""
    queries_fingerprint: str | None = None
    """See `rankle.records.fingerprints`; None until it is complete."""
    judgments_fingerprint: str | None = None
    pinned_for: str | None = None
    """Why it must not be pruned, such as that a baseline was made from it."""
    family_state: RunState = RunState.COMPLETE
    """Of an eval: how far the command came that ran it, perhaps beside others. Nothing is told by it of a run
    of search."""

    @property
    def whole_id(self) -> str:
        """Id of the whole run: of an eval, that of all that its command ran."""
        return self.id if self.eval is None else self.family

    @property
    def is_protected(self) -> bool:
        """Whether a prune leaves it: it has a tag, is pinned, or is being filled."""
        return (
            bool(self.tags)
            or self.pinned_for is not None
            or RunState.RUNNING in (self.state, self.family_state)
        )
