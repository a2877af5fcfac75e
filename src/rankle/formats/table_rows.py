"""Tables with named columns, and the judgments, results and ids that they hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.column_names import Role
from rankle.formats.decimal_sign import comma_question
from rankle.formats.json_text import shown
from rankle.formats.kinds import ReadOptions
from rankle.formats.numbers import Numbers, read_grades, read_scores
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
    """Judgments; without a column of grades each row is a relevant target.

    A `score` beside no grade is the grade, as BEIR and ranx name it. Raises BadLinesError with all faults.
    """
    faults: list[Fault] = []
    queries = table.ids(Role.ID, Role.QUERY, faults=faults)
    targets = table.ids(Role.TARGET, faults=faults)
    grades = None
    place = table.roles.get(Role.GRADE, table.roles.get(Role.SCORE))
    if place is not None:
        numbers = read_grades(table.columns[place], gains=options.gains)
        faults += _number_faults(table, numbers)
        grades = numbers.values.astype(np.int64)
    table.check(faults)
    reading = _reading(table, Kind.QRELS)
    return qrels_of(
        [Block(queries, targets, grades, list(table.lines))], reading, conflicts=options.conflicts
    )


def table_run(table: Table, options: ReadOptions) -> Run:
    """Results, by score, else by rank, else best first as they stand.

    Raises BadLinesError with all faults, InputError where the file holds several systems.
    """
    faults: list[Fault] = []
    queries = table.ids(Role.ID, Role.QUERY, faults=faults)
    targets = table.ids(Role.TARGET, faults=faults)
    numbers = None
    role = next((role for role in (Role.SCORE, Role.RANK) if role in table.roles), None)
    if role is not None:
        numbers = read_scores(table.columns[table.roles[role]], what=role.value, decimal=options.decimal)
        if numbers.unclear is not None:
            raise comma_question(table.path, numbers.unclear)
        faults += _number_faults(table, numbers)
    table.check(faults)
    reading = _reading(table, Kind.RUN)
    reading.tag = _system(table)
    scores = None
    if numbers is not None:
        reading.notices += numbers.notices
        scores = -numbers.values if role is Role.RANK else numbers.values
    return run_of([Block(queries, targets, scores, list(table.lines))], reading)


def _system(table: Table) -> str:
    systems = list(dict.fromkeys(table.texts(Role.SYSTEM)))
    if len(systems) > 1:
        some = ", ".join(systems[:5]) + (", …" if len(systems) > 5 else "")
        raise InputError(
            f"{table.path} holds results of {len(systems)} systems ({some}); write each to a file of its own"
        )
    return systems[0] if systems else ""


def _reading(table: Table, kind: Kind) -> Reading:
    if not table.lines:
        raise InputError(f"{table.path} holds no row below its header; expected a {kind.value}")
    return Reading(table.path, kind, notices=table.notices)


def _number_faults(table: Table, numbers: Numbers) -> list[Fault]:
    return [Fault(table.lines[row], table.where(row) + message) for row, message in numbers.faults]
