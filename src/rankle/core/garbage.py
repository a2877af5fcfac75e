"""When the garbage collector need not look."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection meanwhile, which would walk again and again what is made and kept: a fifth of a batch.

    For what makes many objects, no cycles among them, and takes seconds at most. Where several threads are in
    here, the first that leaves turns collections on for all. Where somebody turned them off, off they stay.
    """
    if not gc.isenabled():
        yield
        return
    try:
        gc.disable()  # within, since Ctrl-C may come with its end
        yield
    finally:
        gc.enable()
