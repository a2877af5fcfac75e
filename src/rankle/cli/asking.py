"""Around the asking of somebody else's search: Ctrl-C ends it, and its prints stay out of the report."""

from collections.abc import Iterator
from contextlib import chdir, contextmanager

import click

from rankle.cli.interrupting import interruptible
from rankle.cli.prints_aside import apart_from_threads, prints_aside


@contextmanager
def asking_others() -> Iterator[None]:
    """What a search prints goes to the error stream, so that a report, or JSON, stays whole: also what one
    that was given up prints later, until the command ends. A folder that it changes to is left again, so that
    files are written where they were asked for."""
    click.get_current_context().with_resource(apart_from_threads())
    with interruptible(), chdir("."), prints_aside():
        yield
