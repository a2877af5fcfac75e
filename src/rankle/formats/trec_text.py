"""Qrels and runs as TREC writes them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rankle.core.errors import InputError
from rankle.formats.json_text import shown
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run


def render_qrels(qrels: Qrels) -> str:
    """Lines `QUERY 0 TARGET GRADE`, with tabs between them where an id holds a space.

    Raises InputError where an id cannot stand in such a line.
    """
    between = _separator([*qrels.queries, *qrels.names])
    lines = [
        between.join((query, "0", target, str(grade)))
        for query, judged in zip(qrels.queries, qrels.by_query, strict=True)
        for target, grade in judged.items()
    ]
    return _text(lines, qrels.queries)


def render_run(run: Run) -> str:
    """Lines `QUERY Q0 TARGET RANK SCORE TAG`, best first, scores to the last digit.

    Order and ranks are as trec_eval has them: by score, ties by id, descending by bytes.
    Raises InputError where an id cannot stand in such a line.
    """
    targets, scores = list(run.targets), run.scores.tolist()
    between = _separator([*run.queries, *targets])
    tag = "_".join(run.name.split()) or "run"
    lines = [
        between.join((query, "Q0", targets[row], str(rank), repr(scores[row]), tag))
        for query, (start, end) in zip(run.queries, pairwise(run.offsets.tolist()), strict=True)
        for rank, row in enumerate(_best_first(start, end, targets, scores), start=1)
    ]
    return _text(lines, run.queries)


def _best_first(start: int, end: int, targets: Sequence[str], scores: Sequence[float]) -> list[int]:
    return sorted(range(start, end), key=lambda row: (scores[row], targets[row].encode()), reverse=True)


def _separator(ids: Iterable[str]) -> str:
    spaced = False
    for name in ids:
        if not name or name != name.strip() or any(sign in name for sign in "\t\n\r\v\f"):
            raise InputError(f"the id {shown(name)} cannot stand in a TREC file; write CSV or JSON instead")
        spaced = spaced or len(name.split()) > 1
    return "\t" if spaced else " "


def _text(lines: list[str], queries: Iterable[str]) -> str:
    hashed = [query for query in queries if query.startswith("#")]
    if hashed:
        raise InputError(
            f"the query id {shown(hashed[0])} would make its lines comments in a TREC file; write CSV or JSON"
        )
    return "".join(f"{line}\n" for line in lines)
