"""How evals are run: what a call, an eval, the project file and the defaults say, in this order."""

from dataclasses import dataclass, field
from typing import Final, Literal

DEFAULT_TIMEOUT_S: Final = 30.0
DEFAULT_DATA_TIMEOUT_S: Final = 600.0
"""Much longer than that of a trial: data may have to be downloaded first."""
DEFAULT_CONCURRENCY: Final = 5
DEFAULT_TRIALS: Final = 1
PASS_MARK: Final = 0.5
"""What a trial must reach to pass, where no threshold says more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one place says; None where it says nothing."""

    timeout_s: float | None = None
    data_timeout_s: float | None = None
    concurrency: int | None = None
    trials: int | None = None
    threshold: float | None = None
    """Per cent, 0 to 100."""
    cache: bool | None = None
    max_failures: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """What holds for one eval, after all places were weighed."""

    timeout_s: float = DEFAULT_TIMEOUT_S
    concurrency: int | None = None
    """Trials of this eval in flight at once; None leaves it to the run's own limit."""
    trials: int = DEFAULT_TRIALS
    threshold: float | None = None
    cache: bool = True

    @property
    def pass_mark(self) -> float:
        """The score that a trial must reach to pass, in 0 to 1."""
        return PASS_MARK if self.threshold is None else self.threshold / 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What holds for the whole run."""

    concurrency: int = DEFAULT_CONCURRENCY
    """Trials of all evals together in flight at once."""
    limits: dict[str, int] = field(default_factory=dict)
    """Resource that evals declare to use, to the trials that may use it at once."""
    max_failures: int = 0
    seed: int = 0
    storage: Literal["sqlite", "memory"] = "sqlite"
