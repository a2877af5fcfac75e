"""Prints what `rankle eval` found: the report, where it is recorded, the verdicts of gates."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

import click

from rankle.cli.gating import gate_text
from rankle.cli.record_options import Record

if TYPE_CHECKING:
    from rankle.core.gate import GateReport
    from rankle.core.run import RunReport


class Shown(TypedDict):
    """What was asked to be shown or saved."""

    worst: int
    intervals: bool
    funnel: bool
    saved: bool


def print_text(
    reports: "Sequence[RunReport]",
    shown: Shown,
    *,
    judged: "Sequence[GateReport]",
    record: Record,
    by_default: bool,
) -> None:
    """by_default: whether nobody named the method."""
    from rankle.cli.screen import screen, styled

    width = screen().width
    if len(reports) > 1:
        from rankle.reports.methods import render_methods

        text = render_methods(reports, width=width, **shown)
    else:
        from rankle.reports.terminal import render_run

        text = render_run(reports[0], by_default=by_default, width=width, **shown)
    click.echo(styled(text), nl=False)
    for line in record.lines(reports, width=width):
        click.echo(line)
    click.echo(gate_text(judged, width=width), nl=False)


def print_json(reports: "Sequence[RunReport]", judged: "Sequence[GateReport]") -> None:
    from rankle.reports.gate import render_judged_json
    from rankle.reports.json import render_json

    click.echo(render_judged_json(reports, judged) if judged else render_json(reports), nl=False)
