"""`rankle gate RUN`: judge a run by the gates of the project."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli.gate_options import baseline_option, phase_option
from rankle.cli.options import github_option, json_option
from rankle.cli.run_options import records_option, run_argument

if TYPE_CHECKING:
    from rankle.core.gate import GatesReport


@click.command("gate", short_help="Judge a run by the gates of the project.")
@run_argument
@baseline_option
@phase_option
@click.option(
    "--max-failures",
    type=click.IntRange(min=0),
    metavar="N",
    help="Failed queries that are accepted. Default: the gate's max_failures, else 0.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "junit"]),
    default="text",
    show_default=True,
    help="What to print; junit has a case a rule.",
)
@github_option
@json_option
@records_option
def gate(
    run: str,
    *,
    baseline: str | None,
    phase: str | None,
    max_failures: int | None,
    form: str,
    github: bool,
    as_json: bool,
    records: Path | None,
) -> None:
    """Judge RUN by the gates in rankle.toml, or under [tool.rankle] in pyproject.toml.

    RUN is an id or the beginning of one, latest, latest~1, a tag, or a file that was saved with --output. Of
    evals, each is judged by the gate that names it as its set; RUN#NAME is one of them.

    \b
      rankle gate latest
      rankle gate run.json --baseline main
      rankle gate latest --phase beta
      rankle gate latest --github --format junit > gate.xml

    Each rule passed, is broken, or could not be measured: too few queries, failures, labels that name
    nothing, another set than the baseline's. Exit code: 0 if all passed, 1 if one is broken, 2 if one could
    not be measured. docs/gates.md says how gates are written.
    """
    from rankle.app.eval_gates import judge_named
    from rankle.app.export import append_summary
    from rankle.app.wiring.variables import step_summary
    from rankle.cli.gate_options import asked_of
    from rankle.reports.gate_markdown import render_gates_markdown

    summary = step_summary() if github else None
    asked = asked_of(baseline=baseline, phase=phase, max_failures=max_failures)
    report = judge_named(run, asked=asked, records=records)
    click.echo(_rendered(report, "json" if as_json else form), nl=False)
    if summary is not None:
        append_summary(summary, render_gates_markdown(report))
    raise click.exceptions.Exit(report.exit_code)


def _rendered(report: "GatesReport", form: str) -> str:
    from rankle.cli.screen import screen
    from rankle.reports.gate import render_gates, render_gates_json
    from rankle.reports.gate_junit import render_gates_junit
    from rankle.reports.gate_markdown import render_gates_markdown

    if form == "text":
        return render_gates(report, width=screen().width)
    if form == "junit":
        return render_gates_junit(report.gates)
    return {"json": render_gates_json, "markdown": render_gates_markdown}[form](report)
