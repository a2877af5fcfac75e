"""Whole runs of evals held against each other eval by eval: `rankle.comparisons/1`."""

from collections.abc import Iterator
from html import escape
from typing import Any

import msgspec

from rankle.core.errors import UnknownNameError
from rankle.core.tables import Tabular
from rankle.reports.comparison import Comparison
from rankle.reports.evals_as_run import SYSTEM, key_names


class Unpaired(msgspec.Struct, frozen=True, kw_only=True):
    """An eval that is not in all of the runs."""

    eval: str
    """Its key: `path::name[variant]`."""
    runs: list[str]
    """Those that have it, as they were named."""


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """An eval of all runs that cannot be compared."""

    eval: str
    """Its key: `path::name[variant]`."""
    why: str
    """What differs beside the systems, and what to do."""


class Comparisons(
    Tabular, msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.comparisons/1"
):
    """Whole runs of evals, compared eval by eval: `rankle.comparisons/1`."""

    comparisons: list[Comparison]
    """One for each eval that all runs have; its p-values are adjusted for its own tests alone."""
    unpaired: list[Unpaired] = []
    """Evals that not all runs have."""
    refused: list[Refused] = []
    """Evals of all runs that cannot be compared."""

    @property
    def is_one(self) -> bool:
        """Whether there is but one comparison, and nothing to tell beside it."""
        return len(self.comparisons) == 1 and not self.unpaired and not self.refused

    def __len__(self) -> int:
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __getitem__(self, name: str) -> Comparison:
        """The comparison of the eval of this name, or of this key. Raises UnknownNameError where none or
        several have it."""
        found = [one for one in self.comparisons if name in _names(one)]
        if len(found) != 1:
            known = [_key(one) for one in found or self.comparisons]
            raise UnknownNameError(what="eval", name=name, known=known, hint=f"There is: {', '.join(known)}")
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """What the JSON holds."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each eval, pair and measure."""
        return [{"eval": _key(one), **row} for one in self.comparisons for row in one.to_rows()]

    def __str__(self) -> str:
        return "\n\n".join([*(f"{_key(one)}\n{one}" for one in self.comparisons), *self._beside()])

    def __repr__(self) -> str:
        return f"<Comparisons of {', '.join(map(_key, self.comparisons))}>"

    def _repr_html_(self) -> str:
        # Its own method, since a notebook asks for it: no one else's.
        tables = [f"<h4>{escape(_key(one))}</h4>{one._repr_html_()}" for one in self.comparisons]
        return "".join([*tables, *(f"<p>{escape(text)}</p>" for text in self._beside())])

    def _beside(self) -> list[str]:
        return [
            *(f"Only in {', '.join(one.runs)}: {one.eval}" for one in self.unpaired),
            *(f"Not compared: {one.eval}: {one.why}" for one in self.refused),
        ]


def _key(one: Comparison) -> str:
    return one.runs[0].system.removeprefix(SYSTEM)


def _names(one: Comparison) -> tuple[str, ...]:
    key, method = _key(one), one.runs[0].method
    return key_names(key, variant=method if key.endswith(f"[{method}]") else None)
