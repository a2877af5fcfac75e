"""Options of whether and where a run is recorded, and what is said about it afterwards."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from rankle.core.errors import InputError, RecordError
from rankle.core.product import NAME

if TYPE_CHECKING:
    from rankle.core.run import RunReport

_F = TypeVar("_F", bound=Callable[..., Any])
_ID: Final = 8
_OPTIONS: Final = (
    click.option("--name", metavar="TEXT", help="What to call the run in `rankle history`."),
    click.option("--tag", metavar="NAME", help="Tag the run once it is complete; see `rankle tag`."),
    click.option(
        "--resume",
        is_flag=True,
        help="Go on with the run that was interrupted; what it has is not asked again.",
    ),
    click.option(
        "--records",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The store to record the run in. Default: .rankle/records.db of the project.",
    ),
    click.option(
        "--no-cache",
        is_flag=True,
        help="Ask also what an earlier run asked of the same index; else its results are taken.",
    ),
    click.option("--no-record", is_flag=True, help="Leave no record."),
)


def record_options(command: _F) -> _F:
    """Adds the options of recording; the command gets them as one `Record`, named `record`."""

    @wraps(command)
    def with_record(
        *args: Any,
        name: str | None,
        tag: str | None,
        resume: bool,
        records: Path | None,
        no_cache: bool,
        no_record: bool,
        **kwargs: Any,
    ) -> Any:
        record = Record(
            name=name, tag=tag, resume=resume, records=records, no_cache=no_cache, no_record=no_record
        )
        return command(*args, record=record, **kwargs)

    for option in reversed(_OPTIONS):
        with_record = option(with_record)
    return with_record  # type: ignore[return-value]


class Record:
    """What was asked about recording, and what became of it."""

    def __init__(
        self,
        *,
        name: str | None,
        tag: str | None,
        resume: bool,
        records: Path | None,
        no_cache: bool,
        no_record: bool,
    ) -> None:
        """Raises InputError where a record is wanted and not wanted."""
        from rankle.app.record_request import Recording
        from rankle.app.wiring.records import records_place

        wanted = {"--name": name, "--tag": tag, "--resume": resume, "--records": records}
        given = next((option for option, value in wanted.items() if value), None)
        if no_record and given:
            raise InputError(f"{given} is about the record that --no-record leaves out; give one of them")
        place = records_place(records=records)
        if place.path is None and given:
            raise InputError(
                f"{given} needs a record, and RANKLE_RECORDS or the project file says none; "
                "add --records FILE"
            )
        self._problems: list[RecordError] = []
        self._is_asked_for = place.is_asked_for or given is not None
        self.recording = (
            None
            if no_record or place.path is None
            else Recording(
                path=place.path,
                name=name,
                tag=tag,
                resume=resume,
                reuse=not no_cache,
                is_asked_for=self._is_asked_for,
                on_problem=self._problems.append,
            )
        )
        """None for no record."""

    def lines(self, reports: "Sequence[RunReport]", *, width: int) -> list[str]:
        """Under which ids the runs are recorded, and what can be done with them; nothing where they are not.

        Raises RecordError where the store cannot be read any more.
        """
        if self.recording is None or self._problems:
            return []
        from rankle.app.history import find_before
        from rankle.reports.layout import wrapped
        from rankle.reports.run_names import run_names

        if len(reports) == 1:
            run = reports[0].id
            words = [f"Recorded as {run}. See it again: {NAME} show {run[:_ID]}"]
            before = find_before(run, records=self.recording.path)
            if before is not None:
                words.append(f"Against the run before it: {NAME} compare {before.id[:_ID]} {run[:_ID]}")
            return ["", *(line for each in words for line in wrapped(each, width=width))]
        named = zip(run_names(reports), reports, strict=True)
        runs = ", ".join(f"{name} as {report.id[:_ID]}" for name, report in named)
        return ["", *wrapped(f"Recorded: {runs}. See one again: {NAME} show RUN", width=width)]

    def check(self) -> None:
        """Tell why a run is not recorded: as a warning, or as an error where a record was asked for."""
        if not self._problems:
            return
        words = f"the figures are complete, but the run is not recorded: {self._problems[0]}"
        if self._is_asked_for:
            raise RecordError(words)
        how = "" if "--no-record" in words else ". --no-record leaves it out"
        click.echo(f"Warning: {words}{how}", err=True)
