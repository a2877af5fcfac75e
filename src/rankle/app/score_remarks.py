"""What a reader of figures must know of how a run met its judgments."""

import numpy as np

from rankle.app.score_inputs import RunLike, first_part, load_any_run
from rankle.formats.byte_source import is_path
from rankle.formats.kinds import ReadOptions
from rankle.metrics.join import Joined, JoinOptions
from rankle.metrics.qrels import Qrels

_FIRST = 10
"""Results of a query that somebody should have judged."""
_POOR = 0.5
"""Share of the judged targets retrieved, up to which a normalisation that finds more is looked for."""
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


def join_remarks(qrels: Qrels, run: RunLike, joined: Joined, reading: ReadOptions) -> list[str]:
    """How well ids join, since a broken join looks like bad search, and what would join more of them."""
    remarks = []
    judged = joined.judged
    n_first = int(np.minimum(judged.n_retrieved, _FIRST).sum())
    n_judged = int(np.count_nonzero(judged.is_judged() & judged.within(_FIRST)))
    if joined.n_joined and n_judged < n_first:
        remarks.append(
            f"judged among the first {_FIRST} results of a query: {_share(n_judged, n_first)}; the others "
            "count as not relevant"
        )
    if joined.n_extra and joined.missing.any():
        near = near_join(qrels, run, reading, of_queries=True)
        remarks += [f"query ids that nearly join: {near}"] if near else []
    n_wanted = int(np.diff(qrels.offsets)[~joined.missing].sum())
    if joined.n_joined <= _POOR * n_wanted:
        near = near_join(qrels, run, reading, of_queries=False)
        if not joined.n_joined:
            remarks.append(f"no result of the run is judged: {near or INSPECT.format('targets')}")
        elif near:
            remarks.append(
                f"judged targets that the run retrieved: {_share(joined.n_joined, n_wanted)}; {near}"
            )
    return remarks


def near_join(qrels: Qrels, run: RunLike, reading: ReadOptions, *, of_queries: bool) -> str:
    """The normalisation that would join more; empty where none would. Large files are looked at in part."""
    from rankle.app.score_join import near_queries, near_targets  # for joins that fail alone

    loaded = first_part(run, reading) if is_path(run) else load_any_run(run, reading)
    return near_queries(qrels.queries, loaded.queries) if of_queries else near_targets(qrels, loaded)


def _share(part: int, whole: int) -> str:
    """`1 of 3 (33.3 %)`; a share that is not whole is never shown as 100 %."""
    return (
        f"{part:,} of {whole:,} ({min(100 * part / whole, 99.9):.1f} %)" if part < whole else f"all {whole:,}"
    )


def shown_ids(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
