"""What `rankle doctor` found, schema `rankle.doctor/1`; its JSON Schema is made from these types."""

from typing import Literal

import msgspec

from rankle.core.run import Count

State = Literal["ok", "warning", "fault"]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    name: str
    """What was looked at, such as `SQLite`; several checks may have one name."""
    state: State
    """`warning`: it works, but slowly, or not all of it. `fault`: commands that need it fail."""
    says: str
    """What was found, in a sentence."""
    next: str | None = None
    """What to do: a command, or a few words; null where there is nothing to do, or `says` tells it."""


class DoctorReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.doctor/1"):
    """The state of an installation, a project and a workspace: `rankle.doctor/1`."""

    rankle_version: str
    """The version that looked."""
    checks: list[Check]
    """In the order in which they were made."""
    n_warnings: Count
    """Checks whose state is `warning`."""
    n_faults: Count
    """Checks whose state is `fault`."""
    exit_code: Literal[0, 2]
    """2 where there is a fault."""


def doctor_report(checks: list[Check], *, version: str) -> DoctorReport:
    """The report of these checks, counted."""
    states = [check.state for check in checks]
    return DoctorReport(
        rankle_version=version,
        checks=checks,
        n_warnings=states.count("warning"),
        n_faults=states.count("fault"),
        exit_code=2 if "fault" in states else 0,
    )
