"""Checks what a call, an eval or a project file asks of a run, with the name by which it was given."""

import math
from collections.abc import Callable
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.gates.shares import read_percentage
from rankle.harness.evals.options import Asked

_WHOLE: Final = (("concurrency", 1), ("trials", 1), ("max_failures", 0))


def checked_asked(asked: Asked, *, called: Callable[[str], str]) -> Asked:
    """The same, where every value is allowed. Raises InputError on the first that is not.

    called: how the place that asks calls a value, such as `"--trials"` for `trials`.
    """
    for name, least in _WHOLE:
        check_whole(getattr(asked, name), least=least, what=called(name))
    for name in ("timeout_s", "data_timeout_s"):
        if getattr(asked, name) is not None:
            _check_timeout(getattr(asked, name), what=called(name))
    if asked.threshold is not None:
        check_threshold(asked.threshold, what=called("threshold"))
    cache: Any = asked.cache
    if cache is not None and not isinstance(cache, bool):
        raise InputError(f"{called('cache')} must be true or false, got {cache!r}")
    return asked


def check_whole(value: Any, *, least: int, what: str) -> None:
    """Raises InputError where the value is neither None nor a whole number that is large enough."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{what} must be a whole number >= {least}, got {value!r}")


def check_threshold(value: Any, *, what: str) -> None:
    """Raises InputError where it is no percentage from 0 to 100, or a share that was meant as one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{what} must be a percentage from 0 to 100 such as 70, got {value!r}")
    read_percentage(f"{value:f}", what=what)


def _check_timeout(value: Any, *, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise InputError(f"{what} must be a number of seconds above 0, got {value!r}")
