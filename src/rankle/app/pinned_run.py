"""The run that a name means now, by a name that means it for good."""

from pathlib import Path

from rankle.app.runs import records_to_read
from rankle.records.finding import find_rows
from rankle.records.store import open_store


def pinned_run(ref: str, *, records: Path | None) -> str:
    """The id of the run that `latest` or a tag means now, with its `#NAME` where it has one.

    records: the store; None for the project's.
    Raises as `records.finding.find_rows` does, RecordError where the store cannot be read.
    """
    with open_store(records_to_read(records)) as store:
        runs = store.runs()
        rows = find_rows(ref, list(zip(range(len(runs), 0, -1), runs, strict=True)), store=store.path)
    info = rows[0][1]
    _, mark, name = ref.partition("#")
    return (info.family or info.id) + mark + name
