"""The funnel of a run: what each stage handed on, what became of the relevant targets, and which they are."""

from collections.abc import Sequence
from typing import Final

from rankle.core.run import FateReport, FunnelReport, RunReport, TargetReport
from rankle.reports.layout import WIDTH, columns, one_line, pad, wrapped
from rankle.reports.shortening import shortened
from rankle.reports.table import ABSENT, percent

_NAMED: Final = 10
"""Queries that a fate names."""
_NAME: Final = 23
_WIDE, _NARROW = 23, 8
"""Cells of a figure, with its denominator and share, or by itself where the screen is narrow."""
_ROOMY: Final = _NAME + 2 * _WIDE
_QUERY: Final = 14
_LEAST_NAME: Final = 16
_FINAL: Final = "final"


def funnel_lines(report: RunReport, *, listed: int, width: int = WIDTH) -> list[list[str]]:
    """Blocks of lines: stages, fates, and the targets of each fate with their ranks; none without a funnel.

    listed: how many targets of each fate.
    """
    funnel = report.funnel
    if funnel is None:
        return []
    head = f"Funnel: {counted(funnel.n_targets, 'relevant target')} of {_queries(funnel.n_queries)}"
    if funnel.n_failed:
        head += f"; those of {counted(funnel.n_failed, 'failed query', 'failed queries')} are left out"
    blocks = [wrapped(head, rest="  ", width=width)]
    if funnel.n_targets:
        blocks += [stage_lines(funnel, width=width), _fate_lines(funnel, width=width)]
        blocks += _target_blocks(report, funnel, listed=listed, width=width)
    return blocks


def stage_lines(funnel: FunnelReport, *, width: int = WIDTH) -> list[str]:
    """A row a stage: how many of the targets are in its list, and how many in the first k of it."""
    rows = [(stage.stage, stage.n_listed, stage.n_within_k) for stage in funnel.stages]
    n_lists = _n_lists(funnel)
    if n_lists > 1:
        name = "either list" if n_lists == 2 else f"any of {n_lists} lists"
        any_list = (name, funnel.n_candidates, funnel.n_candidates_within_k)
        rows.insert(n_lists, any_list)
    found = next((fate.n_targets for fate in funnel.fates if fate.fate == "found"), 0)
    heads = ("in its list", f"in its top {funnel.k}") if width >= _ROOMY else ("list", f"top {funnel.k}")
    lines = [_row("Stage", heads, width), _rule(width)]
    for name, n_listed, n_within in rows:
        lines.append(_row(name, [_of(n, funnel, width) for n in (n_listed, n_within)], width))
    return [*lines, _row(_FINAL, ("", _of(found, funnel, width)), width)]


def counted(n: int, noun: str, nouns: str | None = None) -> str:
    return f"{n:,} {noun if n == 1 else nouns or f'{noun}s'}"


def fate_words(fate: str, *, k: int) -> str:
    """A fate as people read it, with the cut that it is about."""
    return {"found": f"found in top {k}", "below k": f"below top {k}"}.get(fate, fate)


def _n_lists(funnel: FunnelReport) -> int:
    """How many stages are lists of candidates: all before the fusion, or one."""
    names = [stage.stage.partition(":")[0] for stage in funnel.stages]
    return names.index("fusion") if "fusion" in names else min(1, len(names))


def _fate_lines(funnel: FunnelReport, *, width: int) -> list[str]:
    lines = [_row("Fate", ("targets", "queries"), width), _rule(width)]
    for fate in funnel.fates:
        words = fate_words(fate.fate, k=funnel.k)
        lead = _row(words, (_of(fate.n_targets, funnel, width), f"{len(fate.queries):,}"), width)
        lines += [lead] if fate.fate == "found" else _with_queries(lead, fate, width=width)
    return lines


def _with_queries(lead: str, fate: FateReport, *, width: int) -> list[str]:
    """The row of a fate, and the ids of its queries beside it, or below where there is no room."""
    names = ", ".join(one_line(query, width=24) for query in fate.queries[:_NAMED])
    n_more = len(fate.queries) - _NAMED
    names += f" and {n_more:,} more" if n_more > 0 else ""
    if width < _ROOMY:
        return [lead, *wrapped(names, first="  ", rest="  ", width=width, breaking=True)]
    indent = " " * (len(lead) + 2)
    return wrapped(names, first=f"{lead}: ", rest=indent, width=width, breaking=True)


def _target_blocks(report: RunReport, funnel: FunnelReport, *, listed: int, width: int) -> list[list[str]]:
    if listed < 1:
        return []
    needed: dict[str, list[tuple[str, TargetReport]]] = {}
    for query in report.queries:
        for target in query.targets if query.status != "failed" else ():
            if target.relevant:
                needed.setdefault(target.lost_at or "found", []).append((query.id, target))
    stages = [stage.stage for stage in funnel.stages]
    # What was lost comes first, and of what was found, what came nearest to being lost.
    order = [fate.fate for fate in funnel.fates if fate.fate != "found"] + ["found"]
    blocks = []
    for fate in order:
        targets = sorted(needed.get(fate, []), key=_lowness)
        if targets:
            blocks.append(
                _targets_of(fate_words(fate, k=funnel.k), targets, stages, listed=listed, width=width)
            )
    return blocks


def _lowness(needed: tuple[str, TargetReport]) -> float:
    """Sorts targets by falling final rank, those without one first."""
    rank = needed[1].rank
    return -float("inf") if rank is None else -rank


def _targets_of(
    fate: str, targets: Sequence[tuple[str, TargetReport]], stages: Sequence[str], *, listed: int, width: int
) -> list[str]:
    shown = targets[:listed]
    title = fate[:1].upper() + fate[1:]
    count = f"{len(targets):,}" if len(shown) == len(targets) else f"{len(shown):,} of {len(targets):,}"
    head = f"{title} ({count})"
    cells = [max(6, len(stage) + 2) for stage in (*stages, _FINAL)]
    room = width - 2 - _QUERY - sum(cells)
    if room < max(_LEAST_NAME, len(head)):
        return [head, *(line for one in shown for line in _in_words(*one, stages, width=width))]
    lines = [pad(head, 2 + room) + pad("query", _QUERY) + _cells((*stages, _FINAL), cells)]
    for query, target in shown:
        name = pad(shortened(target.id, room - 2), room)
        ranks = [_rank(target.rank_at.get(stage)) for stage in stages]
        line = f"  {name}{pad(shortened(query, _QUERY - 2), _QUERY)}"
        lines.append((line + _cells((*ranks, _rank(target.rank)), cells)).rstrip())
    return lines


def _in_words(query: str, target: TargetReport, stages: Sequence[str], *, width: int) -> list[str]:
    """A target where its ranks have no room beside it."""
    ranks = ", ".join(f"{stage} {_rank(target.rank_at.get(stage))}" for stage in stages)
    ranks = f"{ranks}, {_FINAL} {_rank(target.rank)}" if ranks else f"{_FINAL} {_rank(target.rank)}"
    text = f"{one_line(target.id)} ({one_line(query)}): {ranks}"
    return wrapped(text, first="  ", rest="    ", width=width, breaking=True)


def _cells(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(pad(text, cell) for text, cell in zip(texts, widths, strict=True)).rstrip()


def _rank(rank: int | None) -> str:
    return ABSENT if rank is None else str(rank)


def _of(n: int, funnel: FunnelReport, width: int) -> str:
    share = f" of {funnel.n_targets:,} {percent(n / funnel.n_targets):>6}" if width >= _ROOMY else ""
    return f"{n:,}{share}"


def _queries(n: int) -> str:
    return counted(n, "query", "queries")


def _row(name: str, cells: Sequence[str], width: int) -> str:
    cell = _WIDE if width >= _ROOMY else _NARROW
    return columns(shortened(name, _NAME - 2), cells, name_width=_NAME, cell_width=cell)


def _rule(width: int) -> str:
    return "─" * min(width, _NAME + 2 * (_WIDE if width >= _ROOMY else _NARROW))
