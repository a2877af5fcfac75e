"""What code of somebody else raises, as a failure of that code: also what is no Exception."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rankle.core.ending import ends_all
from rankle.core.errors import SystemFailureError

_OWN_LOOP: Final = re.compile(r"\brun\(\) cannot be called|(?:event|another) loop is (?:already )?running")
_IN_THREAD: Final = (
    ". A function that runs an event loop of its own is called in a thread: threads = 1; or let it be async"
)


@contextmanager
def called() -> Iterator[None]:
    """Around a call that is not awaited. Raises SystemFailureError for what must not come to an event loop,
    which would stop by it: StopIteration, and what is no Exception but for Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except Exception as error:
        if isinstance(error, StopIteration):
            raise SystemFailureError(f"StopIteration: {error}") from error
        if isinstance(error, RuntimeError) and _OWN_LOOP.search(str(error)):
            raise SystemFailureError(f"{type(error).__name__}: {error}{_IN_THREAD}") from error
        raise
    except BaseException as error:
        raise SystemFailureError(f"{type(error).__name__}: {error}") from error


@contextmanager
def awaited() -> Iterator[None]:
    """The same around one that is awaited, and may be ended from outside."""
    try:
        yield
    except Exception:
        raise
    except BaseException as error:
        if ends_all(error):
            raise
        raise SystemFailureError(f"{type(error).__name__}: {error}") from error
