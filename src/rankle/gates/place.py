"""A place in a project file, which every error about it begins with."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from rankle.core.errors import InputError, MeasureError, UnknownNameError
from rankle.gates.shares import read_share
from rankle.metrics.figure import Figure, ScorerName
from rankle.metrics.measure import parse_measure


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the project file, and the checks of what stands there; each raises InputError."""

    name: str

    def __truediv__(self, key: str) -> "Place":
        return Place(f"{self.name}.{key}")

    def error(self, words: str) -> InputError:
        return InputError(f"{self.name} {words}")

    def table(self, value: object, keys: Collection[str] | None = None) -> Mapping[str, Any]:
        """The value, where it is a table without other keys."""
        if not isinstance(value, Mapping):
            raise self.error(f"must be a table, got {value!r}")
        for key in value if keys is not None else ():
            if key not in (keys or ()):
                hint = f"There is: {', '.join(keys or ())}"
                raise UnknownNameError(what=f"key in {self.name}:", name=key, known=keys or (), hint=hint)
        return value

    def count(self, value: object, *, least: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(f"must be an integer >= {least}, got {value!r}")
        return value

    def text(self, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self.error(f"must be text, got {value!r}")
        return value.strip()

    def share(self, value: object, *, is_floor: bool = False) -> float:
        return read_share(value, what=self.name, is_floor=is_floor)

    def figures(self, value: object) -> "list[Written]":
        """A table whose keys are measures, or scorers of evals."""
        found: dict[Figure, Written] = {}
        for name, one in self.table(value).items():
            figure, fault = self._figure(name)
            if figure in found:
                raise self.error(f"has {figure} twice; one of them is spelled {name!r}")
            found[figure] = Written(figure, name, fault, self / f'"{name}"', one)
        return list(found.values())

    def _figure(self, name: str) -> tuple[Figure, str]:
        try:
            return parse_measure(name), ""
        except MeasureError as error:  # it may be a scorer; who judges a run of search raises it
            return ScorerName(name), f"{self.name}: {error}"


@dataclass(frozen=True, slots=True)
class Written:
    """What stands in a table under a measure or scorer."""

    figure: Figure
    spelled: str
    fault: str
    """Why the name is no measure; empty where it is one."""
    place: Place
    value: Any
