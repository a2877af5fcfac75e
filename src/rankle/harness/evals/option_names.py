"""Names of options: what somebody may have meant by one that does not exist."""

from collections.abc import Iterable, Mapping
from typing import Final

from rankle.core.errors import InputError, UnknownNameError

_ELSEWHERE: Final[Mapping[str, str]] = {
    "maxconcurrency": "concurrency",
    "maxworkers": "concurrency",
    "testtimeout": "timeout_s",
    "timeout": "timeout_s",
    "timeoutms": "timeout_s",
    "scorethreshold": "threshold",
    "trialcount": "trials",
    "repeat": "trials",
    "forcereruntriggers": "depends_on",
    "setupfiles": "setup",
    "server": "port",
    "serverport": "port",
    "evaluators": "scorers",
    "scores": "scorers",
    "dataset": "data",
    "cases": "data",
}
"""What Evalite and others call an option, as `key` spells it, to what it is called here."""
_NOTES: Final[Mapping[str, str]] = {
    "testtimeout": ", in seconds and not milliseconds",
    "timeout": ", in seconds",
    "timeoutms": ", in seconds and not milliseconds",
    "scorethreshold": ", in per cent",
    "forcereruntriggers": " of each eval",
}


def unknown_option(name: str, *, known: Iterable[str], what: str, where: str = "") -> InputError:
    """The error for an option that does not exist: what it is called here, or the nearest that exist.

    what: what it would be, such as `option of eval "Search"`. where: begins the message.
    """
    key = name.replace("_", "").replace("-", "").replace(".", "").casefold()
    known = tuple(known)
    ours = _ELSEWHERE.get(key)
    lead = f"{where}: " if where else ""
    if ours is not None and (ours in known or key in _NOTES):
        return InputError(f'{lead}unknown {what} "{name}"; here it is "{ours}"{_NOTES.get(key, "")}')
    error = UnknownNameError(what=what, name=name, known=known, hint=f"There is: {', '.join(known)}")
    return InputError(f"{lead}{error}") if where else error
