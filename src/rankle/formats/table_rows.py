"""Tables with named columns as judgments, results, queries and documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import Role, key
from rankle.formats.decimal_sign import comma_question
from rankle.formats.headless import Hint, hinted, qrels_or_run
from rankle.formats.json_text import shown
from rankle.formats.kinds import FileKind, Hints, ReadOptions
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


def table_kind(table: Table, hints: Hints) -> Hint:
    """What a table with named columns is, and why.

    Raises InputError on a table that is of no kind, or could be of several.
    """
    if hints.kind is None:
        _refuse_foreign(table)
    roles = table.roles
    target = Role.TARGET in roles
    numbered = bool({Role.GRADE, Role.SCORE, Role.RANK} & roles.keys())
    text = Role.QUERY in roles and key(table.names[roles[Role.QUERY]]) == "text"
    if target and text and Role.ID not in roles and not numbered:
        return Hint(FileKind.CORPUS, f"columns {', '.join(table.names)}")
    query = Role.ID in roles or Role.QUERY in roles
    columns = f"columns {', '.join(table.names)}"
    if hints.kind is not None:
        _check(table, hints.kind)
        return Hint(hints.kind, f"named as {hints.kind}")
    if query and target:
        return _judged_or_found(table, hints, columns=columns)
    if query and Role.RELEVANT in roles:
        judged = hints.expected is FileKind.QRELS or Role.QUERY not in roles
        return Hint(FileKind.QRELS if judged else FileKind.SET, columns)
    if Role.QUERY in roles and not ({Role.BODY, Role.TITLE} & roles.keys()):
        return _queries_or_corpus(table, hints, columns=columns)
    if (Role.ID in roles or target) and {Role.BODY, Role.TITLE, Role.QUERY} & roles.keys():
        return Hint(FileKind.CORPUS, columns)
    raise InputError(f"{table.path} is of no kind that is read here; {_missing(table)}")


def _judged_or_found(table: Table, hints: Hints, *, columns: str) -> Hint:
    roles = table.roles
    graded, scored = Role.GRADE in roles, Role.SCORE in roles or Role.RANK in roles
    texts = hints.expected is not FileKind.QRELS and _has_texts(table)
    judged = FileKind.SET if texts else FileKind.QRELS
    if graded and scored:
        hint = hinted(hints, (FileKind.QRELS, FileKind.RUN))
        if hint is not None:
            return Hint(judged if hint.kind is FileKind.QRELS else hint.kind, f"{columns}; {hint.reason}")
        raise ambiguous(
            table.path,
            "it has both grades and scores",
            {"--as qrels": "take the grades", "--as run": "take the scores"},
        )
    if graded:
        return Hint(judged, columns)
    if Role.RANK in roles:
        return Hint(FileKind.RUN, columns)
    if scored:
        return _score_alone(table, hints, columns=columns)
    hint = hinted(hints, (FileKind.QRELS, FileKind.RUN))
    if hint is not None and hint.kind is hints.expected:  # a name alone would be too little
        return Hint(hint.kind, f"{columns}; {hint.reason}")
    raise ambiguous(
        table.path,
        f"it has queries and targets, but no grade, score or rank ({columns})",
        {"--as qrels": "each row is a relevant target", "--as run": "targets, best first"},
    )


def _score_alone(table: Table, hints: Hints, *, columns: str) -> Hint:
    beir = [key(column) for column in table.names] == ["queryid", "corpusid", "score"]
    if beir and hints.expected is not FileKind.RUN:
        return Hint(FileKind.QRELS, f"{columns}, as BEIR names those of judgments")
    cells = table.columns[table.roles[Role.SCORE]]
    words = list(cells) if not isinstance(cells, np.ndarray) else ["0.5"]
    what = f'column "{table.names[table.roles[Role.SCORE]]}"'
    found = qrels_or_run(words, hints, what=what)
    return Hint(found.kind, f"{columns}; {found.reason}")


def _queries_or_corpus(table: Table, hints: Hints, *, columns: str) -> Hint:
    roles = table.roles
    if {Role.ANSWER, Role.TOPICS} & roles.keys():
        return Hint(FileKind.SET, columns)
    if key(table.names[roles[Role.QUERY]]) != "text":
        return Hint(FileKind.QUERIES, columns)
    hint = hinted(hints, (FileKind.QUERIES, FileKind.CORPUS))
    if hint is not None:
        return Hint(hint.kind, f"{columns}; {hint.reason}")
    raise ambiguous(
        table.path,
        f"it has ids and texts ({columns})",
        {"--as queries": "of queries", "--as corpus": "of documents"},
    )


def _has_texts(table: Table) -> bool:
    """Whether the column of queries holds their texts, and not ids under the name `query`."""
    if Role.QUERY not in table.roles:
        return False
    return Role.ID in table.roles or any(" " in text.strip() for text in table.texts(Role.QUERY))


def _check(table: Table, kind: FileKind) -> None:
    """Raises InputError where a table lacks what the kind that the user names needs."""
    has = set(table.roles)
    query = bool(has & {Role.ID, Role.QUERY})
    fits = {
        FileKind.QRELS: (query and Role.TARGET in has) or Role.RELEVANT in has,
        FileKind.RUN: query and Role.TARGET in has,
        FileKind.SET: Role.QUERY in has,
        FileKind.QUERIES: Role.QUERY in has,
        FileKind.CORPUS: bool(has & {Role.ID, Role.TARGET}),
    }[kind]
    if not fits:
        raise InputError(f"{table.path} cannot be read as {kind}; {_missing(table)}")


def _missing(table: Table) -> str:
    needed = [role for role in (Role.ID, Role.TARGET) if role not in table.roles]
    flags = " ".join(f"--column {role}=NAME" for role in needed)
    hint = f" Where they have other names: {flags}" if needed else ""
    return (
        f"its columns are {', '.join(table.names)}. Judgments need a query, a target and a grade, results a "
        f"query, a target and a score or rank, queries and documents an id and a text.{hint}"
    )


def _refuse_foreign(table: Table) -> None:
    names = {key(name) for name in table.names}
    if {"betterchoice", "worsechoice"} <= names:
        raise InputError(
            f"{table.path} holds preferences between two targets, which are not read; judgments need one "
            "grade a target: query,target,grade"
        )
    if "userinput" in names and names & {"retrievedcontexts", "response"}:
        raise InputError(
            f"{table.path} is an evaluation by Ragas, which is not read yet; for its questions alone: "
            "--column query=user_input --as queries"
        )


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
    return Reading(table.path, kind, notices=list(table.notices))


def _number_faults(table: Table, numbers: Numbers) -> list[Fault]:
    return [Fault(table.lines[row], table.where(row) + message) for row, message in numbers.faults]
