"""Options of commands that read recorded runs, and how such a run is shown."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from rankle.cli import completing
from rankle.cli.options import json_option

if TYPE_CHECKING:
    from rankle.app.runs import LoadedRun

_F = TypeVar("_F", bound=Callable[..., Any])

records_option: Final = click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The store of records. Default: .rankle/records.db of the project.",
)
run_argument: Final = click.argument("run", metavar="RUN", shell_complete=completing.runs)
_SHOWN: Final = (
    click.option(
        "--worst",
        type=click.IntRange(min=0),
        default=10,
        show_default=True,
        metavar="N",
        help="Worst queries shown; with --funnel, targets of each fate.",
    ),
    click.option("--funnel", is_flag=True, help="Show which stage lost which relevant targets."),
    click.option("--intervals", is_flag=True, help="Show the 95 % interval of each mean."),
    click.option(
        "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Save the run as JSON."
    ),
    json_option,
    records_option,
)


def shown_options(command: _F) -> _F:
    """Adds the options of how a run is shown; the command gets them as one `Show`, named `show`."""

    @wraps(command)
    def with_show(
        *args: Any,
        worst: int,
        funnel: bool,
        intervals: bool,
        output: Path | None,
        as_json: bool,
        **kwargs: Any,
    ) -> Any:
        show = Show(worst=worst, funnel=funnel, intervals=intervals, output=output, as_json=as_json)
        return command(*args, show=show, **kwargs)

    for option in reversed(_SHOWN):
        with_show = option(with_show)
    return with_show  # type: ignore[return-value]


class Show:
    """How a run is to be shown. Refuses a file that cannot be written before anything is read for it."""

    def __init__(
        self, *, worst: int, funnel: bool, intervals: bool, output: Path | None, as_json: bool
    ) -> None:
        if output is not None:
            from rankle.reports.json import check_output

            check_output(output, replaces_runs_only=True)
        self.worst, self._funnel, self._intervals = worst, funnel, intervals
        self.output, self.is_json = output, as_json

    def __call__(self, loaded: "LoadedRun") -> None:
        """Print it as it was printed the day it ran, and save it where that was asked for."""
        from rankle.reports.json import render_json, write_json

        if self.is_json:
            text = render_json([loaded.report])
        else:
            from rankle.cli.screen import screen, styled
            from rankle.reports.terminal import render_run

            plain = render_run(
                loaded.report,
                worst=self.worst,
                intervals=self._intervals,
                funnel=self._funnel,
                by_default=loaded.is_best_method,
                saved=self.output is not None,
                width=screen().width,
            )
            text = styled(plain)
        click.echo(text, nl=False)
        if self.output is not None:
            write_json(self.output, [loaded.report])
