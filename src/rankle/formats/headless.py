"""What rows without a header are: qrels, a run, queries, documents, or something that is none of these."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rankle.core.errors import InputError
from rankle.core.product import NAME
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import Role
from rankle.formats.json_text import shown
from rankle.formats.kinds import FileKind, Hints

_INTEGER: Final = re.compile(r"[+-]?[0-9]+(\.0*)?")
_NUMBER: Final = re.compile(
    r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)(e[+-]?[0-9]+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE
)
_SENTENCE_END: Final = re.compile(r".*[.。!?？！:：,，;；]")
_LETTERS: Final = re.compile(r".*[a-z].*", re.IGNORECASE)
_LEVEL: Final = re.compile(r"L[0-9]+")
_HIGHEST_GRADE: Final = 5
"""Whole numbers up to this, and none above, are taken as grades where nothing else tells."""
_EVAL_NAMES: Final = re.compile(
    r"Z?(runid|num_(q|ret|rel|rel_ret|nonrel_judged_ret)|(gm_)?map(_\w+)?|Rprec\w*|bpref|recip_rank|"
    r"(P|recall|ndcg|ndcg_cut|map_cut|iprec_at_recall|success|relative_P|set_\w+|prefs_\w+|utility)_?\S*)"
)
_MEASURE: Final = re.compile(r"[A-Za-z][\w@,+-]*=")
_NAME_HINTS: Final = {
    FileKind.QRELS: re.compile(r"qrel|judg|rating|gold|truth|relevance|(^|[^a-z])rel([^a-z]|$)"),
    FileKind.RUN: re.compile(r"(^|[^a-z])runs?([^a-z]|$)|result|ranking"),
    FileKind.QUERIES: re.compile(r"quer(y|ies)|topic|question"),
    FileKind.CORPUS: re.compile(r"corpus|(^|[^a-z])docs?([^a-z]|$)|documents?|collection|passages?"),
}


@dataclass(frozen=True, slots=True)
class Guess:
    """What rows are, why, and where their columns stand."""

    kind: FileKind
    reason: str
    columns: dict[Role, int]


class Hint(NamedTuple):
    """A kind that something beside the content tells."""

    kind: FileKind
    reason: str


def hinted(hints: Hints, among: Sequence[FileKind]) -> Hint | None:
    """The one kind of these that is asked for, or that the file's name tells; None where neither does."""
    if hints.expected is not None and hints.expected in among:
        return Hint(hints.expected, f"taken as {hints.expected}, as asked")
    found = [kind for kind in among if _NAME_HINTS[kind].search(hints.name.casefold())]
    return Hint(found[0], f"its name says {found[0]}") if len(found) == 1 else None


def whole_grades(values: Sequence[str]) -> bool:
    """Whether all values are whole and none is above 5: grades rather than scores."""
    return all(_INTEGER.fullmatch(value) and float(value) <= _HIGHEST_GRADE for value in values)


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def qrels_or_run(values: Sequence[str], hints: Hints, *, what: str) -> Hint:
    """Whether values beside queries and targets are grades or scores. Raises InputError where nothing tells.

    what: where the values stand, for the messages.
    """
    hint = hinted(hints, (FileKind.QRELS, FileKind.RUN))
    if hint is not None:
        return hint
    if not all(_INTEGER.fullmatch(value.strip()) for value in values):
        return Hint(FileKind.RUN, f"{what} holds fractions, which are scores")
    if whole_grades(values):
        return Hint(FileKind.QRELS, f"{what} holds whole numbers up to {_HIGHEST_GRADE}, which are grades")
    raise ambiguous(
        hints.path,
        f"{what} holds whole numbers, which could be grades or scores",
        {"--as qrels": "they are grades", "--as run": "they are scores"},
    )


class _UnknownKindError(Exception):
    """Rows that are of no kind of ours."""


def guess(rows: Sequence[Sequence[str]], hints: Hints) -> Guess:
    """What the first rows of a file are.

    rows: cells of the first data lines; most have one width.
    Raises InputError on what is not of a kind that is read, with what it seems to be, and on what could
    be several, with the flag that tells.
    """
    widths = [len(row) for row in rows]
    width = max(set(widths), key=lambda n: (widths.count(n), n))
    usual = [row for row in rows if len(row) >= width]
    refuse_foreign(usual, path=hints.path)
    try:
        if width >= 5:
            return _wide(usual, hints)
        if width >= 2:
            return {4: _four, 3: _three, 2: _two}[width](usual, hints)
    except _UnknownKindError:
        pass
    raise not_known(hints.path, " ".join(rows[0]))


def not_known(path: object, first: str) -> InputError:
    return InputError(
        f"{path} is of no kind that is read here; its first line is {shown(first)}. Read are qrels, runs, "
        "eval sets, question sets, queries and documents, as TREC text, CSV, TSV, JSONL, JSON, Parquet and "
        f"BEIR folders. To search texts: {NAME} index"
    )


def refuse_foreign(rows: Sequence[Sequence[str]], *, path: object) -> None:
    """Raises InputError on the files of other tools that look like columns of ours and are not."""
    first = " ".join(rows[0])
    rows = [[cell.strip() for cell in row] for row in rows]
    if first.startswith("<"):
        raise InputError(
            f"{path} holds TREC topics or other markup, which is not read yet; write the queries as JSONL: "
            '{"id": "301", "query": "…"}'
        )
    if _is_measured(rows):
        raise InputError(
            f"{path} is the output of an evaluation, such as that of trec_eval: measured scores, neither "
            "judgments nor results"
        )
    if all(len(row) == 4 and _EVAL_NAMES.fullmatch(row[1]) for row in rows[:5]):
        raise InputError(
            f"{path} holds means and deviations of measures (trec_eval -Z), neither judgments nor results"
        )
    if all(len(row) == 2 and _LEVEL.fullmatch(row[1]) for row in rows):
        raise InputError(
            f'{path} holds NTCIR judgments of one query, without its id (first line "{first}"); write '
            "QUERY 0 TARGET GRADE, with 3 for L3"
        )


def _is_measured(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are scores by the names of measures: `map all 0.2`, or `RR= 0.5`."""
    named = {row[0] for row in rows if _EVAL_NAMES.fullmatch(row[0]) and len(row) == 3}
    equal = {row[0] for row in rows if _MEASURE.fullmatch(row[0])}
    trec_eval = len(named) > 1 and all(_EVAL_NAMES.fullmatch(row[0]) for row in rows[:5])
    return trec_eval or (len(equal) > 4 and sum(row[0] in equal for row in rows) * 2 > len(rows))


def _wide(rows: Sequence[Sequence[str]], hints: Hints) -> Guess:
    first, path = shown(" ".join(rows[0])), hints.path
    if len(rows[0]) == 5:
        five = _five(rows, hints)
        if five is not None:
            return five
    if len(rows[0]) == 5 and all(row[0] == "Q0" for row in rows) and _mostly(rows, 2, _INTEGER):
        raise InputError(
            f"{path}: the query id is missing: lines begin with Q0, such as {first}; write "
            "QUERY Q0 TARGET RANK SCORE TAG"
        )
    if len(rows[0]) == 5 and not _mostly(rows, 3, _NUMBER) and _mostly(rows, 4, _NUMBER):
        raise InputError(
            f"{path} holds judgments in preference groups (trec_eval -R prefs), which is not read; the "
            "measures here need one grade a target: QUERY 0 TARGET GRADE"
        )
    sure = all(row[1].upper() == "Q0" for row in rows)
    sure = sure or (hints.expected is FileKind.RUN and len(rows[0]) == 6 and _mostly(rows, 3, _INTEGER))
    if not sure and (not _mostly(rows, 3, _INTEGER) or not _mostly(rows, 4, _NUMBER)):
        if _mostly(rows, 2, _INTEGER) and _mostly(rows, 3, _NUMBER):
            columns = {Role.ID: 0, Role.TARGET: 1, Role.RANK: 2, Role.SCORE: 3}
            return Guess(FileKind.RUN, "five columns: query, target, rank, score, tag", columns)
        raise _UnknownKindError
    columns = {Role.ID: 0, Role.TARGET: 2, Role.RANK: 3, Role.SCORE: 4}
    return Guess(FileKind.RUN, "columns of a TREC run: query, Q0, target, rank, score, tag", columns)


def _five(rows: Sequence[Sequence[str]], hints: Hints) -> Guess | None:
    """TREC's columns with one too many or too few; None where they are not that.

    Raises InputError with what is missing, unless the user names the columns.
    """
    base = {Role.ID: 0, Role.TARGET: 2}
    iteration = {row[1].upper() for row in rows}
    if not iteration <= {"0", "Q0"} or not _mostly(rows, 3, _NUMBER) or _mostly(rows, 4, _NUMBER):
        return None
    if Role.GRADE in hints.said:
        return Guess(FileKind.QRELS, "the columns that are named", base)
    if {Role.SCORE, Role.RANK} & hints.said:
        return Guess(FileKind.RUN, "the columns that are named", base)
    first = shown(" ".join(rows[0]))
    if iteration == {"0"}:
        raise ambiguous(
            hints.path,
            f"it has five columns, such as {first}, where judgments have four, QUERY 0 TARGET GRADE",
            {"--column grade=4": "the fifth is passed over", "the file without one of them": "if not"},
        )
    raise ambiguous(
        hints.path,
        f"it has five columns, such as {first}: the score or the rank is missing, where a run has "
        "QUERY Q0 TARGET RANK SCORE TAG",
        {"--column rank=4": "the fourth column is the rank", "--column score=4": "it is the score"},
    )


def _four(rows: Sequence[Sequence[str]], hints: Hints) -> Guess:
    graded = {Role.ID: 0, Role.TARGET: 2, Role.GRADE: 3}
    ranked = {Role.ID: 0, Role.TARGET: 1, Role.RANK: 2, Role.SCORE: 3}
    scored = {Role.ID: 0, Role.TARGET: 2, Role.SCORE: 3}
    iteration = {row[1].upper() for row in rows}
    q0 = iteration == {"Q0"}
    if hints.kind is FileKind.QRELS:
        return Guess(hints.kind, "named as qrels", graded)
    if hints.kind is FileKind.RUN:
        return Guess(hints.kind, "named as a run", scored if q0 else ranked)
    if not _mostly(rows, 3, _NUMBER):
        if q0 and hints.expected is FileKind.RUN:
            return Guess(hints.expected, "columns query, Q0, target, score", scored)
        if iteration <= {"0", "00"} or (_mostly(rows, 3, _LETTERS) and iteration <= {"0", "Q0"}):
            return Guess(FileKind.QRELS, "columns of TREC qrels: query, 0, target, grade", graded)
        raise _UnknownKindError
    if q0:
        found = qrels_or_run([row[3] for row in rows], hints, what="the last column")
        return Guess(found.kind, found.reason, graded if found.kind is FileKind.QRELS else scored)
    if len(iteration) > 1 and _integers(rows, 2) and not _texts(rows, 1):
        return Guess(FileKind.RUN, "four columns: query, target, rank, score", ranked)
    if _texts(rows, 1) and hints.expected is not FileKind.QRELS:
        reason = "four columns: query id, its text, target, grade"
        return Guess(FileKind.SET, reason, {**graded, Role.QUERY: 1})
    return Guess(FileKind.QRELS, "columns of TREC qrels: query, 0, target, grade", graded)


def _three(rows: Sequence[Sequence[str]], hints: Hints) -> Guess:
    base = {Role.ID: 0, Role.TARGET: 1}
    if hints.kind is FileKind.QRELS:
        return Guess(hints.kind, "named as qrels", {**base, Role.GRADE: 2})
    if hints.kind is FileKind.RUN:
        return Guess(hints.kind, "named as a run", {**base, Role.SCORE: 2})
    if not _mostly(rows, 2, _NUMBER):
        if hints.expected in (FileKind.QRELS, FileKind.RUN) and _may_be_judged(rows):
            value = Role.GRADE if hints.expected is FileKind.QRELS else Role.SCORE
            return Guess(
                hints.expected, f"three columns, taken as {hints.expected}, as asked", {**base, value: 2}
            )
        raise _UnknownKindError
    found = qrels_or_run([row[2] for row in rows], hints, what="the third column")
    value = Role.GRADE if found.kind is FileKind.QRELS else Role.SCORE
    return Guess(found.kind, found.reason, {**base, value: 2})


def _two(rows: Sequence[Sequence[str]], hints: Hints) -> Guess:
    texts = _texts(rows, 1)
    distinct = len({row[0] for row in rows}) == len(rows)
    if _mostly(rows, 1, _SENTENCE_END) and not texts:
        raise _UnknownKindError
    kinds = [FileKind.QUERIES, FileKind.CORPUS] if distinct else []
    kinds += [] if texts else [FileKind.QRELS, FileKind.RUN]
    columns = {
        FileKind.QUERIES: {Role.ID: 0, Role.QUERY: 1},
        FileKind.CORPUS: {Role.ID: 0, Role.BODY: 1},
    }
    pair = {Role.ID: 0, Role.TARGET: 1}
    found = Hint(hints.kind, f"named as {hints.kind}") if hints.kind else hinted(hints, kinds)
    if found is not None:
        return Guess(found.kind, f"two columns; {found.reason}", columns.get(found.kind, pair))
    if not kinds:
        raise _UnknownKindError
    meanings = {
        FileKind.QRELS: "each line is a relevant target",
        FileKind.RUN: "targets, best first",
        FileKind.QUERIES: "ids and texts of queries",
        FileKind.CORPUS: "ids and texts of documents",
    }
    choices = {f"--as {kind}": meanings[kind] for kind in kinds}
    raise ambiguous(hints.path, "it has two columns and no header", choices)


def _may_be_judged(rows: Sequence[Sequence[str]]) -> bool:
    """Whether three columns are rather ids beside a faulty number than prose, by the digits in them."""
    cells = [cell for row in rows for cell in row]
    return all(len(row) == 3 for row in rows) and any(sign.isdigit() for cell in cells for sign in cell)


def _mostly(rows: Sequence[Sequence[str]], column: int, pattern: re.Pattern[str]) -> bool:
    return sum(pattern.fullmatch(row[column].strip()) is not None for row in rows) * 2 > len(rows)


def _integers(rows: Sequence[Sequence[str]], column: int) -> bool:
    return all(_INTEGER.fullmatch(row[column].strip()) for row in rows)


def _texts(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column holds words with spaces between them, as texts do and ids seldom."""
    return sum(" " in row[column].strip() for row in rows) * 2 > len(rows)
