"""What to do where two runs cannot be compared since labels came in between them."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Final

from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.records.reference import looks_like_file
from rankle.reports.comparability import mismatches

_RELABELLED: Final = "relabelled.json"
"""What the file of the run with the newer labels is called in the advice."""


def relabel_advice(runs: Sequence[RunReport], names: Sequence[str]) -> str | None:
    """How to bring the older of two runs to the labels that the newer one had; None where that is not all.

    names: as the user wrote them.
    """
    if len(runs) != 2 or any(run.level == "case" for run in runs):
        return None
    if {one.what for one in mismatches(runs, ("A", "B"), measures_matter=False)} != {"judgments"}:
        return None
    older = 0 if runs[0].created <= runs[1].created else 1
    if looks_like_file(names[older]):
        return None
    compared = [*names]
    compared[older] = _RELABELLED
    return (
        f"To score {names[older]} by the labels that the set has now, without searching again:\n"
        f"  {NAME} rescore {_quoted(names[older])} --set {quote(_set_path(runs[1 - older].set.name))}"
        f" --output {_RELABELLED}\n"
        f"  {NAME} compare {' '.join(map(_quoted, compared))}"
    )


def _quoted(name: str) -> str:
    """As a shell takes it; `latest~1` stands without quotes, since no shell reads a ~ within a word."""
    return name if quote(name.replace("~", "")) == name.replace("~", "") else quote(name)


def _set_path(name: str) -> str:
    """Where the set lies, as far as that can be seen from here."""
    return next((str(path) for path in (Path(name), Path("evals") / name) if path.is_file()), name)
