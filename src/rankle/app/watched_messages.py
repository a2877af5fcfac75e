"""What `rankle watch` and the process of one of its runs tell each other, by files in a folder of theirs."""

from pathlib import Path
from typing import Final, TypeVar

import msgspec

from rankle.core.evals import EvalsSummary, EvalSummary
from rankle.harness.evals.options import Asked

ORDER: Final = "order.json"
PROGRESS: Final = "progress.json"
TOLD: Final = "told.json"
END: Final = b"e"
"""On the standard input: the run is to end, and what it has is kept, to be gone on with."""
DROP: Final = b"d"
"""The run is to end, and leaves no record, since its code is gone."""
PRINTED: Final = "printed.txt"
"""What the evals print."""
_T = TypeVar("_T", bound=msgspec.Struct)


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be run, and how."""

    paths: tuple[str, ...]
    within: tuple[str, ...] | None
    """As `EvalsRequest.within`."""
    asked: Asked
    filter: str | None
    tags: tuple[str, ...]
    failing: str | None
    errors: str | None
    seed: int
    records: str | None
    """The store; None for no record."""
    is_asked_for: bool
    """Whether the record is, so that there is no run without."""
    name: str | None
    width: int
    """Cells of the screen."""
    worst: int
    quiet: bool


class Progressed(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run has come, in trials."""

    n_done: int
    n_total: int
    n_failed: int
    n_cached: int
    cost_usd: float | None
    elapsed_s: float
    reading: str | None = None
    """The eval whose data is being read, before the first trial."""


class ToldEval(msgspec.Struct, frozen=True, kw_only=True):
    """What one eval reads beside its code."""

    key: str
    """Without its variant."""
    files: tuple[str, ...]
    """Its data, and what `depends_on` names: files and folders by real paths, there or not."""


class ToldFile(msgspec.Struct, frozen=True, kw_only=True):
    """What one file of evals reads."""

    path: str
    reads: tuple[str, ...]
    """Files of the project by real paths, itself included."""
    evals: tuple[ToldEval, ...]
    """All that it defines; none where it could not be loaded."""
    is_marked: bool
    """Whether an eval in it is marked `only`, which bears on those of other files."""
    in_trouble: bool
    """Whether it, or an eval of it, could not be run."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a run."""

    error: str | None = None
    """Why there is none."""
    not_recorded: str | None = None
    summary: EvalsSummary | None = None
    evals: tuple[EvalSummary, ...] = ()
    text: str = ""
    """The run as a terminal shows it."""
    files: tuple[ToldFile, ...] = ()
    everywhere: tuple[str, ...] = ()
    """Files of which nobody knows which eval reads them, such as setup files."""
    written: tuple[str, ...] = ()
    """Files of the project that the evals wrote."""


def write_message(message: msgspec.Struct, file: Path) -> None:
    """Put a message in its place, whole."""
    beside = file.with_name(f"{file.name}.new")
    beside.write_bytes(msgspec.json.encode(message))
    beside.replace(file)


def read_message(file: Path, kind: type[_T]) -> _T | None:
    """The message that stands there; None where there is none yet."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
