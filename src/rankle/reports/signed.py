"""How differences and probabilities are written for people."""

from typing import Final

from rankle.reports.table import ABSENT

_MINUS: Final = "−"


def signed(value: float | None) -> str:
    """Three decimals with their sign, `0.000` without one; a dash for None."""
    if value is None:
        return ABSENT
    figure = f"{value:+.3f}"
    return "0.000" if float(figure) == 0 else figure.replace("-", _MINUS)


def signed_range(low: float | None, high: float | None) -> str:
    """`+0.012 to +0.050`; a dash where a bound is missing."""
    return ABSENT if low is None or high is None else f"{signed(low)} to {signed(high)}"


def probability(p: float | None) -> str:
    """Four decimals, `<0.0001` below; a dash for None."""
    if p is None:
        return ABSENT
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"
