"""Ranked lists of chunks, as one stage of a search hands them to the next."""

import time
from dataclasses import dataclass
from typing import NamedTuple


class ChunkScore(NamedTuple):
    """One chunk in the list of a stage."""

    chunk: int
    """Row id."""
    name: str
    document: str
    score: float
    """Higher is better; comparable within one list only."""


@dataclass(frozen=True, slots=True)
class CandidateList:
    """The best chunks that one stage found, best first, each once."""

    stage: str
    rows: list[ChunkScore]
    exhausted: bool
    """Whether these are all that match."""
    took_ms: float


def ms_since(started: float) -> float:
    """Milliseconds since a moment of `time.perf_counter`."""
    return (time.perf_counter() - started) * 1_000
