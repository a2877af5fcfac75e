"""Whether a system finds nothing where nothing should be found."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from msgspec import UNSET, UnsetType

from rankle.core.outcome import Answer
from rankle.core.run import AbstentionReport, QueryReport, ShareReport
from rankle.harness.scoring import Scored
from rankle.stats.intervals import wilson_interval


@dataclass(frozen=True, slots=True)
class Abstention:
    """What a run says of abstention."""

    queries: list[QueryReport]
    """With what each says of it."""
    report: AbstentionReport | UnsetType
    """Unset where no query of the run should find nothing."""


def tell_abstention(
    queries: list[QueryReport], scored: Sequence[Scored], *, floor: float | None
) -> Abstention:
    """The figures of abstention, and the queries with their own part in it.

    queries, scored: of the same queries, in the same order.
    floor: what a result must score above to count as found; None takes any result.
    A query that is marked as one that nothing answers stands on one side, one with a relevant target on the
    other, whether the index holds that or not. One without either, such as one whose only grades are zero, is
    on no side: nobody knows what should have been found.
    """
    sides = [answerable(one) for one in scored]
    if False not in sides:
        return Abstention(queries, UNSET)
    told = [
        query
        if side is None
        else msgspec.structs.replace(
            query, answerable=side, abstained=UNSET if answer is None else abstains(answer, floor=floor)
        )
        for query, side, answer in zip(queries, sides, (one.outcome.answer for one in scored), strict=True)
    ]
    return Abstention(told, abstention_of(told, floor=floor))


def answerable(scored: Scored) -> bool | None:
    """Whether something should be found; None where the set does not tell."""
    if not scored.joined.query.answerable:
        return False
    return True if scored.relevant else None


def abstains(answer: Answer, *, floor: float | None) -> bool:
    """Whether no result scores above the floor; without a floor, whether there is no result."""
    return not any(floor is None or hit.score > floor for hit in answer.hits)


def abstention_of(queries: Sequence[QueryReport], *, floor: float | None) -> AbstentionReport:
    """The figures over queries that say `answerable` and `abstained`, as reports have them."""
    sides = [query for query in queries if query.answerable is not UNSET]
    answered = [query for query in sides if query.abstained is not UNSET]
    refused = {
        side: [bool(query.abstained) for query in answered if query.answerable is side]
        for side in (False, True)
    }
    n_right, n_wrong = sum(refused[False]), sum(refused[True])
    return AbstentionReport(
        floor=floor,
        precision=share_of(n_right, n_right + n_wrong),
        recall=share_of(n_right, len(refused[False])),
        answered=share_of(len(refused[True]) - n_wrong, len(refused[True])),
        n_undefined=len(queries) - len(sides),
        n_failed=len(sides) - len(answered),
    )


def share_of(n: int, n_of: int) -> ShareReport:
    """A share with Wilson's interval; None where there are no queries, no bounds for fewer than two."""
    interval = wilson_interval(n, n_of)
    return ShareReport(share=n / n_of if n_of else None, low=interval.low, high=interval.high, n=n, n_of=n_of)
