"""The recorded run of evals that a command names, apart from what prints it: a run of search needs none."""

from collections.abc import Sequence
from pathlib import Path

from rankle.app.eval_runs import find_evals
from rankle.core.errors import InputError
from rankle.core.evals import EvalsRun


def evals_of(refs: Sequence[str], *, records: Path | None) -> EvalsRun | None:
    """The run of evals that is named; None where all names are of runs of search.

    Raises InputError where it is named beside others: each is a report of its own.
    """
    found = [run for ref in refs if (run := find_evals(ref, records=records)) is not None]
    if found and len(refs) > 1:
        raise InputError(
            "a report is of one run of evals, which may hold several; name one run, or hold two against each "
            f"other: rankle compare {' '.join(refs[:2])}"
        )
    return found[0] if found else None
