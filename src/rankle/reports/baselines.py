"""Baselines for people: one in full, or a list."""

from collections.abc import Sequence
from typing import Any, Final

from rankle.core.gate import Baseline
from rankle.core.product import NAME
from rankle.metrics.figure import read_figure
from rankle.reports.layout import WIDTH, one_line, pad, wrapped
from rankle.reports.table import Shown, denominator_lines, measure_table

_NAME: Final = 16
_SHOWN: Final = 12
"""Hex digits of a fingerprint that are shown."""


def render_baseline_text(baseline: Baseline, *, path: str, width: int = WIDTH) -> str:
    """Text for a terminal: what it is of, its measures, and the fingerprints a run must share."""
    measures = [Shown(read_figure(name), summary) for name, summary in baseline.measures.items()]
    facts = {
        "File": path,
        "Run": f"{baseline.run} of {baseline.created}, {NAME} {baseline.rankle_version}",
        "Set": f"{one_line(baseline.set.name)} ({len(baseline.queries)} queries)",
        "System": f"{one_line(baseline.system.name)}, method {one_line(baseline.system.method)}",
        "Level": f"{baseline.level}, depth {baseline.depth}, ties {baseline.ties}",
        "Queries": baseline.queries_fingerprint[:_SHOWN],
        "Judgments": baseline.judgments_fingerprint[:_SHOWN],
    }
    lines = [f"Baseline {one_line(baseline.name)}"]
    for name, value in facts.items():
        lines += wrapped(value, first=pad(f"  {name}", 13), rest=" " * 13, width=width)
    blocks = [
        lines,
        measure_table(measures, intervals=True, width=width),
        denominator_lines(measures, width=width),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def render_baseline_list(baselines: Sequence[Baseline], *, folder: str, width: int = WIDTH) -> str:
    """A line a baseline: name, set, method, when its run was made."""
    if not baselines:
        return f"No baselines in {folder}. Set one: {NAME} baseline set RUN\n"
    lines = [f"{pad('Baseline', _NAME)}{pad('Run', 14)}{pad('Made', 22)}Set, method"]
    for baseline in baselines:
        head = f"{pad(one_line(baseline.name, width=_NAME - 2), _NAME)}{pad(baseline.run[:12], 14)}"
        rest = f"{one_line(baseline.set.name)}, {one_line(baseline.system.method)}"
        lines.append(_cut(f"{head}{pad(baseline.created, 22)}{rest}", width))
    return "\n".join(lines) + "\n"


def baseline_rows(baselines: Sequence[Baseline]) -> list[dict[str, Any]]:
    """The list for programs: what each is of, and its means."""
    return [
        {
            "name": baseline.name,
            "run": baseline.run,
            "created": baseline.created,
            "set": baseline.set.name,
            "method": baseline.system.method,
            "n_queries": len(baseline.queries),
            "measures": {name: summary.mean for name, summary in baseline.measures.items()},
        }
        for baseline in baselines
    ]


def _cut(line: str, width: int) -> str:
    """A row cut to the width; its columns keep their spaces."""
    return line if len(line) <= width else f"{line[: width - 1]}…"
