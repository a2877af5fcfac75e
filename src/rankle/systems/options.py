"""Options of a system, from a table of the project file or the end of a URI, as one checked value."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

import msgspec

from rankle.core.errors import InputError, UnknownNameError

T = TypeVar("T", bound=msgspec.Struct)
_PLACE: Final = " - at `$."
Count = Annotated[int, msgspec.Meta(ge=1)]
Seconds = Annotated[float, msgspec.Meta(gt=0)]
Wait = Annotated[float, msgspec.Meta(ge=0)]
"""Seconds, or none at all."""


class Common(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said of a system of any kind that is not built in."""

    version: str | None = None
    """What its owner calls its present state; part of the fingerprint."""
    cacheable: bool = False
    """Whether equal options and version mean equal results, which then need not be asked for again."""
    floor: float | None = None
    """The score at or below which a result is taken for nothing found."""
    stages: tuple[str, ...] = ()
    """Names of the stages whose lists its answers hold, in the order in which they run."""


class Reading(Common, frozen=True, kw_only=True):
    """Where an answer has its results, and a result its parts. Each is a JMESPath expression, or a template
    of Jinja where it holds `{{`; None looks at the usual names."""

    results: str | None = None
    """Where the list of results stands in an answer."""
    id: str | None = None
    """The id of a result, at whatever level is asked."""
    document: str | None = None
    """The document of a result, where `id` names a chunk of one."""
    score: str | None = None
    text: str | None = None
    deduplicate: str | None = None
    """Of results that are equal in this, only the best stays."""
    overfetch: Count = 1
    """How many times the depth is asked for, since chunks of one document or duplicates become one result."""


def read_options(table: Mapping[str, object], kind: type[T], *, where: str) -> T:
    """The options of a system. where: what has them, for an error.

    Raises UnknownNameError on an option that does not exist, InputError on a value that cannot be one.
    """
    known = kind.__struct_fields__
    for name in table:
        if name not in known:
            hint = f"There is: {', '.join(sorted(known))}"
            raise UnknownNameError(what=f"option of {where}", name=name, known=known, hint=hint)
    try:
        return msgspec.convert(dict(table), kind, strict=False)
    except msgspec.ValidationError as error:
        words, found, place = str(error).partition(_PLACE)
        option = f'"{place.rstrip("`")}" of ' if found else ""
        raise InputError(f"{option}{where}: {words[:1].lower()}{words[1:]}") from error


def plain(value: Any) -> Any:
    """A value of the project file as JSON has it: times and dates become text."""
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
