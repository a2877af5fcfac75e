"""Which gate judges a run, after what the command line adds to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rankle.core.errors import InputError
from rankle.gates.rules import REGRESSION_MEASURE, TOLERANCE, Gate, NoRegression


class NoGateError(InputError):
    """There are gates, and none is for this set or eval."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user asks of a gate beside the project file; None leaves what that says."""

    phase: float | None = None
    """The floor that a phase of the product presets."""
    baseline: str | None = None
    max_failures: int | None = None

    @property
    def has_rules(self) -> bool:
        return self.phase is not None or self.baseline is not None


def gate_of(gates: Sequence[Gate], *names: str) -> Gate | None:
    """The gate of a set or an eval: the one that names it, else the one that names none; None without either.

    names: all that it goes by, the most exact first.
    """
    by_name = {gate.set_name: gate for gate in gates}
    return next((by_name[name] for name in names if name in by_name), by_name.get(None))


def no_gate_for(name: str, gates: Sequence[Gate], *, path: str) -> NoGateError:
    """The error for a set, or an eval, of which no gate speaks."""
    known = ", ".join(f'"{gate.set_name}"' for gate in gates if gate.set_name is not None)
    return NoGateError(
        f'no gate of {path} is for "{name}"; there are gates for {known}. Write one with set = "{name}", or '
        f"one without set, which is for all others"
    )


def with_asked(gate: Gate, asked: Asked) -> Gate:
    """The gate with what was asked in the place of what it said.

    A baseline that is named where no rule holds anything against one adds a rule: REGRESSION_MEASURE drops by
    at most TOLERANCE; of an eval that lacks it, every scorer.
    """
    if asked.phase is not None:
        gate = replace(gate, phase=asked.phase)
    if asked.max_failures is not None:
        gate = replace(gate, max_failures=asked.max_failures)
    if asked.baseline is not None:
        rules = gate.no_regression or (NoRegression(REGRESSION_MEASURE, TOLERANCE, is_default=True),)
        gate = replace(gate, baseline=asked.baseline, no_regression=rules)
    return gate
