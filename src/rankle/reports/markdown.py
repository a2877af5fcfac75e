"""Runs as Markdown, for pull requests, job summaries and wikis: figures first, long lists cut."""

import re
from collections.abc import Sequence
from typing import Final

from rankle.core.product import NAME
from rankle.core.run import QueryReport, RunReport
from rankle.metrics.figure import read_figure
from rankle.reports.abstention import abstention_notes, compact_rows, share_rows
from rankle.reports.differences import Difference, differences, main_measure
from rankle.reports.failures import first_hit, losses
from rankle.reports.latency import latency_lines
from rankle.reports.layout import one_line
from rankle.reports.run_denominators import run_denominators
from rankle.reports.run_names import run_names
from rankle.reports.signed import probability, signed, signed_range
from rankle.reports.table import figure_of, interval_of, percent, title_of

_LISTED: Final = 10
"""Rows of a list; a job summary holds 1 MiB, and nobody reads more."""
_LONGEST: Final = 160
_SIGNS: Final = re.compile(r"([\\`*_\[\]|~$])|^([#+=-])")
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LINKED: Final = re.compile(r"(?<!\w)(@|#(?=\d))")
"""What GitHub takes for the name of a person or the number of an issue."""


def render_markdown(runs: Sequence[RunReport]) -> str:
    """One run, or several side by side, ending in a line break. Text from elsewhere is escaped."""
    names = run_names(runs)
    blocks = [_head(runs, names), _notes(runs, names), _measures(runs, names), _denominators(runs, names)]
    blocks.append(_abstention(runs, names))
    if len(runs) > 1 and comparable(runs):
        blocks.append(_differences(runs, names))
    for run, name in zip(runs, names, strict=True):
        of = f" with {escaped(name)}" if len(runs) > 1 else ""
        blocks += [_failed(run, of), _worst(run, of), _documents(run, of)]
    blocks.append(_about(runs, names))
    return "\n\n".join(block for block in blocks if block) + "\n"


def comparable(runs: Sequence[RunReport]) -> bool:
    """Whether the runs are over one set at one level, so that differences between them mean something."""
    return len({(run.set.fingerprint, run.level) for run in runs}) == 1


def escaped(text: str) -> str:
    """Text on one line that Markdown shows as it is: no markup, no link, and nobody is notified."""
    signs = _SIGNS.sub(r"\\\g<0>", one_line(text, width=_LONGEST))
    clean = "".join(_ENTITIES.get(sign, sign) for sign in signs)
    clean = _LINKED.sub("\\1\N{WORD JOINER}", clean)
    return clean.replace("://", "&#58;//").replace("www.", "www&#46;")


def _head(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    run = runs[0]
    sets = list(dict.fromkeys(one.set.name for one in runs))
    asked, total = run.set.n_queries, run.set.n_in_file
    queries = f"{asked:,}{f' of {total:,}' if asked != total else ''} {'query' if total == 1 else 'queries'}"
    about = f"{queries}, {run.level} level, depth {run.depth}, {', '.join(map(escaped, names))}"
    return f"## Evaluation: {', '.join(map(escaped, sets))}\n\n{about}"


def _notes(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    lines = []
    for notice in dict.fromkeys(notice for run in runs for notice in run.notices):
        told = [name for run, name in zip(runs, names, strict=True) if notice in run.notices]
        whose = "" if len(told) == len(runs) else f"{', '.join(map(escaped, told))}: "
        lines.append(f"> **Note** {whose}{escaped_whole(notice)}")
    return "\n>\n".join(lines)


def escaped_whole(text: str) -> str:
    """`escaped` without a cut, word by word: for sentences of our own with names from elsewhere in them."""
    words = one_line(text).split(" ")
    return " ".join(escaped(word) for word in words)


def _measures(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    rows = []
    for name in dict.fromkeys(name for run in runs for name in run.measures):
        measure = read_figure(name)
        cells = []
        for run in runs:
            one = run.measures.get(name)
            cells.append("" if one is None else figure_of(one, measure))
            if len(runs) == 1 and one is not None:
                cells.append(interval_of(one, measure))
        rows.append([escaped(title_of(measure)), *cells])
    if len(runs) == 1:
        return table(["Metric", "Mean", "95% interval"], rows)
    return table(["Metric", *map(escaped, names)], rows)


def _denominators(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    return "\\\n".join(map(escaped_whole, run_denominators(runs, names)))


def _abstention(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    found = share_rows(runs[0]) if len(runs) == 1 else compact_rows(runs)
    if not found:
        return ""
    rows = [[escaped(title), *map(escaped, cells)] for title, cells in found]
    heads = ["", *(["Share", "95% interval", "Queries"] if len(runs) == 1 else map(escaped, names))]
    notes = "\\\n".join(map(escaped_whole, abstention_notes(runs, names)))
    return f"### Abstention\n\n{table(heads, rows)}\n\n{notes}"


def _differences(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    measure = main_measure(runs[0])
    if measure is None or any(measure not in run.measures for run in runs):
        return ""
    found = differences(runs, measure)
    heads = ["", "Difference", "95% interval", "p", *(["Holm p"] if len(found) > 1 else []), "Won/tied/lost"]
    rows = [
        _difference_row(name, one, several=len(found) > 1)
        for name, one in zip(names[1:], found, strict=True)
    ]  # fmt: skip
    title = escaped(title_of(read_figure(measure)))
    return f"### Differences in {title}, query by query, from {escaped(names[0])}\n\n{table(heads, rows)}"


def _difference_row(name: str, one: Difference, *, several: bool) -> list[str]:
    test = one.test
    if test is None:
        return [escaped(name), "no query was scored by both"]
    holm = [probability(one.p_holm)] if several else []
    counts = f"{test.wins}/{test.ties}/{test.losses}"
    interval = signed_range(test.low, test.high)
    return [escaped(name), signed(test.difference), interval, probability(test.p_value), *holm, counts]


def _failed(run: RunReport, of: str) -> str:
    failed = [query for query in run.queries if query.status == "failed"]
    rows = [
        [escaped(query.id), escaped(query.query), escaped(query.error or "")] for query in failed[:_LISTED]
    ]
    head = f"### Failed queries{of}: {len(failed):,} of {len(run.queries):,}"
    return f"{head}\n\n{table(['Query', 'Text', 'Error'], rows)}{_more(failed)}" if failed else ""


def _worst(run: RunReport, of: str) -> str:
    scored = [query for query in run.queries if query.status == "scored" and query.first_relevant_rank != 1]
    late = sorted(scored, key=lambda query: -(query.first_relevant_rank or float("inf")))
    rows = [_worst_row(query, run) for query in late[:_LISTED]]
    if not rows:
        return ""
    head = f"### Queries without a relevant result at rank 1{of}: {len(late):,}"
    heads = ["Query", "Text", "First relevant result", "Lost"]
    return f"{head}\n\n{table(heads, rows)}{_more(late)}"


def _worst_row(query: QueryReport, run: RunReport) -> list[str]:
    lost = "; ".join(words.removeprefix("lost: ") for words in losses(query))
    return [escaped(query.id), escaped(query.query), first_hit(query, k=run.k[-1]), escaped(lost)]


def _documents(run: RunReport, of: str) -> str:
    flawed = [document for document in run.documents if document.n_found < document.n_queries]
    rows = [
        [escaped(one.id), percent(one.hit_rate), f"{one.n_found} of {one.n_queries}"]
        for one in flawed[:_LISTED]
    ]
    if not rows:
        return ""
    head = f"### Labelled documents that some query does not find in the top {run.k[-1]}{of}: {len(flawed):,}"
    return f"{head}\n\n{table(['Document', 'Hit rate', 'Queries'], rows)}{_more(flawed)}"


def _about(runs: Sequence[RunReport], names: Sequence[str]) -> str:
    lines = []
    for run, name in zip(runs, names, strict=True):
        of = f"{escaped(name)}: " if len(runs) > 1 else ""
        latency = " ".join(line.strip() for line in latency_lines(run.latency_ms, width=10_000))
        lines.append(f"{of}{latency}" if run.latency_ms.p50 is not None else "")
    ids = ", ".join(f"`{run.id}`" for run in runs)
    version = escaped(runs[0].rankle_version)
    lines.append(f"Run {ids}, {escaped(runs[0].created)}, {NAME} {version}")
    return "\\\n".join(line for line in lines if line)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are escaped already."""
    return "\n".join([_row(heads), _row(["---"] * len(heads)), *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _more(every: Sequence[object]) -> str:
    n = len(every) - _LISTED
    return f"\n\n… and {n:,} more" if n > 0 else ""
