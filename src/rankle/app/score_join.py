"""What would join a run to its judgments, looked for where few of their ids meet."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise
from typing import Final, TypeAlias

from rankle.formats.near_join import find_near_join
from rankle.formats.normalise import Step, normalise
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

_QUERIES: Final = 50
"""Queries whose targets are compared: enough to tell how ids are spelled."""
_DEPTH: Final = 200
_LEAST_GAIN: Final = 0.1
"""Share of the ids that must join anew: single ones do so by chance."""
_Pair: TypeAlias = tuple[list[str], list[str]]


def near_queries(judged: Collection[str], asked: Collection[str]) -> str:
    """How many judged queries a normalisation would join, and how many do now; empty where none helps."""
    near = find_near_join(judged, asked)
    n_now = len(set(judged) & set(asked))
    if near is None or not _helps(n_now, near.n_joined, len(judged)):
        return ""
    return _said("queries", near.steps, "judged queries", n_now, near.n_joined, len(judged))


def near_targets(qrels: Qrels, run: Run) -> str:
    """The same for the judged targets of the first queries that both have."""
    pairs = list(islice(_pairs(qrels, run), _QUERIES))
    near = find_near_join(
        [name for one, _ in pairs for name in one], [n for _, other in pairs for n in other]
    )
    if near is None:
        return ""
    n_judged = sum(len(judged) for judged, _ in pairs)
    n_now, n_then = _n_joined(pairs, ()), _n_joined(pairs, near.steps)
    if not _helps(n_now, n_then, n_judged):
        return ""
    return _said("targets", near.steps, "judged targets looked at", n_now, n_then, n_judged)


def _pairs(qrels: Qrels, run: Run) -> Iterator[_Pair]:
    """The judged and the retrieved targets of each query of both, in the order of the run."""
    for query, (start, end) in zip(run.queries, pairwise(run.offsets.tolist()), strict=True):
        place = qrels.index.get(query)
        if place is not None:
            judged = qrels.targets[qrels.offsets[place] : qrels.offsets[place + 1]]
            yield list(judged), list(run.targets[start : min(end, start + _DEPTH)])


def _n_joined(pairs: Sequence[_Pair], steps: Sequence[Step]) -> int:
    return sum(len(set(normalise(one, steps)) & set(normalise(other, steps))) for one, other in pairs)


def _helps(n_now: int, n_then: int, n: int) -> bool:
    return n_then - n_now >= max(1, _LEAST_GAIN * n)


def _said(ids: str, steps: Sequence[Step], what: str, n_now: int, n_then: int, n: int) -> str:
    names = ",".join(map(str, steps))
    return f"--normalise '{ids}={names}' would join {n_then} of {n} {what}, not {n_now}"
