"""Recorded runs, in lines for people and members for programs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final

from rich.cells import cell_len

from rankle.app.history import History
from rankle.cli.options import count, shown_path
from rankle.core.history import (
    HistoryRecord,
    RecordedEval,
    RecordedRun,
    RecordedSet,
    RecordedSystem,
    Revision,
)
from rankle.core.product import NAME
from rankle.metrics.figure import read_figure
from rankle.records.run_info import RunInfo, RunState
from rankle.reports.layout import one_line, pad, wrapped
from rankle.reports.shortening import shortened
from rankle.reports.table import ABSENT, title_of

_ID: Final = 8
_COMMIT: Final = 8
_SET: Final = 24
_METHOD: Final = 14
"""Cells of a set's name and of a method, at most."""
_NOTES: Final = 12
"""Cells that are kept free for tags, names and states."""
_FIGURE: Final = "Figure"
_LEAST: Final = 8
_LEAST_NOTES: Final = 3
"""Cells that are left at least to a set's name and to tags, names and states."""
_STATES: Final = {RunState.INTERRUPTED: "stopped", RunState.RUNNING: "running"}


def history_lines(found: History, *, limit: int, zone: tzinfo | None, width: int) -> list[str]:
    """A row a run: id, when, set, method, the main figure, then its tags, name and state."""
    place = shown_path(found.path)
    if not found.runs:
        if found.n_all:
            return [f"None of {count(found.n_all, 'run')} in {place} fits."]
        return [f"No runs in {place} yet. Make one with: {NAME} eval SET"]
    shown = found.runs[:limit]
    figures = _figures(shown)
    cells = [
        ["Run", *(info.id[:_ID] for info in shown)],
        ["Begun", *(_when(info, zone) for info in shown)],
        ["Set", *(shortened(_what(info), _SET) for info in shown)],
        ["Method", *(shortened(info.method, _METHOD) for info in shown)],
        figures,
    ]
    columns = [_aligned(column) for column in cells]
    begins = ["  ".join(row) for row in zip(*columns, strict=True)]
    excess = max(map(cell_len, begins)) + 2 + _NOTES - width
    if excess > 0:  # the set gives way first
        room = max(_LEAST, cell_len(columns[2][0]) - excess)
        columns[2] = _aligned([shortened(text, room) for text in cells[2]])
        begins = ["  ".join(row) for row in zip(*columns, strict=True)]
    sizes = Counter(info.family for info in found.runs if info.eval is not None)
    told = ["", *(_notes(info, n_evals=sizes[info.family]) for info in shown)]
    free = width - max(map(cell_len, begins)) - 2
    if free < _LEAST_NOTES:
        lines = _in_words(cells, told, width=width)
    else:
        lines = [
            f"{begin}  {one_line(notes, width=free)}".rstrip()
            for begin, notes in zip(begins, told, strict=True)
        ]
    return [*lines, "", *wrapped(_foot(found, len(shown), place), width=width)]


def _in_words(cells: Sequence[Sequence[str]], told: Sequence[str], *, width: int) -> list[str]:
    """Each run in two lines or more, for screens that no row fits on."""
    lines = []
    named = cells[4][0] if cells[4][0] != _FIGURE else ""
    for (run, begun, set_name, method, figure), notes in zip(
        list(zip(*cells, strict=True))[1:], told[1:], strict=True
    ):
        parts = [set_name, method, f"{named} {figure}".strip(), *([notes] if notes else [])]
        lines.append(f"{run}  {begun}")
        lines += wrapped(", ".join(parts), first="  ", rest="    ", width=width, breaking=True)
    return lines


def history_record(found: History) -> HistoryRecord:
    """The runs for programs."""
    return HistoryRecord(records=str(found.path), n_all=found.n_all, runs=[*map(_recorded, found.runs)])


def _recorded(info: RunInfo) -> RecordedRun:
    return RecordedRun(
        id=info.id,
        name=info.name,
        tags=list(info.tags),
        state=info.state.value,
        created=info.created,
        finished=info.finished,
        set=RecordedSet(
            name=info.set_name,
            fingerprint=info.set_fingerprint,
            n_queries=info.n_queries,
            queries_fingerprint=info.queries_fingerprint,
            judgments_fingerprint=info.judgments_fingerprint,
        ),
        level=info.level,
        depth=info.depth,
        seed=info.seed,
        system=RecordedSystem(
            name=info.system_name,
            method=info.method,
            fingerprint=info.system_fingerprint,
            parts=dict(info.parts),
        ),
        settings=dict(info.settings),
        measures=dict(info.measures),
        n_done=info.n_done,
        n_failed=info.n_failed,
        rankle_version=info.rankle_version,
        git=None if info.git_revision is None else Revision(revision=info.git_revision, dirty=info.git_dirty),
        pinned_for=info.pinned_for,
        eval=_recorded_eval(info),
    )


def _recorded_eval(info: RunInfo) -> RecordedEval | None:
    one = info.eval
    if one is None:
        return None
    return RecordedEval(key=one.key, name=one.name, run=info.family, trials=one.trials, is_full=one.is_full)


def about_lines(info: RunInfo, *, width: int) -> list[str]:
    """What the records know of a run beside its report."""
    parts = [f"Run {info.id}", f"begun {_when(info, UTC)} UTC", f"rankle {info.rankle_version}"]
    if info.git_revision is not None:
        changed = ", with changes" if info.git_dirty else ""
        parts.append(f"git {info.git_revision[:_COMMIT]}{changed}")
    if info.name is not None:
        parts.append(f'named "{one_line(info.name)}"')
    if info.tags:
        parts.append(f"tagged {', '.join(info.tags)}")
    if info.pinned_for is not None:
        parts.append(f"kept: {one_line(info.pinned_for)}")
    return wrapped("; ".join(parts) + ".", rest="  ", width=width)


def prune_question(plan: History) -> str:
    newest, oldest = plan.runs[0], plan.runs[-1]
    span = (
        f"of {oldest.created[:10]}"
        if len(plan.runs) == 1
        else f"from {oldest.created[:10]} to {newest.created[:10]}"
    )
    rest = staying(plan.n_all - len(plan.runs))
    return f"Delete {count(len(plan.runs), 'run')} {span} from {shown_path(plan.path)}? ({rest})"


def staying(n_runs: int) -> str:
    """`1 run stays`, `3 runs stay`."""
    return f"{count(n_runs, 'run')} stay{'s' if n_runs == 1 else ''}"


def _foot(found: History, n_shown: int, place: str) -> str:
    left = len(found.runs) - n_shown
    more = f"; {left:,} more: --limit {len(found.runs)}" if left else ""
    return f"{count(found.n_all, 'run')} in {place}{more}. See one with: {NAME} show RUN"


def _figures(runs: Sequence[RunInfo]) -> list[str]:
    """The main figure of each, below its name where all have the same one, else beside it."""
    mains = [_main_measure(info.measures) for info in runs]
    names = {name for name in mains if name is not None}
    if len(names) == 1:
        return [title_of(read_figure(names.pop())), *map(_mean, runs, mains)]
    return [
        _FIGURE,
        *(
            f"{_mean(info, name)} {title_of(read_figure(name))}" if name else ABSENT
            for info, name in zip(runs, mains, strict=True)
        ),
    ]


def _main_measure(measures: Mapping[str, float | None]) -> str | None:
    """nDCG at its deepest cut; the first of the run where it has none."""
    gains = [name for name in measures if name.startswith("nDCG@")]
    if gains:
        return max(gains, key=lambda name: read_figure(name).k or 0)
    return next(iter(measures), None)


def _mean(info: RunInfo, name: str | None) -> str:
    mean = None if name is None else info.measures[name]
    return ABSENT if mean is None else f"{mean:.3f}"


def _what(info: RunInfo) -> str:
    """What was asked: a set, or an eval by its name."""
    return info.set_name if info.eval is None else info.eval.name


def _notes(info: RunInfo, *, n_evals: int) -> str:
    """n_evals: of its run, as far as they are listed."""
    state = _STATES.get(info.state, "")
    parts = [
        f"{state} {info.n_done}/{info.n_queries}" if state else "",
        f"run {info.family[:_ID]}" if n_evals > 1 else "",
        *info.tags,
        f"{info.n_failed} failed" if info.n_failed else "",
        f'"{one_line(info.name)}"' if info.name else "",
    ]
    return ", ".join(part for part in parts if part)


def _when(info: RunInfo, zone: tzinfo | None) -> str:
    return datetime.fromisoformat(info.created).astimezone(zone).strftime("%Y-%m-%d %H:%M")


def _aligned(column: Sequence[str]) -> list[str]:
    room = max(map(cell_len, column))
    return [pad(text, room) for text in column]
