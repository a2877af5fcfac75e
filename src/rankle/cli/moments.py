"""Moments and ages as they are typed: `2026-11-30`, `2026-11-30 14:00`, `7d`, `36h`."""

import re
from datetime import datetime, timedelta
from typing import Final

from rankle.core.errors import InputError

_AGE: Final = re.compile(r"(\d{1,5})\s*([hdw])")
_HOURS: Final = {"h": 1, "d": 24, "w": 7 * 24}


def parse_moment(text: str, *, now: datetime, option: str) -> datetime:
    """A date or a time of the zone of `now`, or so long before `now`. Raises InputError on anything else."""
    match = _AGE.fullmatch(text.strip())
    if match:
        return _before(match, now)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(
            f"{option} is a date such as 2026-11-30, a time such as 2026-11-30T14:00, or an age such as 7d "
            f'or 36h; got "{text}"'
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def parse_age(text: str, *, now: datetime, option: str) -> datetime:
    """The moment that lies so long before `now`. Raises InputError on what is no age."""
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise InputError(f'{option} is an age such as 30d, 12h or 4w; got "{text}"')
    return _before(match, now)


def _before(match: re.Match[str], now: datetime) -> datetime:
    return now - timedelta(hours=int(match[1]) * _HOURS[match[2]])
