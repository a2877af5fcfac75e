"""Qrels and runs as TREC writes them."""

from collections.abc import Iterable
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
    """Lines `QUERY Q0 TARGET RANK SCORE TAG`, ranks from 1 in the order of the run, scores to the last digit.

    Raises InputError where an id cannot stand in such a line.
    """
    targets, scores = list(run.targets), run.scores.tolist()
    between = _separator([*run.queries, *targets])
    tag = "_".join(run.name.split()) or "run"
    lines = [
        between.join((query, "Q0", targets[row], str(row - start + 1), repr(scores[row]), tag))
        for query, (start, end) in zip(run.queries, pairwise(run.offsets.tolist()), strict=True)
        for row in range(start, end)
    ]
    return _text(lines, run.queries)


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
