"""How many queries the means of runs are over, said once where that is the same for all."""

from collections.abc import Sequence

from rankle.core.run import RunReport
from rankle.reports.table import denominator_of


def run_denominators(runs: Sequence[RunReport], names: Sequence[str]) -> tuple[str, ...]:
    """A line where all means are over as many queries, else one for each count, with whose it is.

    names: of the runs. Empty where no run has a measure.
    """
    by_count: dict[str, dict[str, list[str]]] = {}
    for run, name in zip(runs, names, strict=True):
        for measure, summary in run.measures.items():
            by_count.setdefault(denominator_of(summary), {}).setdefault(name, []).append(measure)
    if len(by_count) < 2:
        return tuple(f"Queries: {count}" for count in by_count)
    every = {name: list(run.measures) for run, name in zip(runs, names, strict=True)}
    lines = []
    for count, named in by_count.items():
        whose = [
            name if measures == every[name] else f"{name}: {', '.join(measures)}"
            for name, measures in named.items()
        ]
        lines.append(f"Queries ({'; '.join(whose)}): {count}")
    return tuple(lines)
