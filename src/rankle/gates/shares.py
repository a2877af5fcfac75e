"""Shares as a person writes them: `0.7` or `"70 %"`, and never the one where the other is meant."""

import math
import re
from typing import Final

from rankle.core.errors import InputError

_PERCENT: Final = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*%\s*")


def read_share(value: object, *, what: str, is_floor: bool) -> float:
    """A share in [0, 1], of a number in that range or a text such as `70 %`.

    what: how an error calls the value. A number above 1 is a percentage without its sign, and a floor in
    (0, 1] % is most probably a share with one: both are refused, with what they would be. Raises InputError.
    is_floor: False of tolerances and the like, which may be as small as they want.
    """
    if isinstance(value, str) and (match := _PERCENT.fullmatch(value)):
        return _of_percent(float(match[1]), what=what, is_floor=is_floor)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f'{what} must be a share such as 0.7 or "70 %", got {value!r}')
    if 1 < value <= 100:
        raise InputError(
            f"{what} must be a share from 0 to 1, got {value:g}. For {value:g} % write {value / 100:g} or "
            f'"{value:g} %"'
        )
    if not 0 <= value <= 1:
        raise InputError(f'{what} must be a share from 0 to 1, or a text such as "70 %", got {value:g}')
    return float(value)


def read_percentage(text: str, *, what: str) -> float:
    """A floor as a percentage, without its sign or with it; `85` gives 0.85. Raises InputError."""
    match = _PERCENT.fullmatch(text if "%" in text else f"{text}%")
    if match is None:
        raise InputError(f"{what} must be a percentage such as 85, got {text!r}")
    return _of_percent(float(match[1]), what=what, is_floor=True)


def _of_percent(percent: float, *, what: str, is_floor: bool) -> float:
    if is_floor and 0 < percent <= 1:
        raise InputError(f"{what} is {percent:g} %, which is next to nothing. Was {100 * percent:g} % meant?")
    if not 0 <= percent <= 100:
        raise InputError(f"{what} must be from 0 to 100 %, got {percent:g} %")
    return percent / 100
