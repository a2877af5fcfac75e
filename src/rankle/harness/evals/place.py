"""Where an eval was written, as the calls that lead to it tell."""

import inspect
import os
from dataclasses import dataclass
from types import FrameType

from rankle.core.product import NAME


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where an eval was written."""

    file: str
    """Absolute."""
    line: int


def calling_place(*, loading: str | None) -> SourcePlace | None:
    """The nearest place outside of this package; None where its code is in no file.

    loading: a file whose module is being run. Where that module made the call, if by a function of another
    file, the place is in it: it is whose line asked for the eval. What a module that it imports makes is not.
    """
    frame = inspect.currentframe()
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
    if frame is None:
        return None
    module = _module_frame(frame)
    if loading is not None and module is not None and module.f_code.co_filename == loading:
        return SourcePlace(loading, module.f_lineno)
    file = frame.f_code.co_filename
    return SourcePlace(os.path.abspath(file), frame.f_lineno) if os.path.isfile(file) else None  # noqa: PTH100, PTH113 - pathlib costs more than all else here


def _module_frame(frame: FrameType) -> FrameType | None:
    """The module whose running led to a frame: the nearest, since importing another one runs that."""
    found: FrameType | None = frame
    while found is not None and found.f_code.co_name != "<module>":
        found = found.f_back
    return found


def _is_ours(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module == NAME or module.startswith(f"{NAME}.")
