"""How far judges agree, in lines for people."""

from typing import Final

from rankle.labels.judges import JudgesAgreement
from rankle.reports.layout import one_line
from rankle.stats.agreement import Agreement

_NAME: Final = 24


def agreement_lines(found: JudgesAgreement | None, *, what: str) -> list[str]:
    """what: what was judged, such as `passages`."""
    if found is None:
        return [f"Agreement of judges: no two judged the same {what} yet."]
    n_items = found.alpha.n_items
    things = what.removesuffix("s") if n_items == 1 else what
    alpha = f"Krippendorff's alpha {_value(found.alpha)} (ordinal) on {n_items:,} {things}"
    lines = [f"Agreement of {len(found.judges)} judges: {alpha}"]
    for pair in found.pairs:
        names = " and ".join(one_line(name, width=_NAME) for name in pair.judges)
        lines.append(f"  {names}: Cohen's kappa {_value(pair.kappa)} on {pair.kappa.n_items:,}")
    return lines


def _value(agreement: Agreement) -> str:
    return "undefined, since all grades are one" if agreement.value is None else f"{agreement.value:.2f}"
