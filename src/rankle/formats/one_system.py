"""A run is of one system; a table that holds several is refused, wherever it comes from."""

from collections.abc import Iterable

from rankle.core.errors import InputError

_SHOWN = 5


def only_system(names: Iterable[str], *, where: object, remedy: str) -> str:
    """The one name in a column of systems; empty where there is none. Raises InputError on several.

    where: what holds the column, to begin the message with. remedy: what to do about several.
    """
    systems = list(dict.fromkeys(names))
    if len(systems) > 1:
        some = ", ".join(systems[:_SHOWN]) + (", …" if len(systems) > _SHOWN else "")
        raise InputError(f"{where} holds results of {len(systems)} systems ({some}); {remedy}")
    return systems[0] if systems else ""
