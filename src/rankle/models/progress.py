"""What a model tells while it is being made ready, which takes seconds the first time."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from rankle.core.product import NAME


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """One step of making a model ready."""

    what: str
    """A sentence for people, such as `downloading model.onnx`."""
    done_bytes: int = 0
    total_bytes: int | None = None
    """None where the step has no length that is known."""
    is_notable: bool = False
    """Whether the user should read it where no bar is shown: a model that was damaged, a long download."""


OnModelProgress = Callable[[ModelProgress], None]


def tell_notable(progress: ModelProgress) -> None:
    """For callers without a bar: what is notable is logged as a warning, which Python writes to the error
    stream where no program has decided otherwise.
    """
    if progress.is_notable:
        logging.getLogger(NAME).warning(progress.what)


def tell_nobody(progress: ModelProgress) -> None:
    """For callers that show nothing."""
