"""What a reader of figures must know of how a run met its judgments."""

import numpy as np

from rankle.app.score_inputs import RunLike, first_part, load_any_run
from rankle.app.score_words import FIRST, POOR, judged_share, retrieved_share
from rankle.formats.byte_source import is_path
from rankle.formats.kinds import ReadOptions
from rankle.metrics.join import Joined, JoinOptions
from rankle.metrics.qrels import Qrels

INSPECT = "check that both use the same ids for {}; rankle inspect QRELS RUN tells what would join them"


def count_remarks(qrels: Qrels, joined: Joined, options: JoinOptions) -> list[str]:
    """Counts of what was taken in another way than written, or left out."""
    remarks = []
    if qrels.n_negative:
        remarks.append(f"judgments with a negative grade, taken as unjudged: {qrels.n_negative}")
    if joined.n_duplicates:
        remarks.append(
            f"results that stood twice in a query, counted once at the best rank: {joined.n_duplicates}"
        )
    n_missing = int(np.count_nonzero(joined.missing))
    if n_missing:
        remarks.append(
            f"queries of the qrels that the run does not have: {n_missing} of {len(qrels.queries)}"
        )
    if joined.n_extra:
        remarks.append(f"queries of the run without judgments, left out: {joined.n_extra}")
    if joined.n_self:
        what = "left out" if options.ignore_self else "counted as any other; --ignore-self leaves them out"
        remarks.append(f"results whose id is the query's own: {joined.n_self}, {what}")
    return remarks


def join_remarks(
    qrels: Qrels, run: RunLike, joined: Joined, reading: ReadOptions, *, thorough: bool
) -> list[str]:
    """How well ids join, since a broken join looks like bad search, and what would join more of them.

    thorough: whether a normalisation is looked for wherever a judged target was not retrieved, which takes
        some 30 ms, and not only where half of them were not.
    """
    remarks: list[str] = []
    judged = joined.judged
    n_first = int(np.minimum(judged.n_retrieved, FIRST).sum())
    n_judged = int(np.count_nonzero(judged.is_judged() & judged.within(FIRST)))
    if joined.n_joined:
        remarks += judged_share(n_judged, n_first)
    if joined.n_extra and joined.missing.any():
        near = near_join(qrels, run, reading, of_queries=True)
        remarks += [f"query ids that nearly join: {near}"] if near else []
    n_wanted = int(np.diff(qrels.offsets)[~joined.missing].sum())
    poor = joined.n_joined <= POOR * n_wanted or (thorough and joined.n_joined < n_wanted)
    near = near_join(qrels, run, reading, of_queries=False) if poor else ""
    if joined.n_joined:
        remarks += retrieved_share(joined.n_joined, n_wanted, near)
    else:
        remarks.append(f"no result of the run is judged: {near or INSPECT.format('targets')}")
    return remarks


def near_join(qrels: Qrels, run: RunLike, reading: ReadOptions, *, of_queries: bool) -> str:
    """The normalisation that would join more; empty where none would. Large files are looked at in part."""
    from rankle.app.score_join import near_queries, near_targets  # for joins that fail alone

    loaded = first_part(run, reading) if is_path(run) else load_any_run(run, reading)
    return near_queries(qrels.queries, loaded.queries) if of_queries else near_targets(qrels, loaded)


def shown_ids(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
