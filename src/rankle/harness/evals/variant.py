"""Variants: several ways to run one eval, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.harness.evals.option_names import unknown_option

_KEYS: Final = ("name", "input")


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several ways to run the same eval, side by side."""

    name: str
    input: Any
    """What the task is given as `variant`."""


def as_variants(given: Sequence[Any], *, said: str) -> tuple[Variant, ...]:
    """Variants as an eval lists them. said: what they are of, for errors.

    Raises InputError on one that is not `{"name", "input"}`, and on two of one name.
    """
    variants = tuple(_variant(one, said=said) for one in given)
    names = [one.name for one in variants]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f'two variants of {said} are called "{name}"; give each its own name')
    return variants


def _variant(given: Any, *, said: str) -> Variant:
    if isinstance(given, Variant):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f'a variant of {said} must be {{"name": …, "input": …}}, got {given!r:.80}')
    for key in given:
        if key not in _KEYS:
            raise unknown_option(str(key), known=_KEYS, what=f"key of a variant of {said}")
    if "name" not in given or "input" not in given:
        raise InputError(f'a variant of {said} needs "name" and "input", got {", ".join(map(repr, given))}')
    name = given["name"]
    if not isinstance(name, str) or not name.strip() or "\n" in name:
        raise InputError(f"a variant of {said} needs a name of one line that is not blank, got {name!r}")
    return Variant(name, given["input"])
