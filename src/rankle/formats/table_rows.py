"""Tables with named columns, and the judgments, results and ids that they hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import Role
from rankle.formats.decimal_sign import comma_question
from rankle.formats.headless import is_number
from rankle.formats.json_text import shown
from rankle.formats.kinds import Order, ReadOptions
from rankle.formats.numbers import Numbers, read_grades, read_scores
from rankle.formats.one_system import only_system
from rankle.formats.rank_or_score import RANK_NOTICE, Meaning, meaning, rank_question
from rankle.formats.trec import qrels_of, run_of
from rankle.formats.trec_blocks import Block, Reading
from rankle.formats.trec_layout import Kind
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

Cells = Sequence[str] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of one length, whatever file they come from."""

    path: str
    names: tuple[str, ...]
    columns: tuple[Cells, ...]
    """Text, or numbers where the file itself has fractions."""
    lines: Sequence[int]
    """Line or row of each row, from 1; 0 where a file has none, such as within a JSON object."""
    roles: Mapping[Role, int]
    """Place of the column of each role that the table has."""
    notices: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    """Of rows that are not in the columns, such as those of another width."""
    headless: bool = False
    """Whether no header and no user says that a column of scores holds scores."""

    def texts(self, role: Role) -> Sequence[str]:
        """The cells of a role as text; empty texts where the table has no such column."""
        place = self.roles.get(role)
        if place is None:
            return [""] * len(self.lines)
        cells = self.columns[place]
        return [f"{cell:g}" for cell in cells.tolist()] if isinstance(cells, np.ndarray) else cells

    def where(self, row: int) -> str:
        """What names a row in a message, where it has no line."""
        if self.lines[row]:
            return ""
        return f"query {shown(self.texts(Role.ID)[row])}, target {shown(self.texts(Role.TARGET)[row])}: "

    def ids(self, *roles: Role, faults: list[Fault]) -> list[str]:
        """The ids in the column of the first of these roles that the table has, without white space around.

        Empty ids go to `faults`. Raises InputError where the file has fractions for ids.
        """
        role = next(role for role in roles if role in self.roles)
        place = self.roles[role]
        cells = self.columns[place]
        if isinstance(cells, np.ndarray):
            raise InputError(
                f'{self.path}: column "{self.names[place]}" holds fractions, which are no ids: 7.0 may have '
                'been "7" or "07". Write the ids as text'
            )
        stripped = [cell.strip() for cell in cells]
        if not all(stripped):
            empty = f'the {role} is empty, in column "{self.names[place]}"; write it, or drop the row'
            faults += [Fault(self.lines[row], empty) for row, cell in enumerate(stripped) if not cell]
        return stripped

    def check(self, faults: Sequence[Fault]) -> None:
        """Raises BadLinesError where there are faults, these or those that the table came with."""
        every = sorted((*self.faults, *faults), key=lambda fault: fault.line or 0)
        if every:
            raise BadLinesError(path=self.path, faults=every)


def checked_ids(table: Table, *roles: Role) -> list[str]:
    """The ids of a table that is read for them alone. Raises BadLinesError with all faults."""
    faults: list[Fault] = []
    ids = table.ids(*roles, faults=faults)
    table.check(faults)
    return ids


def table_qrels(table: Table, options: ReadOptions) -> Qrels:
    """Judgments; without a column of grades, and without one that could hold them, each row is relevant.

    A `score` beside no grade is the grade, as BEIR and ranx name it. Raises BadLinesError with all faults.
    """
    faults: list[Fault] = []
    queries = table.ids(Role.ID, Role.QUERY, faults=faults)
    targets = table.ids(Role.TARGET, faults=faults)
    grades, notices = None, []
    place = table.roles.get(Role.GRADE, table.roles.get(Role.SCORE))
    if place is None:
        _ask_for_column(table, "it has no column of grades that is known", _GRADE_CHOICES)
    else:
        numbers = read_grades(table.columns[place], gains=options.gains)
        faults += _number_faults(table, numbers)
        grades, notices = numbers.values.astype(np.int64), numbers.notices
    table.check(faults)
    reading = _reading(table, Kind.QRELS)
    reading.notices += notices
    if place is None:
        reading.notices.append(f"no column of grades ({_columns(table)}): each row is a target of grade 1")
    return qrels_of(
        [Block(queries, targets, grades, list(table.lines))], reading, conflicts=options.conflicts
    )


def table_run(table: Table, options: ReadOptions) -> Run:
    """Results, by score, else by rank, else best first as they stand, if no column could hold the order.

    Raises BadLinesError with all faults, InputError where the file holds several systems.
    """
    faults: list[Fault] = []
    queries = table.ids(Role.ID, Role.QUERY, faults=faults)
    targets = table.ids(Role.TARGET, faults=faults)
    numbers = None
    role = _order(table, options)
    if role is not None:
        numbers = read_scores(table.columns[table.roles[role]], what=role.value, decimal=options.decimal)
        if numbers.unclear is not None:
            raise comma_question(table.path, numbers.unclear)
        faults += _number_faults(table, numbers)
    table.check(faults)
    reading = _reading(table, Kind.RUN)
    reading.tag = only_system(
        table.texts(Role.SYSTEM), where=table.path, remedy="write each to a file of its own"
    )
    scores = None
    if role is None:
        reading.notices.append(f"no scores or ranks are read ({_columns(table)}): best first, as the file is")
    if numbers is not None:
        reading.notices += numbers.notices
        ranked = role is Role.RANK or _are_ranks(table, options, reading)
        scores = -numbers.values if ranked else numbers.values
    return run_of([Block(queries, targets, scores, list(table.lines))], reading)


_GRADE_CHOICES: Final = {
    "--column grade=NAME": "they are grades",
    "the file without that column": "each row is a relevant target",
}
_ORDER_CHOICES: Final = {
    "--column score=NAME": "the highest is best",
    "--column rank=NAME": "the lowest is best, as of a distance",
    "--order file": "best first, as the rows stand",
}


def _order(table: Table, options: ReadOptions) -> Role | None:
    """The column that orders results; None where they stand best first.

    Raises InputError where columns of unknown names could, or where the one that is asked for is not there.
    """
    known = [role for role in (Role.SCORE, Role.RANK) if role in table.roles]
    if options.order is Order.FILE:
        return None
    if options.order is not Order.AUTO:
        asked = Role(options.order.value)
        if known == [Role.SCORE] and table.headless:
            return Role.SCORE
        if asked not in known:
            flag = f"--order {asked}"
            raise InputError(
                f"{table.path}: {flag} needs a column of {asked}s; its columns are {', '.join(table.names)}. "
                f"Name it: --column {asked}=NAME"
            )
        return asked
    if not known:
        _ask_for_column(table, "it has no column of scores or ranks that is known", _ORDER_CHOICES)
    return next(iter(known), None)


def _are_ranks(table: Table, options: ReadOptions, reading: Reading) -> bool:
    """Whether the numbers of a table without names are ranks. Raises InputError where nothing tells."""
    if not table.headless or options.order is not Order.AUTO or Role.RANK in table.roles:
        return table.headless and options.order is Order.RANK
    column = f"column {table.roles[Role.SCORE] + 1}" if any(table.lines) else "the JSON object"
    found = meaning(zip(table.texts(Role.ID), table.texts(Role.TARGET), table.texts(Role.SCORE), strict=True))
    if found is Meaning.UNCLEAR:
        raise rank_question(table.path, column)
    if found is Meaning.RANKS:
        reading.notices.append(f"{column} {RANK_NOTICE}")
    return found is Meaning.RANKS


def _ask_for_column(table: Table, what: str, choices: Mapping[str, str]) -> None:
    """Raises InputError where columns without a role hold numbers: one of them may be what is missing."""
    others = [n for n in range(len(table.names)) if n not in table.roles.values()]
    numbers = [table.names[n] for n in others if _tells_apart(table, n)]
    if numbers:
        raise ambiguous(
            table.path, f"{what} ({_columns(table)}), and numbers in {', '.join(numbers)}", choices
        )


def _tells_apart(table: Table, place: int) -> bool:
    """Whether all cells are numbers, some differ, and they are no index of the rows as pandas writes it."""
    cells = table.columns[place]
    if isinstance(cells, np.ndarray):
        return len(np.unique(cells)) > 1
    if len(set(cells)) < 2 or not all(map(is_number, cells)):
        return False
    unnamed = not table.names[place] or table.names[place].startswith("Unnamed")
    return not (unnamed and list(cells) == [str(n) for n in range(len(cells))])


def _columns(table: Table) -> str:
    return f"columns {', '.join(table.names)}"


def _reading(table: Table, kind: Kind) -> Reading:
    if not table.lines:
        raise InputError(f"{table.path} holds no row below its header; expected a {kind.value}")
    return Reading(table.path, kind, notices=table.notices)


def _number_faults(table: Table, numbers: Numbers) -> list[Fault]:
    return [Fault(table.lines[row], table.where(row) + message) for row, message in numbers.faults]
