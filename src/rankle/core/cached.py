"""What a cache gives back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CachedOutput:
    """What a cacheable task or a model gave before, as it was kept."""

    value: bytes
    """JSON."""
    took_ms: float
    """Of the call that made it."""
    created: str
    """When it was made: UTC, ISO 8601 with a trailing Z."""
