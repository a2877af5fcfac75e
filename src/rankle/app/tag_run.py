"""Give runs names that last."""

from dataclasses import dataclass
from pathlib import Path

from rankle.app.runs import records_to_read
from rankle.records.run_info import RunInfo
from rankle.records.store import open_store


@dataclass(frozen=True, slots=True)
class Tagged:
    """What a tag is on now, and was before."""

    now: RunInfo
    """Of several evals of one command, the first."""
    before: RunInfo | None
    """None where the tag is new."""


def tag_run(ref: str, name: str, *, records: Path | None = None) -> Tagged:
    """Put a tag on a run, and take it from the run that had it.

    Raises InputError for what can be no tag, and UnknownNameError where there is no such run.
    """
    with open_store(records_to_read(records)) as store:
        before = store.tag(ref, name)
        return Tagged(store.infos(name)[0], before)


def untag(name: str, *, records: Path | None = None) -> None:
    """Take a tag away; its run stays. Raises UnknownNameError where no run has it."""
    with open_store(records_to_read(records)) as store:
        store.untag(name)
