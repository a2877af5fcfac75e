"""Measures what `rankle eval` was asked for: methods of a workspace or systems, with a bar while it lasts."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankle.app.evaluation_options import EvaluationOptions
    from rankle.core.run import RunReport
    from rankle.harness.outcome import OnProgress
    from rankle.kb.search_settings import SearchSettings


def measure(
    set_file: Path,
    methods: tuple[str, ...],
    options: "EvaluationOptions",
    *,
    workspace: str | None,
    settings: "SearchSettings",
) -> "tuple[RunReport, ...]":
    """A record for each method, in their order; with none, that of the workspace's best."""
    with progress() as on_progress:
        options = {**options, "on_progress": on_progress}
        if len(methods) > 1:
            from rankle.app.evaluate_methods import evaluate_methods

            return evaluate_methods(
                set_file, methods=methods, workspace=workspace, settings=settings, **options
            )
        from rankle.app.evaluate import evaluate

        method = methods[0] if methods else None
        return (evaluate(set_file, method=method, workspace=workspace, settings=settings, **options),)


def measure_systems(
    set_file: Path, systems: tuple[str, ...], options: "EvaluationOptions"
) -> "tuple[RunReport, ...]":
    """A record for each system, in their order."""
    from rankle.app.evaluate_systems import evaluate_systems
    from rankle.cli.asking import asking_others

    with asking_others(), progress() as on_progress:
        options = {**options, "on_progress": on_progress}
        return evaluate_systems(set_file, systems=systems, **options)


@contextmanager
def progress() -> "Iterator[OnProgress]":
    """A bar on the error stream where that is a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():  # FORCE_COLOR makes a terminal of a log for rich, where bars are noise
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Searching", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
