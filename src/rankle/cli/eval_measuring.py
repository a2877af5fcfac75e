"""Measures what `rankle eval` was asked for: one method or several, with a bar while it lasts."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from rankle.app.record_request import Recording
    from rankle.core.run import RunReport
    from rankle.formats.kinds import ReadOptions
    from rankle.harness.outcome import OnProgress
    from rankle.kb.search_settings import SearchSettings
    from rankle.labels.coverage import Coverage


class EvalOptions(TypedDict):
    """What one method and several are measured with alike; told of at `rankle.app.evaluate.aevaluate`."""

    workspace: str | None
    settings: "SearchSettings"
    k: tuple[int, ...] | None
    depth: int
    measures: str | tuple[()]
    level: str | None
    collection: str | None
    max_queries: int | None
    concurrency: int
    one_by_one: bool
    coverage: "Coverage"
    relevance: str
    reading: "ReadOptions"
    normalise: tuple[str, ...]
    record: "Recording | bool"


def measure(
    set_file: Path, methods: tuple[str, ...], options: EvalOptions, *, systems: tuple[str, ...] = ()
) -> "tuple[RunReport, ...]":
    """A record for each method, in their order; with none, that of the workspace's best.

    systems: what is measured in place of a workspace, one record each.
    """
    if systems:
        return _measure_systems(set_file, systems, options)
    with progress() as on_progress:
        if len(methods) > 1:
            from rankle.app.evaluate_methods import evaluate_methods

            return evaluate_methods(set_file, methods=methods, on_progress=on_progress, **options)
        from rankle.app.evaluate import evaluate

        method = methods[0] if methods else None
        return (evaluate(set_file, method=method, on_progress=on_progress, **options),)


def _measure_systems(
    set_file: Path, systems: tuple[str, ...], options: EvalOptions
) -> "tuple[RunReport, ...]":
    from rankle.app.evaluate_systems import evaluate_systems
    from rankle.cli.asking import asking_others

    others = {name: value for name, value in options.items() if name not in ("workspace", "settings")}
    with asking_others(), progress() as on_progress:
        return evaluate_systems(set_file, systems=systems, on_progress=on_progress, **others)  # type: ignore[arg-type]


@contextmanager
def progress() -> "Iterator[OnProgress]":
    """A bar on the error stream where that is a terminal; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import Progress

    is_seen = sys.stderr.isatty()  # FORCE_COLOR makes a terminal of a log for rich, where bars are noise
    with Progress(console=Console(stderr=True), transient=True, disable=not is_seen) as bar:
        task = bar.add_task("Searching", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
