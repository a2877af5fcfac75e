"""When the garbage collector need not look."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Meanwhile garbage is not collected: collections would walk all that is made and kept, again and again,
    for a fifth of the time of a batch of searches.

    For work of seconds at most that makes many objects, and no cycles of them. Where several threads are in
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
