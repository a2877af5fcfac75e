"""What stands around asking a search of somebody else: an ear for Ctrl-C, and its prints kept aside."""

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
