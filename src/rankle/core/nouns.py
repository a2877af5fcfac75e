"""What a run asks its system: queries of a set, or cases of an eval; for reports to call them right."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun in both numbers."""

    one: str
    several: str

    def counted(self, n: int) -> str:
        """`1 case`, `1,200 cases`."""
        return f"{n:,} {self.of(n)}"

    def of(self, n: int) -> str:
        """The noun alone."""
        return self.one if n == 1 else self.several


QUERIES: Final = Noun("query", "queries")
CASES: Final = Noun("case", "cases")


def asked_at(level: str) -> Noun:
    """What runs of a level ask."""
    return CASES if level == "case" else QUERIES
