"""What stands around asking a search of somebody else: a bar, an ear for Ctrl-C, prints kept aside."""

from collections.abc import Iterator
from contextlib import chdir, contextmanager
from typing import TYPE_CHECKING

import click

from rankle.cli.eval_measuring import progress
from rankle.cli.interrupting import interruptible
from rankle.cli.prints_aside import apart_from_threads, prints_aside

if TYPE_CHECKING:
    from rankle.harness.outcome import OnProgress


@contextmanager
def asking_others() -> "Iterator[OnProgress]":
    """What a search prints goes to the error stream, so that a report, or JSON, stays whole: also what one
    that was given up prints later, until the command ends. A folder that it changes to is left again, so that
    files are written where they were asked for."""
    click.get_current_context().with_resource(apart_from_threads())
    with interruptible(), chdir("."), prints_aside(), progress() as on_progress:
        yield on_progress
