"""How verdicts write figures."""

from collections.abc import Mapping, Sequence

_MINUS = "−"


def figure(value: float, *, beside: float | None = None) -> str:
    """Three decimals; more where it would otherwise look like the limit beside it, and is not."""
    if beside is not None:
        for decimals in range(3, 13):
            if float(f"{value:.{decimals}f}") != round(beside, decimals):
                return f"{value:.{decimals}f}"
    return f"{value:.3f}"


def signed(value: float | None) -> str:
    if value is None:
        return "—"
    text = f"{value:+.3f}"
    return "0.000" if float(text) == 0 else text.replace("-", _MINUS)


def probability(p: float) -> str:
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def count(n: int, one: str, several: str | None = None) -> str:
    """`1 query`, `1,200 queries`."""
    return f"{n:,} {one if n == 1 else several or one + 's'}"


def listed(names: Sequence[str], *, most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def slice_words(where: Mapping[str, str]) -> str:
    """` where language is de and tag is hr`; empty for all queries."""
    return f" where {' and '.join(f'{key} is {value}' for key, value in where.items())}" if where else ""
