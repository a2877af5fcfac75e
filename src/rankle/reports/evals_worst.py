"""The cases of an eval that did worst, and what is shown of each."""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.cells import cell_len

from rankle.core.evals import EvalsRun, EvalSummary
from rankle.core.trials import CaseReport, TrialReport
from rankle.reports.evals_as_run import input_text, plain_text
from rankle.reports.layout import one_line, pad, wrapped

CACHED: Final = "*"
"""Behind the score of a case that the cache answered."""
FLAKY: Final = "~"
"""Behind the score of a case of which some trials pass and others do not."""
_LONGEST: Final = 500
"""Characters of an output that are kept for a cell."""
_PERFECT: Final = 1 - 1e-12
_NUMBER: Final = 5
_SCORE: Final = 8
_LEAST: Final = 8
"""Cells that a column gets at least; further columns are left out where there is no room for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstCase:
    """A case for a list of those that did worst, outputs cut."""

    id: str
    position: int
    score: float
    cached: bool
    """Whether the cache answered all of its trials."""
    flaky: bool
    cells: Mapping[str, str]
    """What the eval shows of it, or input, output and expectation."""


@dataclass(frozen=True, slots=True)
class WorstCases:
    """Those that did worst, of so many that could have done better."""

    cases: tuple[WorstCase, ...]
    n_below: int


def worst_cases(run: EvalsRun, one: EvalSummary, *, n: int) -> WorstCases:
    """The n cases of an eval with the lowest score below 1, the lowest first; equal ones in the order of the
    data.

    Cases without a score are left out. Of a run whose cases can be read by their places, these alone are.
    """
    if n <= 0 or one.error is not None:
        return WorstCases((), 0)
    if run.by_place is None:
        return _worst_of(run.read_cases(one.id), n=n)
    scores = run.by_place.scores(one.id)
    below = [(score, place) for place, score in scores.items() if score is not None and score < _PERFECT]
    places = {place for _, place in heapq.nsmallest(n, below)}
    found = _worst_of(run.by_place.read(one.id, places), n=n)
    return WorstCases(found.cases, len(below))


def _worst_of(cases: Iterable[CaseReport], *, n: int) -> WorstCases:
    """Goes through the cases once, and holds n of them."""
    n_below = 0
    kept: list[tuple[float, int, WorstCase]] = []
    for case in cases:
        if case.score is None or case.score >= _PERFECT:
            continue
        n_below += 1
        place = (-case.score, -case.position)
        if len(kept) < n or place > kept[0][:2]:
            entry = (*place, _worst(case, case.score))
            if len(kept) < n:
                heapq.heappush(kept, entry)
            else:
                heapq.heapreplace(kept, entry)
    ordered = sorted(kept, key=lambda entry: entry[:2], reverse=True)
    return WorstCases(tuple(case for *_, case in ordered), n_below)


def shown_of(case: CaseReport, trial: TrialReport | None) -> dict[str, Any]:
    """What the eval asked to show of a trial; input, output and expectation where it asked for nothing."""
    if trial is not None and trial.columns:
        return trial.columns
    shown = {"Input": input_text(case.input), "Output": None if trial is None else trial.output}
    return shown if case.expected is None else {**shown, "Expected": case.expected}


def worst_lines(found: WorstCases, *, width: int) -> list[str]:
    """The table, each row on one line; nothing where no case could have done better, or none is wanted."""
    if not found.cases:
        return []
    n = len(found.cases)
    of = f"{n:,}" if n == found.n_below else f"{n:,} of {found.n_below:,} below 1"
    heads = list(dict.fromkeys(head for case in found.cases for head in case.cells))
    room = width - _NUMBER - _SCORE
    fitting = heads[: max(1, room // (_LEAST + 2))]
    widths = _widths(found, fitting, room=room)
    lines = [f"Worst cases ({of})", _row("", "score", [one_line(head) for head in fitting], widths)]
    for number, case in enumerate(found.cases, start=1):
        score = f"{case.score:.3f}{marks_of(case)}"
        lines.append(_row(f"{number:3}. ", score, [case.cells.get(head, "") for head in fitting], widths))
    return lines + _footnotes(found, heads[len(fitting) :], width=width)


def marks_of(case: WorstCase) -> str:
    """What stands behind its score."""
    return (CACHED if case.cached else "") + (FLAKY if case.flaky else "")


def mark_words(found: WorstCases) -> list[str]:
    """What the marks that occur mean."""
    words = {CACHED: "answered by the cache", FLAKY: "some trials pass, others do not"}
    marks = {mark for case in found.cases for mark in marks_of(case)}
    return [f"{mark} {told}" for mark, told in words.items() if mark in marks]


def _worst(case: CaseReport, score: float) -> WorstCase:
    done = [trial for trial in case.trials if trial.status == "done"]
    trial = min(done, key=_own_score) if done else None
    cells = {name: one_line(plain_text(value)[:_LONGEST]) for name, value in shown_of(case, trial).items()}
    cached = bool(case.trials) and all(trial.cached for trial in case.trials)
    return WorstCase(
        id=case.id, position=case.position, score=score, cached=cached, flaky=case.flaky, cells=cells
    )


def _own_score(trial: TrialReport) -> float:
    values = [score.value for score in trial.scores if score.value is not None]
    return sum(values) / len(values) if values else 0.0


def _widths(found: WorstCases, heads: list[str], *, room: int) -> list[int]:
    """Cells of each column, two of them empty: as wide as its texts where all fit, else what is left after
    the narrower ones, shared evenly."""
    wanted = [
        max(cell_len(one_line(head)), *(cell_len(case.cells.get(head, "")) for case in found.cases)) + 2
        for head in heads
    ]
    widths = [0] * len(heads)
    left = room
    for place, column in enumerate(sorted(range(len(heads)), key=lambda one: wanted[one])):
        widths[column] = min(wanted[column], left // (len(heads) - place))
        left -= widths[column]
    return widths


def _row(number: str, score: str, cells: list[str], widths: list[int]) -> str:
    texts = [pad(one_line(cell, width=room - 2), room) for cell, room in zip(cells, widths, strict=True)]
    return (pad(number, _NUMBER) + pad(score, _SCORE) + "".join(texts)).rstrip()


def _footnotes(found: WorstCases, left_out: list[str], *, width: int) -> list[str]:
    words = "; ".join(mark_words(found))
    lines = wrapped(words, rest="  ", width=width) if words else []
    if left_out:
        names = ", ".join(map(one_line, left_out))
        lines += wrapped(f"No room for: {names}; --output FILE has all.", rest="  ", width=width)
    return lines
