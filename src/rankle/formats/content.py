"""Reads any file that is of a kind of ours: judgments, results, queries, documents, whichever it holds."""

from dataclasses import dataclass, replace
from pathlib import Path

from rankle.core.errors import InputError
from rankle.core.evalset import EvalSet
from rankle.formats.beir import find_parts, read_documents, read_judgments, read_queries
from rankle.formats.column_names import Role
from rankle.formats.eval_set import eval_set_of
from rankle.formats.identify import Identified, identify
from rankle.formats.kinds import FileKind, Form, ReadOptions
from rankle.formats.table_rows import checked_ids, table_qrels, table_run
from rankle.formats.table_set import listed_qrels, table_records
from rankle.formats.trec import read_qrels as read_trec_qrels
from rankle.formats.trec import read_run as read_trec_run
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """What a file holds."""

    found: Identified
    qrels: Qrels | None = None
    run: Run | None = None
    eval_set: EvalSet | None = None
    queries: tuple[str, ...] | None = None
    """Ids of all queries whose texts the file has."""
    documents: tuple[str, ...] | None = None
    """Ids of the documents that the file has."""
    notices: tuple[str, ...] = ()


def read_content(path: str | Path, options: ReadOptions = ReadOptions()) -> Content:  # noqa: B008 - frozen
    """Everything that a file holds. Raises InputError and BadLinesError as `identify` and the readers do."""
    return content_of(identify(path, options), options)


def content_of(found: Identified, options: ReadOptions) -> Content:
    """Everything that an identified file holds. Raises InputError and BadLinesError as the readers do."""
    if found.form is Form.BEIR:
        return _beir(found, options)
    if found.kind is FileKind.QRELS:
        qrels = _qrels(found, options)
        return Content(found, qrels=qrels, notices=qrels.notices)
    if found.kind is FileKind.RUN:
        run = _run(found, options)
        return Content(found, run=run, notices=run.notices)
    if found.kind is FileKind.SET:
        return _of_set(found, _eval_set(found, options))
    ids = _ids(found)
    table = found.table
    notices = () if table is None else table.notices
    if found.kind is FileKind.QUERIES:
        return Content(found, queries=ids, notices=notices)
    return Content(found, documents=ids, notices=notices)


def _of_set(found: Identified, eval_set: EvalSet) -> Content:
    judged = any(query.labels for query in eval_set.queries)
    unjudged = () if judged else ("no query names a target, so ranking measures have nothing to measure",)
    qrels = judgments_of(eval_set) if judged else None
    return Content(
        found,
        eval_set=eval_set,
        qrels=qrels,
        queries=tuple(query.id for query in eval_set.queries),
        notices=(*(qrels.notices if qrels else eval_set.notices), *unjudged),
    )


def read_qrels(path: str | Path, options: ReadOptions = ReadOptions()) -> Qrels:  # noqa: B008 - frozen
    """The judgments of a file of any form; an eval set's are those of its queries.

    Raises InputError where the file holds none, and as `identify` and the readers do.
    """
    content = read_content(path, replace(options, expected=FileKind.QRELS))
    if content.qrels is None:
        raise InputError(
            f"{path} is {described(content.found)}; expected judgments. To see more: rankle inspect {path}"
        )
    return content.qrels


def judgments_of(eval_set: EvalSet) -> Qrels:
    """The labels of a set's queries as qrels. A target that only `relevantDocs` names has grade 1.

    Passages count for their document, with the highest grade among them: a run names no passages.
    """
    judgments = {query.id: query.grades for query in eval_set.queries}
    n_spans = sum(label.span is not None for query in eval_set.queries for label in query.labels)
    folded = [f"judgments of passages, counted for their documents: {n_spans}"] if n_spans else []
    return replace(Qrels.from_dict(judgments), notices=(*eval_set.notices, *folded))


def described(found: Identified) -> str:
    """What a file is, and why, in words that complete "the file is …"."""
    nouns = {
        FileKind.QRELS: "qrels",
        FileKind.RUN: "a run",
        FileKind.SET: "an eval set",
        FileKind.QUERIES: "queries without judgments",
        FileKind.CORPUS: "documents",
    }
    return f"{nouns[found.kind]} ({found.reason})"


def _qrels(found: Identified, options: ReadOptions) -> Qrels:
    if found.table is not None:
        read = table_qrels if Role.TARGET in found.table.roles else listed_qrels
        return read(found.table, options)
    return read_trec_qrels(
        found.path, hash_lines=options.hash_lines, gains=options.gains, conflicts=options.conflicts
    )


def _run(found: Identified, options: ReadOptions) -> Run:
    if found.table is not None:
        return table_run(found.table, options)
    return read_trec_run(found.path, hash_lines=options.hash_lines, decimal=options.decimal)


def _eval_set(found: Identified, options: ReadOptions) -> EvalSet:
    if found.records is not None and found.table is None:
        place = "item" if found.form is Form.ARRAY else "line"
        return eval_set_of(found.records, options, path=found.path, place=place)
    assert found.table is not None
    raw = table_records(found.table, options)
    return eval_set_of(raw, options, path=found.path, notices=found.table.notices)


def _ids(found: Identified) -> tuple[str, ...]:
    """Ids of queries or documents; of queries without ids, their places as an eval set names them."""
    assert found.table is not None
    table = found.table
    if found.kind is FileKind.CORPUS:
        return tuple(checked_ids(table, Role.TARGET, Role.ID))
    if Role.ID in table.roles:
        return tuple(checked_ids(table, Role.ID))
    table.check(())
    place = "item" if found.form is Form.ARRAY else "line"
    return tuple(f"{place}-{line}" for line in table.lines)


def _beir(found: Identified, options: ReadOptions) -> Content:
    parts = find_parts(found.path, options)
    qrels = read_judgments(parts.qrels, options)
    queries = tuple(read_queries(parts.queries))
    documents = None if parts.corpus is None else tuple(read_documents(parts.corpus))
    return Content(found, qrels=qrels, queries=queries, documents=documents, notices=qrels.notices)
