"""Why one document or chunk stands where it stands for one query."""

from dataclasses import dataclass
from enum import StrEnum


class Loss(StrEnum):
    """What keeps a target off the first page."""

    NO_TERM = "nothing to search for"
    """The query holds no letter or digit."""
    ELSEWHERE = "in another collection"
    EXCLUDED = "excluded"
    """By words that the query excludes."""
    NO_LIST = "no candidate list"
    """No stage finds it."""
    CANDIDATES = "beyond the candidates"
    """Of every list that is fused."""
    FUSED_OUT = "fused out"
    """Within the first page of a list, and no longer once the lists are fused."""
    FOLDED = "folded"
    """Into a better result that it nearly repeats."""
    CUT = "cut"
    """Better chunks of its document fill the places that a document may have."""
    BELOW_K = "below k"
    """No stage has it within the first page."""


@dataclass(frozen=True, slots=True)
class TermStanding:
    """One term of the query, and whether the target holds it."""

    text: str
    """As the user wrote it."""
    kind: str
    """`term`, `phrase`, `prefix`, or `exclude`."""
    n_chunks: int
    """How many chunks of the index hold it."""
    weightless: bool
    """Whether it stands in so many chunks that it moves no score."""
    in_chunk: bool
    """Whether the target's best chunk holds it."""
    in_document: bool
    """Whether any chunk of the target's document holds it."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another result that the target is compared with."""

    id: str
    document: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class StageStanding:
    """Where the target stands in one stage, among all that the stage ranks, however many."""

    stage: str
    n_ranked: int
    """Results at the target's level."""
    rank: int | None
    """From 1; None where the stage does not have it."""
    score: float | None
    chunk: str | None
    """The target's best chunk here."""
    chunk_rank: int | None
    """The rank of that chunk among chunks, which decides whether it is a candidate."""
    above: Neighbour | None
    """The result directly above; None at rank 1, and where the stage does not have the target."""
    last_shown: Neighbour | None
    """The last result of the first page; None where there are fewer."""
    took_ms: float


@dataclass(frozen=True, slots=True)
class Try:
    """A setting, and where the target would stand with it."""

    option: str
    """As it is written on the command line."""
    rank: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a target is, or is not, on the first page of one search."""

    query: str
    method: str
    collection: str | None
    k: int
    """Results of the first page."""
    target: str
    level: str
    """`document` or `chunk`: what the target is, and so what is ranked."""
    document: str
    title: str
    rank: int | None
    """In the final results; None where it is not among them."""
    lost_at: Loss | None
    """None where it is on the first page."""
    verdict: str
    """The same in a sentence."""
    stages: tuple[StageStanding, ...]
    """In the order in which they ran; the last one decides."""
    terms: tuple[TermStanding, ...]
    tries: tuple[Try, ...]
    """What would bring it onto the first page, each tried out; empty where nothing does, or need."""
    took_ms: float
    notices: tuple[str, ...] = ()
