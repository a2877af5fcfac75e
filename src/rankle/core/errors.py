"""The errors that a user can meet.

    RankleError                 every error of ours; exit code 2 unless a subclass says otherwise
    ├── InputError              the input is wrong: a flag, a name, a value
    │   ├── UnknownNameError    a name that does not exist; suggests the nearest
    │   ├── BadLinesError       a file with faults; carries all of them, by line
    │   └── MeasureError        a measure that cannot be parsed or computed as asked
    ├── WorkspaceError          a workspace that is missing, locked, damaged or newer than this version
    ├── RecordError             a store of records that is missing, locked, damaged or newer than this version
    ├── UnreadableDocumentError a document that cannot be read; listed and counted, never fatal alone
    │   └── EmptyDocumentError  a document that holds no text; counted apart, no failure
    ├── ModelError              a model that cannot be loaded, or gave what is no answer
    ├── SystemFailureError      the measured system failed on a query
    ├── CannotMeasureError      nothing wrong with the words, but no figure can be given
    └── MissingExtraError       an optional package is not installed

Every message says where, what, what it got, what is allowed and the next step.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rankle.core.product import NAME


class RankleError(Exception):
    """Base of every error that is meant for a user. `str()` of it is ready to print."""

    exit_code = 2


class InputError(RankleError):
    """A flag, a name, a value or a file's content is not what is allowed."""


class UnknownNameError(InputError):
    """A name that does not exist, with the nearest ones that do."""

    def __init__(self, *, what: str, name: str, known: Iterable[str], hint: str = "") -> None:
        self.name = name
        self.nearest = nearest(name, known)
        message = f'unknown {what} "{name}"'
        if self.nearest:
            message += f"; did you mean {_either(self.nearest)}?"
        if hint:
            message += f" {hint}" if self.nearest else f". {hint}"
        super().__init__(message)


class Fault(NamedTuple):
    """One thing that is wrong in a file."""

    line: int | None
    """Line in the file, from 1; None when the fault is of the whole file."""
    message: str


class BadLinesError(InputError):
    """A file with faults. Carries every fault, so that one run reports them all."""

    shown = 20

    def __init__(self, *, path: str, faults: Sequence[Fault]) -> None:
        self.path = path
        self.faults = tuple(faults)
        lines = [
            f"{path}:{fault.line}: {fault.message}" if fault.line else f"{path}: {fault.message}"
            for fault in self.faults[: self.shown]
        ]
        if len(self.faults) > self.shown:
            lines.append(f"… and {len(self.faults) - self.shown} more faults in {path}")
        super().__init__("\n".join(lines))


class MeasureError(InputError):
    """A measure that cannot be parsed, or not be computed at this depth or on these labels."""


class WorkspaceError(RankleError):
    """A workspace that is missing, locked, damaged or newer than this version."""


class RecordError(RankleError):
    """A store of records that is missing, locked, damaged, newer than this version, or cannot be written."""


class UnreadableDocumentError(RankleError):
    """A document that cannot be read as what it claims to be."""


class EmptyDocumentError(UnreadableDocumentError):
    """A document that can be read and holds no text: nothing to search, and nothing to mend."""


class ModelError(RankleError):
    """A model that is missing, damaged or unreachable, or whose answer cannot be used."""


class SystemFailureError(RankleError):
    """The measured system failed on a query; never to be mixed with a bad answer."""


class CannotMeasureError(RankleError):
    """The input is well formed, yet no figure can be given: nothing joins, or too much failed."""


class MissingExtraError(RankleError):
    """An optional package is not installed."""

    def __init__(self, *, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package. Install it with: pip install '{NAME}[{extra}]'")


def nearest(name: str, known: Iterable[str], *, limit: int = 3, cutoff: float = 60.0) -> tuple[str, ...]:
    """The known names that look most like `name`, best first; empty where none comes near.

    cutoff: similarity in 0 to 100 (normalised indel similarity) below which a name is not suggested.
    """
    candidates = sorted(other for other in set(known) if _may_be_near(name, other, cutoff=cutoff))
    if not candidates:
        return ()
    from rapidfuzz import fuzz, process  # costs 20 ms

    found = process.extract(
        name.casefold(),
        candidates,
        scorer=fuzz.ratio,
        processor=str.casefold,
        limit=limit,
        score_cutoff=cutoff,
    )
    return tuple(match for match, _score, _index in found)


def _may_be_near(name: str, other: str, *, cutoff: float) -> bool:
    """False only where the letters of both, in whatever order, are too different for this similarity."""
    ours, theirs = name.casefold(), other.casefold()
    shared = (Counter(ours) & Counter(theirs)).total()
    return 200 * shared >= (cutoff - 1e-6) * (len(ours) + len(theirs))


def _either(names: Sequence[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
