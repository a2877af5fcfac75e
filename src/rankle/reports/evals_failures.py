"""Failed cases of an eval, those that failed alike together."""

import re
from dataclasses import dataclass
from typing import Final

from rankle.core.evals import EvalSummary, FailedCase
from rankle.reports.evals_words import failure_words, frame_lines

_NAMED: Final = 3
"""Cases of a group that are named."""
_FRAMES: Final = 2
_ADDRESS: Final = re.compile(r"\b0x[0-9a-f]+\b")
"""Where an object lies in memory, as Python shows it: another place each time."""


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Cases that failed at the same place, with the same words."""

    cases: tuple[FailedCase, ...]
    """In the order of the data, at least one."""
    words: str
    """`in the task: ValueError: …`; of a single case with its trial."""
    frames: tuple[str, ...]
    """The last lines of the traceback."""
    traceback: str | None

    @property
    def named(self) -> tuple[FailedCase, ...]:
        """The first of the cases; reports count the others."""
        return self.cases[:_NAMED]

    @property
    def n_more(self) -> int:
        return len(self.cases) - len(self.named)


def failure_groups(one: EvalSummary) -> list[FailureGroup]:
    """The listed failures of an eval by what went wrong, what befell most cases first. A case stands in
    several where its scorers crashed in several ways."""
    alike: dict[tuple[object, ...], list[FailedCase]] = {}
    for failure in one.failures:
        error = failure.error
        frames = tuple(frame_lines(error, most=_FRAMES))
        words = _ADDRESS.sub("", error.message)
        alike.setdefault((failure.where, error.type, words, frames), []).append(failure)
    groups = [_group(tuple(cases), trials=one.trials) for cases in alike.values()]
    return sorted(groups, key=lambda group: -len(group.cases))


def n_failed_in(groups: list[FailureGroup]) -> int:
    """Cases that stand in any of them."""
    return len({failure.id for group in groups for failure in group.cases})


def _group(cases: tuple[FailedCase, ...], *, trials: int) -> FailureGroup:
    first = cases[0]
    return FailureGroup(
        cases=cases,
        words=failure_words(first, trials=trials if len(cases) == 1 else 1),
        frames=tuple(frame_lines(first.error, most=_FRAMES)),
        traceback=first.error.traceback,
    )
