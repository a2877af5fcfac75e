"""A case of an eval: one input with what is expected of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an eval's data, as its author states it."""

    input: Any
    expected: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    only: bool = False
    """Where any row says so, the others are left out."""
    skip: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A row that is run; a task that names a parameter `case` is given it."""

    id: str
    """`case-` and 12 hex digits, of input, expectation and how often the two occurred before."""
    position: int
    """In the data, from 0."""
    input: Any
    expected: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    trial: int = 0
    """Which repetition this is, from 0."""
    variant: Any = None
    """The input of the variant, where the eval is one of several side by side."""
