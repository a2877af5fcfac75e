"""Chooses runs of a store: those that a list is to show, and those that a prune may delete."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rankle.core.errors import InputError
from rankle.core.product import NAME
from rankle.records.run_info import RunInfo
from rankle.records.units import units_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs to list; what is None does not matter."""

    name: str | None = None
    """A part of the name that the run was given, in any case."""
    set_name: str | None = None
    """A part of the name of the set, or of the key of the eval, in any case."""
    tag: str | None = None
    since: datetime | None = None
    """Begun at this moment or later; a moment of a zone."""
    until: datetime | None = None
    """Begun before this moment."""

    def fits(self, info: RunInfo) -> bool:
        return (
            _holds(info.name, self.name)
            and (_holds(info.set_name, self.set_name) or _is_of(info, self.set_name))
            and (self.tag is None or self.tag in info.tags)
            and (self.since is None or info.created >= stamp_of(self.since))
            and (self.until is None or info.created < stamp_of(self.until))
        )


def _is_of(info: RunInfo, name: str | None) -> bool:
    return info.eval is not None and _holds(info.eval.key, name)


def prunable(
    runs: Sequence[RunInfo], *, keep: int | None = None, before: datetime | None = None
) -> list[RunInfo]:
    """The runs that a prune may delete, of all runs of a store, newest first.

    keep: the newest so many stay, protected ones among them; evals of one command count as one, and stay or
        go together.
    before: what began at this moment or later stays.
    Runs with a tag, pinned ones and those that are being filled stay in any case. Raises InputError where
    neither is given, or fewer than none are kept.
    """
    if keep is None and before is None:
        raise InputError(
            "say what may go: --keep N (the newest N stay), --older-than AGE, or both. "
            f"Such as: {NAME} history prune --keep 20"
        )
    if keep is not None and keep < 0:
        raise InputError(f"--keep must be at least 0, got {keep}")
    limit = None if before is None else stamp_of(before)
    units = units_of(list(zip(range(len(runs), 0, -1), runs, strict=True)))
    return [
        info
        for unit in units[keep or 0 :]
        if all(_may_go(info, limit) for _, info in unit)
        for _, info in unit[::-1]
    ]


def stamp_of(moment: datetime) -> str:
    """A moment as runs write it; texts of this shape sort as the moments do."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _may_go(info: RunInfo, limit: str | None) -> bool:
    return not info.is_protected and (limit is None or info.created < limit)


def _holds(text: str | None, part: str | None) -> bool:
    return part is None or (text is not None and part.casefold() in text.casefold())
