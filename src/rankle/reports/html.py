"""Runs as one HTML file that opens from disk: no network, escaped everywhere, its own script alone."""

from collections.abc import Sequence
from typing import Any, Final

from rankle.core.gate import GateReport
from rankle.core.run import (
    DocumentReport,
    FunnelReport,
    MeasureSummary,
    QueryReport,
    RunReport,
    ShareReport,
)
from rankle.metrics.figure import read_figure
from rankle.reports.abstention import (
    TITLES,
    abstention_notes,
    abstention_reports,
    floor_text,
    share_counts,
    share_interval,
    share_text,
)
from rankle.reports.charts import colour_class, difference_chart, interval_bar, profile_chart, share_bar
from rankle.reports.differences import Difference, differences, main_measure
from rankle.reports.funnel import fate_words
from rankle.reports.gate import end_words, verdict_words
from rankle.reports.html_page import render_page
from rankle.reports.latency import latency_lines
from rankle.reports.markdown import comparable
from rankle.reports.page_data import embedded, n_shown, page_data
from rankle.reports.run_denominators import run_denominators
from rankle.reports.run_names import run_names
from rankle.reports.signed import probability, signed, signed_range
from rankle.reports.table import ABSENT, figure_of, interval_of, percent, title_of

_LISTED: Final = 200
"""Documents, and fewer failures, that stand in the page itself."""
_FAILURES: Final = 20


def render_html(runs: Sequence[RunReport], gates: Sequence[GateReport] = ()) -> str:
    """One run, or several side by side; the first is what the others are compared with.

    gates: what they were judged to, one a run; none where they were not judged.
    """
    names = run_names(runs)
    return render_page(
        "report",
        data=embedded(page_data(runs, names)),
        n_shown=n_shown(runs),
        colour=colour_class,
        gates=gate_sections(gates, names),
        **_context(runs, names),
    )


def _context(runs: Sequence[RunReport], names: Sequence[str]) -> dict[str, Any]:
    measure = main_measure(runs[0])
    if measure is not None and not all(measure in run.measures for run in runs):
        measure = None
    compared = len(runs) > 1 and measure is not None and comparable(runs)
    return {
        "runs": [_run(run, name) for run, name in zip(runs, names, strict=True)],
        "sets": ", ".join(dict.fromkeys(run.set.name for run in runs)),
        "first": runs[0],
        "notes": _notes(runs, names),
        "measures": _measures(runs),
        "denominators": run_denominators(runs, names),
        "abstention": _abstention(runs),
        "abstention_notes": abstention_notes(runs, names),
        "main": "" if measure is None else title_of(read_figure(measure)),
        "profile": _profile(runs, measure),
        "differences": _differences(runs, names, measure) if compared and measure is not None else [],
        "comparable": comparable(runs),
        "ranks": _ranks(runs),
    }


def gate_sections(gates: Sequence[GateReport], names: Sequence[str]) -> list[dict[str, Any]]:
    """What a page shows of gates, by the names of what they judged."""
    return [
        {
            "name": name,
            "report": gate,
            "end": end_words(gate),
            "rules": [(verdict_words(rule.verdict), rule.rule, rule.why) for rule in gate.rules],
        }
        for gate, name in zip(gates, names, strict=False)
    ]


def _run(run: RunReport, name: str) -> dict[str, Any]:
    failed = [query for query in run.queries if query.status == "failed"]
    flawed = [one for one in run.documents if one.n_found < one.n_queries]
    return {
        "name": name,
        "record": run,
        "k": run.k[-1],
        "failed": failed[:_FAILURES],
        "n_failed": len(failed),
        "latency": " ".join(line.strip() for line in latency_lines(run.latency_ms, width=10_000)),
        "funnel": _funnel(run.funnel) if run.funnel is not None and run.funnel.n_targets else None,
        "documents": [_document(one) for one in flawed[:_LISTED]],
        "n_flawed": len(flawed),
        "n_documents": len(run.documents),
    }


def _document(one: DocumentReport) -> dict[str, Any]:
    shown, bar = percent(one.hit_rate), share_bar(one.hit_rate)
    return {"id": one.id, "rate": one.hit_rate, "shown": shown, "bar": bar,
            "n_found": one.n_found, "n_queries": one.n_queries}  # fmt: skip


def _notes(runs: Sequence[RunReport], names: Sequence[str]) -> list[tuple[str, str]]:
    """Each notice once, with whose it is where not all runs have it."""
    notes = []
    for notice in dict.fromkeys(notice for run in runs for notice in run.notices):
        told = [name for run, name in zip(runs, names, strict=True) if notice in run.notices]
        notes.append(("" if len(told) == len(runs) else ", ".join(told), notice))
    return notes


def _measures(runs: Sequence[RunReport]) -> list[dict[str, Any]]:
    names = dict.fromkeys(name for run in runs for name in run.measures)
    return [
        {
            "name": name,
            "title": title_of(read_figure(name)),
            "cells": [_figure(run.measures.get(name), name) for run in runs],
        }
        for name in names
    ]


def _figure(summary: MeasureSummary | None, name: str) -> dict[str, Any]:
    if summary is None:
        return {"mean": None, "shown": ABSENT, "interval": ABSENT, "bar": "", "counts": None}
    measure = read_figure(name)
    return {
        "mean": summary.mean,
        "shown": figure_of(summary, measure),
        "interval": interval_of(summary, measure),
        "bar": interval_bar(summary.mean, summary.low, summary.high),
        "counts": summary,
    }


def _abstention(runs: Sequence[RunReport]) -> list[dict[str, Any]]:
    """A row a share with a cell a run, and first the floors; none where no run has any."""
    reports = abstention_reports(runs)
    if not any(reports):
        return []
    floors = [
        {"value": one and one.floor, "shown": floor_text(one.floor) if one else ABSENT, "small": ""}
        for one in reports
    ]
    rows = [{"name": "floor", "title": "Floor", "cells": floors}]
    for name, title in TITLES.items():
        shares = [None if one is None else getattr(one, name) for one in reports]
        rows.append({"name": f"abstention_{name}", "title": title, "cells": [_share(one) for one in shares]})
    return rows


def _share(share: ShareReport | None) -> dict[str, Any]:
    if share is None:
        return {"value": None, "shown": ABSENT, "small": ""}
    small = f"{share_counts(share)}, {share_interval(share)}"
    return {"value": share.share, "shown": share_text(share), "small": small}


def _profile(runs: Sequence[RunReport], measure: str | None) -> Any:
    if measure is None:
        return ""
    scores = [[query.scores[measure] for query in run.queries if measure in query.scores] for run in runs]
    title = title_of(read_figure(measure))
    return profile_chart(scores, label=f"{title} of every scored query, best first")


def _differences(runs: Sequence[RunReport], names: Sequence[str], measure: str) -> list[dict[str, Any]]:
    found = differences(runs, measure)
    return [_difference(runs[0], one, name, measure) for one, name in zip(found, names[1:], strict=True)]


def _difference(first: RunReport, one: Difference, name: str, measure: str) -> dict[str, Any]:
    before = {query.id: query.scores[measure] for query in first.queries if measure in query.scores}
    changes = [
        query.scores[measure] - before[query.id]
        for query in one.run.queries
        if measure in query.scores and query.id in before
    ]
    test = one.test
    title = title_of(read_figure(measure))
    return {
        "name": name,
        "n": one.n,
        "test": test,
        "difference": signed(test.difference) if test else ABSENT,
        "interval": signed_range(test.low, test.high) if test else ABSENT,
        "p": probability(test.p_value) if test else ABSENT,
        "p_holm": probability(one.p_holm),
        "chart": difference_chart(changes, label=f"Difference in {title} of every query, largest gain first"),
    }


def _ranks(runs: Sequence[RunReport]) -> list[dict[str, Any]]:
    """Where the first relevant result of scored queries stands, in classes of ranks up to the largest k."""
    k = max(run.k[-1] for run in runs)
    ends = [end for end in (1, 3, 5, 10, 20, 50, 100) if end < k] + [k]
    classes = [(low + 1, high) for low, high in zip([0, *ends], ends, strict=False)]
    rows: list[tuple[str, int, float]] = [
        (f"{low}" if low == high else f"{low}–{high}", low, high) for low, high in classes
    ]
    rows += [(f"below {k}", k + 1, float("inf")), ("not in the results", 0, 0)]
    return [
        {"label": label, "cells": [_rank_cell(run, low, high, place) for place, run in enumerate(runs)]}
        for label, low, high in rows
    ]


def _rank_cell(run: RunReport, low: int, high: float, place: int) -> dict[str, Any]:
    scored = [query for query in run.queries if query.status == "scored"]
    n = sum(low <= _first(query) <= high for query in scored)
    share = n / len(scored) if scored else 0.0
    return {"n": n, "share": percent(share), "bar": share_bar(share, place=place)}


def _first(query: QueryReport) -> int:
    """0 where nothing relevant is in the results."""
    return query.first_relevant_rank or 0


def _funnel(funnel: FunnelReport) -> dict[str, Any]:
    return {
        "n_targets": funnel.n_targets,
        "k": funnel.k,
        "stages": [(one.stage, one.n_listed, one.n_within_k) for one in funnel.stages],
        "fates": [
            {
                "words": fate_words(one.fate, k=funnel.k),
                "n": one.n_targets,
                "n_queries": len(one.queries),
                "share": percent(one.n_targets / funnel.n_targets),
                "bar": share_bar(one.n_targets / funnel.n_targets),
            }
            for one in funnel.fates
        ],
    }
