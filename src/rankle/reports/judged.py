"""Runs with the verdict of their gates beside them, in every format that has a place for it."""

from collections.abc import Sequence
from typing import Final

from rankle.core.gate import GateReport
from rankle.core.run import RunReport
from rankle.reports.exporting import ExportFormat

_HAVE_PLACE: Final = frozenset({"json", "markdown", "junit", "html"})


def has_place(form: ExportFormat) -> bool:
    """Whether files of the format can hold a verdict: tables of queries and TREC runs cannot."""
    return form.name in _HAVE_PLACE


def render_judged(form: ExportFormat, runs: Sequence[RunReport], gates: Sequence[GateReport]) -> str:
    """What the format renders of the runs, with the gate of each; the runs alone where there are no gates.

    gates: one a run, in their order, or none at all.
    """
    if not gates or not has_place(form):
        return form.render(runs)
    if form.name == "json":
        from rankle.reports.gate import render_judged_json

        return render_judged_json(runs, gates)
    if form.name == "junit":
        from rankle.reports.gate_junit import render_judged_junit

        return render_judged_junit(runs, gates)
    if form.name == "html":
        from rankle.reports.html import render_html

        return render_html(runs, gates)
    return render_judged_markdown(runs, gates)


def render_judged_markdown(runs: Sequence[RunReport], gates: Sequence[GateReport]) -> str:
    """Verdicts first, then the figures, ending in a line break."""
    from rankle.reports.gate_markdown import render_gate_markdown
    from rankle.reports.markdown import render_markdown

    return "\n".join([*map(render_gate_markdown, gates), render_markdown(runs)])
