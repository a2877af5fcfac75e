"""Sizes as they are typed: `500MB`, `1.5 GB`, `200 MiB`."""

import re
from typing import Final

from rankle.core.errors import InputError

_SIZE: Final = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_POWERS: Final = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(text: str, *, option: str) -> int:
    """Bytes; `MB` is a power of 1,000 and `MiB` one of 1,024. Raises InputError on what is no size."""
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match[3] and not match[2]):
        raise InputError(f'{option} is a size such as 500MB, 1.5GB or 200MiB; got "{text}"')
    thousand = 1024.0 if match[3] else 1000.0
    return round(float(match[1]) * thousand ** _POWERS[match[2].lower()])
