"""What code of somebody else raises, as a failure of that code: also what is no Exception."""

from collections.abc import Iterator
from contextlib import contextmanager

from rankle.core.ending import ends_all
from rankle.core.errors import SystemFailureError


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
