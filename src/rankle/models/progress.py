"""What a model tells while it is being made ready, which takes seconds the first time."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """One step of making a model ready."""

    what: str
    """A sentence for people, such as `downloading model.onnx`."""
    done_bytes: int = 0
    total_bytes: int | None = None
    """None where the step has no length that is known."""


OnModelProgress = Callable[[ModelProgress], None]


def tell_nobody(progress: ModelProgress) -> None:
    """For callers that show nothing."""
