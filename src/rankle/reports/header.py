"""The first lines of an evaluation: which set, how many of its queries, what was measured, what to know."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from rankle.core.run import STALE_LABELS, RunReport
from rankle.reports.layout import one_line, wrapped


def header_lines(report: RunReport, *, methods: str, width: int) -> list[str]:
    """What was evaluated. methods: how search was done, with the word before it, as in `Method: fts5`."""
    asked, total = report.set.n_queries, report.set.n_in_file
    count = f"{total} queries" if asked == total else f"{asked} of {total} queries"
    cuts = ", ".join(str(cut) for cut in report.k)
    counted = f" ({count if total != 1 else '1 query'})"
    name = one_line(report.set.name, width=max(10, width - len("Evaluation: ") - len(counted)))
    about = (one_line(methods), f"level: {report.level}", f"k: {cuts}")
    in_one_line = "  ".join(about)
    fits = cell_len(in_one_line) <= width
    return [f"Evaluation: {name}{counted}", *([in_one_line] if fits else map(_cut_to(width), about))]


def system_words(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    """What was measured, for `header_lines`: methods of a workspace, or systems that a URI names."""
    word = "System" if any("uri" in run.system.settings for run in runs) else "Method"
    return f"{word}{'' if len(runs) == 1 else 's'}: {', '.join(names)}"


def n_label_notices(report: RunReport) -> int:
    """How many of the first notices tell of stale or unknown labels: they are in every figure, so they stand
    above all figures."""
    n_stale = sum(notice.startswith(STALE_LABELS) for notice in report.notices[:1])
    return n_stale + (1 if report.labels.unknown else 0)


def note_lines(notices: Sequence[str], *, width: int) -> list[str]:
    """Each notice, wrapped, with a word before it."""
    return [
        line
        for notice in notices
        for line in wrapped(one_line(notice), first="Note: ", rest="  ", width=width, breaking=True)
    ]


def _cut_to(width: int) -> Callable[[str], str]:
    return lambda text: one_line(text, width=width)
