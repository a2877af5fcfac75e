"""Say what files are, what is wrong with them, and how well their ids join."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import msgspec

from rankle.core.errors import BadLinesError, InputError
from rankle.core.inspection import FaultReport, FileReport, InspectReport, JoinReport, NearJoinReport
from rankle.formats.byte_source import encoding_notices, held
from rankle.formats.column_names import Role, UnknownColumnError
from rankle.formats.content import Content, read_content
from rankle.formats.figures import judgment_figures, judgment_notices, result_figures, result_notices
from rankle.formats.kinds import FileKind, Form, ReadOptions
from rankle.formats.near_join import NearJoin, find_near_join
from rankle.formats.normalise import Normalisation, normalise, normalise_qrels, normalise_run

_EXAMPLES: Final = 5


def inspect(
    paths: Sequence[str | Path],
    options: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
    *,
    kinds: Mapping[str, FileKind] | None = None,
    normalisation: Normalisation = Normalisation(),  # noqa: B008 - frozen
) -> InspectReport:
    """What each file is, and for each two of them how many ids of one stand in the other.

    A file that cannot be read is reported with its faults and takes no part in the joins. A column that is
    named for a role counts in the files that have it, and is a fault where none has.
    options: what the user says of all files. kinds: path as given to the kind that the user names.
    Raises InputError where more than one file is standard input.
    """
    if [str(path) for path in paths].count("-") > 1:
        raise InputError("only one of the files can be -, the standard input")
    looks = [
        _look(path, replace(options, kind=(kinds or {}).get(str(path), options.kind)), normalisation)
        for path in paths
    ]
    met = {role for look in looks for role in options.columns.keys() - look.foreign.keys()}
    looks = [_judged(look, met) for look in looks]
    return InspectReport(
        files=[look.report for look in looks],
        joins=list(_joins([look.ids for look in looks if look.ids is not None])),
    )


@dataclass(frozen=True, slots=True)
class _Look:
    """What one file is, and which of the columns that the user named it does not have."""

    path: str | Path
    report: FileReport
    ids: "_Ids | None" = None
    foreign: Mapping[Role, UnknownColumnError] = field(default_factory=dict)


def _look(path: str | Path, options: ReadOptions, normalisation: Normalisation) -> _Look:
    """Read a file with the columns of the user that it has."""
    foreign: dict[Role, UnknownColumnError] = {}
    while True:
        left = {role: name for role, name in options.columns.items() if role not in foreign}
        try:
            path = held(path)  # which is read again where a column is not there
            content = _normalised(read_content(path, replace(options, columns=left)), normalisation, options)
        except UnknownColumnError as error:
            foreign[error.role] = error
        except BadLinesError as error:
            faults = [FaultReport(line=f.line, message=f.message) for f in error.faults]
            return _Look(path, _unreadable(path, faults), foreign=foreign)
        except InputError as error:
            return _Look(path, _unreadable(path, [_fault(path, error)]), foreign=foreign)
        else:
            return _Look(path, _file_report(path, content), _ids(str(path), content), foreign)


def _judged(look: _Look, met: Collection[Role]) -> _Look:
    """The same with what must be said of columns that the file lacks: a fault where no file has them."""
    nowhere = [error for role, error in look.foreign.items() if role not in met]
    if nowhere:
        return replace(look, report=_unreadable(look.path, [_fault(look.path, e) for e in nowhere]), ids=None)
    notices = [f'has no column "{error.name}", named for {role}' for role, error in look.foreign.items()]
    return replace(
        look, report=msgspec.structs.replace(look.report, notices=[*notices, *look.report.notices])
    )


def _fault(path: str | Path, error: InputError) -> FaultReport:
    return FaultReport(line=None, message=str(error).removeprefix(f"{path}: ").removeprefix(f"{path} "))


def _normalised(content: Content, normalisation: Normalisation, options: ReadOptions) -> Content:
    if not normalisation:
        return content
    queries, documents = content.queries, content.documents
    return replace(
        content,
        qrels=content.qrels and normalise_qrels(content.qrels, normalisation, conflicts=options.conflicts),
        run=content.run and normalise_run(content.run, normalisation),
        queries=None if queries is None else tuple(normalise(queries, normalisation.queries)),
        documents=None if documents is None else tuple(normalise(documents, normalisation.targets)),
    )


def _unreadable(path: str | Path, faults: list[FaultReport]) -> FileReport:
    return FileReport(
        path=str(path), kind=None, format=None, packing=None, reason=None, n_queries=None, n_documents=None,
        judgments=None, results=None, notices=[], faults=faults,
    )  # fmt: skip


def _file_report(path: str | Path, content: Content) -> FileReport:
    judgments = None if content.qrels is None else judgment_figures(content.qrels)
    results = None if content.run is None else result_figures(content.run)
    texts = content.found.form not in (Form.PARQUET, Form.BEIR)
    encoding = encoding_notices(content.found.path) if texts else ()
    notices = [*encoding, *content.notices, *_repeated(content)]
    notices += [] if judgments is None else judgment_notices(judgments)
    notices += [] if results is None else result_notices(results)
    return FileReport(
        path=str(path),
        kind=content.found.kind.value,
        format=content.found.form.value,
        packing=content.found.packing,
        reason=content.found.reason,
        n_queries=None if content.queries is None else len(content.queries),
        n_documents=None if content.documents is None else len(content.documents),
        judgments=judgments,
        results=results,
        notices=list(dict.fromkeys(notices)),
        faults=[],
    )


def _repeated(content: Content) -> Iterator[str]:
    for what, ids in (("queries", content.queries), ("documents", content.documents)):
        n_repeated = 0 if ids is None else len(ids) - len(set(ids))
        if n_repeated:
            yield f"{what} whose id stands in the file already: {n_repeated}"


@dataclass(frozen=True, slots=True)
class _Ids:
    """The ids of a file, by what they are of; each once."""

    path: str
    queries: Collection[str] | None
    judged_queries: Collection[str] | None
    judged: Collection[str] | None
    asked: Collection[str] | None
    retrieved: Collection[str] | None
    documents: Collection[str] | None
    is_folder: bool
    """Whether its texts and judgments are of several files, so that they too may not join."""


_NO_IDS: Final = _Ids("", None, None, None, None, None, None, is_folder=False)


def _ids(path: str, content: Content) -> _Ids:
    qrels, run = content.qrels, content.run
    return _Ids(
        path=path,
        queries=None if content.queries is None else dict.fromkeys(content.queries),
        judged_queries=None if qrels is None else dict.fromkeys(qrels.queries),
        judged=None if qrels is None else dict.fromkeys(qrels.names),
        asked=None if run is None else dict.fromkeys(run.queries),
        retrieved=None if run is None else dict.fromkeys(run.targets),
        documents=None if content.documents is None else dict.fromkeys(content.documents),
        is_folder=content.found.form is Form.BEIR,
    )


def _joins(files: Sequence[_Ids]) -> Iterator[JoinReport]:
    files = _one_corpus(files)
    for one in files:
        for other in files:
            if one is not other or one.is_folder:
                yield from _join(one, other)


def _one_corpus(files: Sequence[_Ids]) -> Sequence[_Ids]:
    """The files with the documents of all as those of one: a corpus often comes in parts."""
    parts = [file for file in files if file.documents is not None]
    if len(parts) < 2:
        return files
    every = dict.fromkeys(name for part in parts for name in part.documents or ())
    whole = replace(_NO_IDS, path=f"the documents of {len(parts)} files", documents=every)
    return [*(replace(file, documents=None) for file in files), whole]


def _join(one: _Ids, other: _Ids) -> Iterator[JoinReport]:
    """What of `one` should stand in `other`."""
    wanted = (
        ("judged queries", "queries", one.judged_queries, other.queries, True),
        ("run queries", "queries", one.asked, other.queries, True),
        ("judged queries", "queries", one.judged_queries, other.asked, True),
        ("run queries", "queries", one.asked, other.judged_queries, True),
        ("judged targets", "targets", one.judged, other.documents, True),
        ("retrieved targets", "targets", one.retrieved, other.documents, True),
        ("judged targets", "targets", one.judged, other.retrieved, False),
    )
    for what, ids, mine, theirs, expected in wanted:
        if mine is not None and theirs is not None:
            yield _one_join(what, ids, mine, theirs, one.path, other.path, expected=expected)


def _one_join(
    what: str,
    ids: str,
    mine: Collection[str],
    theirs: Collection[str],
    path: str,
    within: str,
    *,
    expected: bool,
) -> JoinReport:
    missing = [name for name in mine if name not in theirs]
    near = find_near_join(mine, theirs) if missing else None
    return JoinReport(
        what=what,
        file=path,
        within=within,
        n=len(mine),
        n_joined=len(mine) - len(missing),
        expected=expected,
        missing=missing[:_EXAMPLES],
        near=None if near is None else _near(near, ids),
    )


def _near(near: NearJoin, ids: str) -> NearJoinReport:
    return NearJoinReport(normalise=f"{ids}={','.join(map(str, near.steps))}", n_joined=near.n_joined)
