"""How code of a user failed, in a form that reports can show: without the frames that are ours."""

import os
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rankle.core.trials import ErrorReport

_OURS: Final = str(Path(__file__).parents[2])
_MACHINERY: Final = ("asyncio", "concurrent", "importlib", "contextlib", "threading")
_MOST: Final = 2_000
"""Characters of a message: a server may answer with a page."""


def error_report(error: BaseException) -> ErrorReport:
    """The class, the words and the frames of the user's code, the last call last.

    A group of one exception is that exception. What an exception was raised from stands before it.
    """
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return ErrorReport(type=type(error).__name__, message=_shortened(_words(error)), traceback=_frames(error))


def own_frames(frames: Iterable[traceback.FrameSummary]) -> str | None:
    """Those of the user's code as text, the last call last; None where there is none."""
    own = [frame for frame in frames if not _is_ours(frame.filename)]
    return _below_here("".join(traceback.StackSummary.from_list(own).format()).rstrip()) or None


def _words(error: BaseException) -> str:
    """What it says of itself; its class alone where even that fails."""
    try:
        return str(error) or repr(error)
    except Exception as second:  # noqa: BLE001  (an exception that cannot be shown has failed all the same)
        return f"{type(error).__name__}, whose text cannot be read: {type(second).__name__}"


def _frames(error: BaseException) -> str | None:
    found = traceback.TracebackException.from_exception(error, limit=None, capture_locals=False)
    chain: list[traceback.TracebackException] = []
    one: traceback.TracebackException | None = found
    while one is not None:
        chain.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    lines: list[str] = []
    for link in reversed(chain):
        own = [frame for frame in link.stack if not _is_ours(frame.filename)]
        lines += traceback.StackSummary.from_list(own).format()
        if link is not found and own:
            lines.append(f"{_shortened(''.join(link.format_exception_only()).strip())}\n")
    return _below_here("".join(lines).rstrip()) or None


def _below_here(frames: str) -> str:
    """Files below the current folder as editors and people name them, which the folder's own name is no part
    of: a record is read on other machines too."""
    try:
        here = f"{Path.cwd()}{os.sep}"
    except FileNotFoundError:  # a task has removed it
        return frames
    return frames.replace(f'  File "{here}', '  File "')


def _is_ours(filename: str) -> bool:
    """Whether a frame is of this package, or of what Python has between a call and the code that it calls."""
    if filename.startswith("<frozen importlib"):
        return True
    path = Path(filename)
    return filename.startswith(_OURS) or (
        "site-packages" not in path.parts
        and (path.parent.name in _MACHINERY or path.stem in _MACHINERY)
        and path.is_relative_to(Path(traceback.__file__).parent)
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[:_MOST]}… ({len(text) - _MOST} more characters)"
