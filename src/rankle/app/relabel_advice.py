"""What to do where two runs cannot be compared since labels or measures came in between them."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Final

from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.records.reference import looks_like_file
from rankle.reports.comparability import mismatches, ranking_measures

_RELABELLED: Final = "relabelled.json"
"""What the file of the run with the newer labels is called in the advice."""


def relabel_advice(runs: Sequence[RunReport], names: Sequence[str]) -> str | None:
    """How to bring the older of two runs to the labels of the newer one, or to compare by what both have.

    None where more than that differs.

    names: as the user wrote them.
    """
    if len(runs) != 2 or any(run.level == "case" for run in runs):
        return None
    differ = {one.what for one in mismatches(runs, ("A", "B"), measures_matter=True)}
    if differ == {"measures"}:
        return _by_common_measure(runs, names)
    if differ - {"measures"} != {"judgments"}:
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


def _by_common_measure(runs: Sequence[RunReport], names: Sequence[str]) -> str | None:
    """How to compare by the deepest measure of the kind that both state first; None where there is none."""
    common = [name for name in ranking_measures(runs[0]) if name in runs[1].measures]
    gains = [name for name in common if name.startswith("nDCG")] or common
    if not gains:
        return None
    named = f"{NAME} compare {' '.join(map(_quoted, names))} --measures {quote(gains[-1])}"
    return f"To compare by a measure that both have: {named}"


def _quoted(name: str) -> str:
    """As a shell takes it; `latest~1` stands without quotes, since no shell reads a ~ within a word."""
    return name if quote(name.replace("~", "")) == name.replace("~", "") else quote(name)


def _set_path(name: str) -> str:
    """Where the set lies, as far as that can be seen from here."""
    return next((str(path) for path in (Path(name), Path("evals") / name) if path.is_file()), name)
