"""Chooses the evals and cases that are run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError, nearest
from rankle.core.product import NAME
from rankle.harness.evals.keys import eval_key, shown_file
from rankle.harness.evals.rows import NumberedRow
from rankle.harness.evals.suite import Suite
from rankle.harness.evals.variant import Variant

_NAMED: Final = 3
"""Files that are named in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a command leaves in."""

    names: tuple[str, ...] = ()
    """Keys of evals, `path::name` with or without `[variant]`: of their files these alone are run. Names of
    evals too, without a path: then these alone. Empty for all."""
    filter: str | None = None
    """Text in the name of an eval or of its variant; where it is in none, in the ids of cases. Upper and
    lower case are one."""
    tags: tuple[str, ...] = ()
    """Evals with any of them, and of other evals the cases with any of them. Empty for all."""
    case_ids: Mapping[str, frozenset[str]] | None = None
    """Key of an eval to the ids of its cases that are left in; None for all of all."""


ALL: Final = Selection()
_IN_IDS: Final = frozenset("case-0123456789abcdef")


@dataclass(frozen=True, slots=True)
class ChosenEval:
    """An eval, or one of its variants."""

    suite: Suite
    variant: Variant | None

    def key(self, root: Path) -> str:
        return eval_key(self.suite, self.variant, root=root)

    def has_in_name(self, text: str) -> bool:
        names = (self.suite.name, self.variant.name if self.variant else "")
        return any(text.casefold() in name.casefold() for name in names)


@dataclass(frozen=True, slots=True)
class Choice:
    """The evals that may be run, and what is still to be asked of their cases."""

    evals: tuple[ChosenEval, ...]
    case_filter: str | None
    """Text in the ids of cases, where the filter is in the name of no eval."""

    def of_rows(self, rows: Sequence[NumberedRow], one: ChosenEval, *, key: str, by: Selection) -> list[int]:
        """Places of the rows that are chosen, whatever marks they have."""
        ids = None if by.case_ids is None else by.case_ids.get(key, frozenset())
        tags = frozenset() if set(by.tags) & {*one.suite.tags} else frozenset(by.tags)
        text = self.case_filter
        return [
            place
            for place, row in enumerate(rows)
            if (ids is None or row.id in ids)
            and (not tags or tags & {*row.row.tags})
            and (text is None or text.casefold() in row.id)
        ]


def choose(suites: Sequence[Suite], chosen: Selection, *, root: Path) -> Choice:
    """The evals that marks, names and filter leave in, in their order, one for each variant."""
    evals = [
        ChosenEval(suite, variant) for suite in marked_to_run(suites) for variant in suite.variants or (None,)
    ]
    named = [one for one in evals if _is_named(one, chosen.names, root=root)]
    if chosen.case_ids is not None:
        named = [one for one in named if one.key(root) in chosen.case_ids]
    text = chosen.filter
    if text is None:
        return Choice(tuple(named), None)
    matching = [one for one in named if one.has_in_name(text)]
    if matching or not set(text.casefold()) <= _IN_IDS:
        return Choice(tuple(matching), None)
    return Choice(tuple(named), text)


def nothing_chosen(suites: Sequence[Suite], chosen: Selection, *, files: Sequence[str] = ()) -> InputError:
    """Why a selection leaves in no case of any eval, and what there is instead.

    files: those that were loaded and define none.
    """
    run = marked_to_run(suites)
    if not suites:
        how = f'write @{NAME}.eval("Name", data=…, scorers=[…]) above a function of the input'
        few = f"{', '.join(files[:_NAMED])}{', …' if len(files) > _NAMED else ''}"
        return InputError(f"no eval is defined{f' in {few}' if files else ''}; {how}")
    if not run:
        return InputError("every eval is marked to be skipped; take skip=True from one")
    if chosen.case_ids is not None:
        gone = " is in the data any more" if any(chosen.case_ids.values()) else ""
        return InputError(f"no such case of that run{gone}, so there is nothing to run again")
    said = [f'has "{chosen.filter}" in its name or id'] if chosen.filter is not None else []
    said += [f"has the tag {' or '.join(chosen.tags)}"] if chosen.tags else []
    names = [suite.name for suite in run]
    near = nearest(chosen.filter or "", names, limit=1)
    meant = f'did you mean "{near[0]}"? ' if near else ""
    tags = sorted({tag for suite in run for tag in suite.tags})
    tagged = f", with the tags {', '.join(tags)}" if chosen.tags and tags else ""
    there = f"{meant}There is: {', '.join(names)}{tagged}"
    return InputError(f"no eval and no case {' and '.join(said)}; {there}")


def marked_to_run(suites: Sequence[Suite]) -> list[Suite]:
    """Those that are not marked to be skipped, and where any is marked `only`, those."""
    wanted = [suite for suite in suites if not suite.skip]
    return [suite for suite in wanted if suite.only] or wanted


def marked_to_stay_out(suites: Sequence[Suite]) -> tuple[str, ...]:
    """Names of the evals that their marks leave out, in their order."""
    run = set(map(id, marked_to_run(suites)))
    return tuple(suite.name for suite in suites if id(suite) not in run)


def marked_rows(rows: Sequence[NumberedRow]) -> list[int]:
    """Places of the rows that their marks leave in."""
    wanted = [place for place, one in enumerate(rows) if not one.row.skip]
    return [place for place in wanted if rows[place].row.only] or wanted


def _is_named(one: ChosenEval, names: Sequence[str], *, root: Path) -> bool:
    """Whether one of the names is its own, or all are of evals in other files."""
    if not names or {one.suite.name, eval_key(one.suite, root=root), one.key(root)} & {*names}:
        return True
    file = shown_file(one.suite, root=root)
    return file is not None and all("::" in name and not name.startswith(f"{file}::") for name in names)
