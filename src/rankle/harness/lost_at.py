"""Names the stage of a search that lost a relevant target."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rankle.core.search import Stage

NOT_INDEXED: Final = "not indexed"
NO_CANDIDATE_LIST: Final = "no candidate list"
NOT_RETURNED: Final = "not returned"
ELSEWHERE: Final = "in another collection"
BELOW_DEPTH: Final = "below depth"
BELOW_K: Final = "below k"
_FUSION: Final = "fusion"
_WORDS: Final = {_FUSION: "fused out", "rerank": "reranked out"}


def lost_at(
    target: str,
    *,
    indexed: bool,
    stages: Sequence[Stage],
    rank: int | None,
    k: int,
    elsewhere: bool = False,
) -> str | None:
    """The stage that lost `target`; None where it stands within the first k results.

    elsewhere: whether its document lies in another collection than the one that was searched.
    stages: in the order in which they ran. Those before `fusion` are lists of candidates beside each
        other; from there on each stage works on what the one before it handed on. Without a fusion,
        only the first stage is a list of candidates.
    rank: in the final results; None where it is not there.

    The stage that lost a target is the last one that it entered within the first k and left below k or
    not at all; where it never stood within the first k, the last one that dropped it. What is left,
    too low in every list, is `below k`. What no stage has was in no candidate list; of a system that tells
    of no stage it is known only that it was not returned. Lists that are fused
    are candidates by design, each cut where the fusion stops to read; a single list that was cut at its
    depth is no choice of the system's, and nobody knows more than that the target stood below.
    """
    if rank is not None and rank <= k:
        return None
    if not indexed:
        return NOT_INDEXED
    if not any(target in stage.ranks for stage in stages) and rank is None:
        if elsewhere:
            return ELSEWHERE
        if not stages:
            return NOT_RETURNED
        single = _fusion_at([stage.name for stage in stages]) is None
        return BELOW_DEPTH if single and stages and not stages[0].exhausted else NO_CANDIDATE_LIST
    steps = list(pairwise(_standings(target, stages)))
    pushed = [stage for (_, before), (stage, after) in steps if _within(before, k) and not _within(after, k)]
    dropped = [stage for (_, before), (stage, after) in steps if before is not None and after is None]
    return stage_words((pushed or dropped)[-1]) if pushed or dropped else BELOW_K


def _standings(target: str, stages: Sequence[Stage]) -> list[tuple[str, int | None]]:
    """The target's rank after each step of the pipeline: the best of the candidate lists, then each stage."""
    n_lists = n_candidate_lists([stage.name for stage in stages])
    lists, later = stages[:n_lists], stages[n_lists:]
    ranks = [stage.ranks[target].rank for stage in lists if target in stage.ranks]
    steps: list[tuple[str, int | None]] = [("candidates", min(ranks, default=None))]
    return steps + [
        (stage.name, stage.ranks[target].rank if target in stage.ranks else None) for stage in later
    ]


def n_candidate_lists(stages: Sequence[str]) -> int:
    """How many of the first stages, by their names, are lists of candidates beside each other."""
    at = _fusion_at(stages)
    return min(1, len(stages)) if at is None else at


def _fusion_at(stages: Sequence[str]) -> int | None:
    return next((at for at, name in enumerate(stages) if _kind(name) == _FUSION), None)


def _within(rank: int | None, k: int) -> bool:
    return rank is not None and rank <= k


def _kind(name: str) -> str:
    """A stage's name without what runs it: `rerank:minilm` is `rerank`."""
    return name.partition(":")[0]


def stage_words(stage: str) -> str:
    """What is said of a target that this stage lost."""
    return _WORDS.get(_kind(stage), f"{stage} out")
