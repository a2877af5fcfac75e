"""What a table with named columns is: judgments, a run, an eval set, queries or documents."""

import numpy as np

from rankle.core.errors import InputError
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import Role, key
from rankle.formats.headless import Hint, hinted, qrels_or_run
from rankle.formats.kinds import FileKind, Hints
from rankle.formats.table_rows import Table


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
        {
            "--as qrels": "each row is a relevant target",
            "--as run": "targets, best first",
            "--column grade=NAME or --column score=NAME": "a column of theirs has another name",
        },
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
