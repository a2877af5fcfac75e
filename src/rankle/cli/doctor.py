"""`rankle doctor`: what is wrong here, and what to do."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from rankle.cli.options import json_option, workspace_option

if TYPE_CHECKING:
    from rankle.core.health import Check, DoctorReport

_STATE: Final = 9
_NAME: Final = 11


@click.command("doctor", short_help="Say what is wrong here, and what to do.")
@workspace_option
@json_option
def doctor(*, workspace: str | None, as_json: bool) -> None:
    """Look at the installation, the machine, the project, its workspace and its eval sets; change nothing.

    \b
      rankle doctor
      rankle doctor --json

    \b
      ok        nothing to do, or something that you may do
      warning   it works, but slowly, or not all of it
      fault     commands that need it fail

    Looked at are Python, SQLite, the optional extras, how many threads libraries start, misspelt variables,
    the project file, what the workspace holds and whether its documents changed since, embedding models,
    whether their servers and searches of your own behind HTTP answer ([systems.NAME]), whether what sets in
    the project's folder and in evals/ label is still indexed, records, and room on the disk. Below a line
    stands what to do.

    Exit code 2 if there is a fault, else 0. --json prints rankle.doctor/1.
    """
    from rankle.app.doctor import examine
    from rankle.cli.options import print_report
    from rankle.cli.screen import screen, styled

    report = examine(workspace=workspace)
    if as_json:
        print_report(report)
    else:
        click.echo(styled("\n".join(_lines(report, width=screen().width))))
    raise click.exceptions.Exit(report.exit_code)


def _lines(report: "DoctorReport", *, width: int) -> "Iterator[str]":
    from rankle.reports.layout import wrapped

    for check in report.checks:
        yield from _check_lines(check, width=width)
    yield ""
    n_ok = len(report.checks) - report.n_warnings - report.n_faults
    warnings = f"{report.n_warnings} warning{'' if report.n_warnings == 1 else 's'}"
    faults = f"{report.n_faults} fault{'' if report.n_faults == 1 else 's'}"
    yield from wrapped(f"{n_ok} ok, {warnings}, {faults}. Exit code {report.exit_code}.", width=width)


def _check_lines(check: "Check", *, width: int) -> "Iterator[str]":
    from rankle.reports.layout import one_line, wrapped

    indent = " " * (_STATE + _NAME)
    first = f"{check.state:<{_STATE}}{check.name:<{_NAME}}"
    yield from wrapped(one_line(check.says), first=first, rest=indent, width=width)
    if check.next:
        yield from wrapped(check.next, first=f"{indent}→ ", rest=f"{indent}  ", width=width)
