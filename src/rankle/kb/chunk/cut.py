"""Where a text may be cut between words."""

from bisect import bisect_right

from rankle.kb.tokens import HAN, SIGN, UNSPACED, TokenMap

_SPACELESS = frozenset({HAN, UNSPACED})


def is_breakable(text: str, units: TokenMap, unit: int, *, offset: int = 0) -> bool:
    """Whether text may be cut behind this unit: at white space, and within scripts that write none,
    but never before a sign such as `。`.

    offset: what the units' offsets are relative to.
    """
    end = offset + units.ends[unit]
    if unit + 1 >= len(units.ends) or text[end].isspace():
        return True
    following = units.kinds[unit + 1]
    if following == SIGN:
        return False
    return following in _SPACELESS or units.kinds[unit] in _SPACELESS


def breakable_end(text: str, units: TokenMap, *, first: int, tokens: int, offset: int = 0) -> int:
    """The last unit of the longest piece from unit `first` that has at most `tokens` tokens.

    Falls back to any unit where nothing between may be cut, and to `first` where even that is too long.
    """
    before = units.totals[first - 1] if first else 0
    last = bisect_right(units.totals, before + tokens, lo=first) - 1
    if last <= first:
        return first
    for unit in range(last, first - 1, -1):
        if is_breakable(text, units, unit, offset=offset):
            return unit
    return last
