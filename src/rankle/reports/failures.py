"""What went wrong in a run: the worst queries and why, the failed ones, the documents found least."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from rankle.core.run import DocumentReport, QueryReport, ResultReport, RunReport, TargetReport
from rankle.reports.layout import WIDTH, one_line, pad, wrapped
from rankle.reports.table import percent

INDENT: Final = " " * 6
_DOCUMENTS: Final = 10
_FAILURES: Final = 10


def worst_lines(report: RunReport, *, worst: int, width: int = WIDTH) -> list[str]:
    """The `worst` scored queries whose first relevant result stands lowest; ties keep the set's order."""
    if worst < 1:
        return []
    scored = [query for query in report.queries if query.status == "scored"]
    flawed = sorted((query for query in scored if query.first_relevant_rank != 1), key=_lateness)
    if not flawed:
        every = "Every scored query has a relevant result at rank 1."
        return wrapped(every, width=width) if scored else []
    lines = ["Worst performers (lowest MRR)"]
    for number, query in enumerate(flawed[:worst], start=1):
        lines += _query_lines(number, query, report, width=width)
    return lines


def failed_lines(report: RunReport, *, width: int = WIDTH) -> list[str]:
    """The queries on which the system failed, the first few with their errors; those that failed alike
    together, above the one error."""
    failed = [query for query in report.queries if query.status == "failed"]
    if not failed:
        return []
    lines = [f"Failed queries: {len(failed):,} of {len(report.queries):,}"]
    alike: dict[str, list[QueryReport]] = {}
    for query in failed[:_FAILURES]:
        alike.setdefault(one_line(query.error or ""), []).append(query)
    number = 0
    for error, queries in alike.items():
        lines += [headline(number + nth, query, width=width) for nth, query in enumerate(queries, start=1)]
        lines += wrapped(error, first=INDENT, rest=INDENT, width=width, breaking=True)
        number += len(queries)
    if len(failed) > _FAILURES:
        lines.append(f"{INDENT}… and {len(failed) - _FAILURES} more")
    return lines


def document_lines(report: RunReport, *, width: int = WIDTH) -> list[str]:
    """The labelled documents that the fewest of their queries find."""
    documents, k = report.documents, report.k[-1]
    if not documents:
        return []
    flawed = [document for document in documents if document.n_found < document.n_queries]
    if not flawed:
        who = f"Each of the {len(documents)} labelled documents"
        if len(documents) == 1:
            who = "The one labelled document"
        return wrapped(f"{who} is in the top {k} of all its queries.", width=width)
    head = f"Document hit rate in the top {k}"
    if len(documents) > _DOCUMENTS:
        head += f", lowest {_DOCUMENTS} of {len(documents)}"
    return [*wrapped(head, rest="  ", width=width), *_aligned(documents[:_DOCUMENTS], width=width)]


def _aligned(documents: Sequence[DocumentReport], *, width: int) -> list[str]:
    counts = [f"{document.n_found} of {document.n_queries}" for document in documents]
    widest = max(len(count) for count in counts)
    lines = []
    for document, count in zip(documents, counts, strict=True):
        name = one_line(document.id, width=width - len("  100.0%    ") - widest)
        lines.append(f"  {percent(document.hit_rate):>6}  {pad(count, widest)}  {name}")
    return lines


def _lateness(query: QueryReport) -> float:
    """Sorts the query without any relevant result first, then by falling rank of its first one."""
    return -float("inf") if query.first_relevant_rank is None else -query.first_relevant_rank


def headline(number: int, query: QueryReport, *, width: int) -> str:
    """The text of a query on one line, with its number in a list and its id."""
    mark = f"  ({one_line(query.id, width=min(24, width // 3))})"
    text = one_line(query.query, width=width - len(INDENT) - cell_len(mark))
    return f"{number:>4}. {text}{mark}"


def _query_lines(number: int, query: QueryReport, report: RunReport, *, width: int) -> list[str]:
    parts = [first_hit(query, k=report.k[-1]), *losses(query)]
    if len(report.system.stages) > 1:
        parts += _by_stage(query)
    parts.append(f"stood first: {_name(query.results[0])}" if query.results else "nothing was returned")
    head = headline(number, query, width=width)
    return [head, *wrapped("; ".join(parts), first=INDENT, rest=INDENT, width=width, breaking=True)]


def first_hit(query: QueryReport, *, k: int) -> str:
    """Where the first relevant result stands, as to k."""
    rank = query.first_relevant_rank
    if rank is not None and rank <= k:
        return f"first hit at rank {rank}"
    return f"no hits in top {k}" + (f", the first at rank {rank}" if rank is not None else "")


def losses(query: QueryReport) -> list[str]:
    """The stages that lost relevant targets; with several targets, how many each of them lost."""
    lost = Counter(target.lost_at for target in query.targets if target.lost_at is not None)
    n_relevant = sum(target.relevant for target in query.targets)
    if not lost:
        return []
    if n_relevant == 1:
        return [f"lost: {next(iter(lost))}"]
    stages = next(iter(lost)) if len(lost) == 1 else ", ".join(f"{n} {stage}" for stage, n in lost.items())
    return [f"lost: {lost.total()} of {n_relevant} ({stages})"]


def _by_stage(query: QueryReport) -> list[str]:
    """The ranks, stage by stage, of the relevant target that came nearest."""
    relevant = [target for target in query.targets if target.relevant and target.rank_at]
    if not relevant:
        return []
    nearest = min(relevant, key=_nearness)
    ranks = ", ".join(f"{stage} {rank}" for stage, rank in nearest.rank_at.items())
    return [f"ranks: {ranks}"]


def _nearness(target: TargetReport) -> tuple[bool, int]:
    return (target.rank is None, target.rank or min(target.rank_at.values()))


def _name(result: ResultReport) -> str:
    if result.id == result.document:
        return one_line(result.id)
    return f"{one_line(result.document)} ({one_line(result.id)})"
