"""Commas in numbers: a decimal sign, or between thousands."""

import re
from enum import StrEnum
from typing import Final

from rankle.core.errors import InputError
from rankle.formats.ambiguity import ambiguous

COMMA: Final = r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?"
"""A number with a decimal comma."""
THOUSANDS: Final = r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?"
"""A number whose commas may stand between thousands."""


class Decimal(StrEnum):
    """What a comma within a number is."""

    AUTO = "auto"
    """A decimal comma where it cannot group thousands; an error where it could be either."""
    COMMA = "comma"
    """The decimal sign: `1,234` is a little more than one."""
    POINT = "point"
    """It groups thousands: `1,234` is more than a thousand."""


class Commas:
    """The commas that were met while numbers were read one by one."""

    def __init__(self) -> None:
        self.n_decimal = 0
        """Numbers whose comma can only be a decimal sign."""
        self.n_unclear = 0
        """Numbers whose comma could be either."""
        self.unclear = ""
        """The first of them."""

    def number(self, text: str, decimal: Decimal) -> float | None:
        """The number of a text that holds a comma; None where it is none, or not under `decimal`."""
        thousands = re.fullmatch(THOUSANDS, text) is not None
        if decimal is Decimal.POINT:
            return float(text.replace(",", "")) if thousands else None
        if not re.fullmatch(COMMA, text):
            return None
        if not thousands or decimal is Decimal.COMMA:
            self.n_decimal += 1
        else:
            self.n_unclear += 1
            self.unclear = self.unclear or text
        return float(text.replace(",", "."))

    def conclude(self, path: str) -> list[str]:
        """What must be said about them. Raises InputError where no number tells what the commas are."""
        if self.n_unclear and not self.n_decimal:
            raise comma_question(path, self.unclear)
        n_numbers = self.n_decimal + self.n_unclear
        return [decimal_notice(n_numbers)] if n_numbers else []


def decimal_notice(n_numbers: int) -> str:
    return f"numbers with a decimal comma: {n_numbers}"


def comma_question(path: object, number: str) -> InputError:
    """The error for a number whose comma could be either."""
    return ambiguous(
        path,
        f'the comma in "{number}" could be a decimal sign or group thousands',
        {"--decimal comma": "1,234 is 1.234", "--decimal point": "1,234 is 1234"},
    )
