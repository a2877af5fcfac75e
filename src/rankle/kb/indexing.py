"""Indexing: files of the named roots into the workspace, changes only, in one transaction."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rankle.core.errors import CannotMeasureError, EmptyDocumentError, UnreadableDocumentError
from rankle.core.ids import content_hash
from rankle.kb.files import FoundFile, relative_name
from rankle.kb.index_request import IndexRequest
from rankle.kb.planning import PlannedRoot, plan_roots
from rankle.kb.restemming import follow_languages
from rankle.kb.stemming import workspace_languages
from rankle.kb.store.database import Database
from rankle.kb.store.documents import (
    KnownDocument,
    PreparedDocument,
    delete_document,
    insert_document,
    known_documents,
)
from rankle.kb.store.holdings import languages
from rankle.kb.store.roots import Failure, list_roots, replace_failures, save_root
from rankle.kb.vectors.embedding import EmbedReport

_SHOWN: Final = 10
_NEW_ROOT: Final = -1


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far an indexing is."""

    n_done: int
    n_total: int
    name: str
    """The document that is next."""


@dataclass(slots=True)
class IndexReport:
    """What an indexing did, or would do where it was a dry run. Document ids, in order."""

    dry_run: bool
    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    """Files without text, which are no documents and no failures."""
    kept_after_failure: list[str] = field(default_factory=list)
    """Documents whose file cannot be read any more: their last good state stays."""
    notices: list[str] = field(default_factory=list)
    n_chunks: int = 0
    """Chunks of the added and updated documents."""
    n_ignored: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    """Files of no known kind, by suffix."""
    embedding: EmbedReport | None = None
    """None where no vectors were wanted."""

    @property
    def n_read(self) -> int:
        """Files that are documents now: all but the failures and the empty ones."""
        return len(self.added) + len(self.updated) + len(self.unchanged)


def index_paths(
    database: Database,
    request: IndexRequest,
    *,
    now: str,
    progress: Callable[[IndexProgress], None] | None = None,
    waiting: Callable[[], None] | None = None,
) -> IndexReport:
    """Brings the workspace in line with the files. All of it is kept, or nothing.

    waiting: called once where another process writes to the workspace, so that this one has to wait.
    Raises InputError for roots that are missing, empty, overlapping or colliding, CannotMeasureError where
    every file failed or is empty.
    """
    report = IndexReport(dry_run=request.dry_run)
    # The plan is made where it is carried out: another process may have indexed while this one waited.
    with _opened(database, request, waiting) as connection:
        roots = plan_roots(request, connection)
        _Work(connection, request, report, now, progress).run(roots)
        if (report.failures or report.empty) and not report.n_read:
            raise CannotMeasureError(_nothing_read(report))
    return report


def _opened(
    database: Database, request: IndexRequest, waiting: Callable[[], None] | None
) -> AbstractContextManager[sqlite3.Connection]:
    if request.dry_run:
        return database.reading()
    return database.writing(wait_s=request.wait_s, waiting=waiting)


@dataclass(slots=True)
class _Work:
    connection: sqlite3.Connection
    request: IndexRequest
    report: IndexReport
    now: str
    progress: Callable[[IndexProgress], None] | None
    n_done: int = 0
    n_total: int = 0
    languages: tuple[str, ...] = ()
    """Of the workspace, as far as they are known while it runs."""

    def run(self, roots: Sequence[PlannedRoot]) -> None:
        self.languages = workspace_languages(languages(self.connection))
        self.n_total = sum(len(root.listing.files) for root in roots)
        known = known_documents(self.connection)
        for root in roots:
            self._index_root(root, known)
        if not self.request.dry_run:
            follow_languages(self.connection)

    def _index_root(self, root: PlannedRoot, known: dict[str, KnownDocument]) -> None:
        report, connection = self.report, self.connection
        root_id = self._save_root(root)
        n_before = len(report.failures)
        for folder, reason in root.listing.unreadable:
            report.failures.append(Failure(_printable(folder), f"the folder cannot be listed: {reason}"))
        present = set()
        for found in root.listing.files:
            name = root.document_name(found)
            present.add(name)
            self._tell(name)
            self._index_file(found, name, root=root, root_id=root_id, old=known.get(name))
        for old in known.values():
            if old.root == root_id and old.name not in present and not self._is_hidden(old, root):
                report.removed.append(old.name)
                if not self.request.dry_run:
                    delete_document(connection, old.id)
        report.n_ignored += root.listing.n_ignored
        report.unknown += root.listing.unknown
        if not self.request.dry_run:
            replace_failures(connection, root_id, report.failures[n_before:])

    def _is_hidden(self, old: KnownDocument, root: PlannedRoot) -> bool:
        """Whether the document lies in a folder that cannot be listed now, so that it may still exist."""
        for folder, _reason in root.listing.unreadable:
            below = relative_name(folder, root.path) if folder != root.path else ""
            prefix = "/".join(part for part in (root.name or "", below) if part)
            if old.name.startswith(f"{prefix}/" if prefix else ""):
                self.report.kept_after_failure.append(old.name)
                return True
        return False

    def _save_root(self, root: PlannedRoot) -> int:
        if self.request.dry_run:
            ids = {known.path: known.id for known in list_roots(self.connection)}
            return ids.get(root.path, _NEW_ROOT)
        return save_root(
            self.connection,
            path=root.path,
            name=root.name,
            collection=root.collection,
            chunker=root.preparation.chunker.spec,
            now=self.now,
        )

    def _index_file(
        self, found: FoundFile, name: str, *, root: PlannedRoot, root_id: int, old: KnownDocument | None
    ) -> None:
        report = self.report
        try:
            _check_name(name)
            data = self._read(found.path)
            if old is not None and self._is_same(old, data, root=root, root_id=root_id):
                report.unchanged.append(name)
                return
            prepared = root.preparation.prepare(
                data, name=name, path=str(found.path), collection=root.collection, workspace=self.languages
            )
        except EmptyDocumentError:
            self._leave_empty(name, old)
            return
        except UnreadableDocumentError as error:
            message = str(error).removeprefix(f"{name}: ")
            report.failures.append(Failure(_printable(found.path), message))
            if old is not None:
                report.kept_after_failure.append(name)
            return
        (report.added if old is None else report.updated).append(name)
        report.n_chunks += len(prepared.chunks)
        report.notices += [f"{name}: {notice}" for notice in prepared.notices]
        if not self.request.dry_run:
            self._store(prepared, old, root_id)

    def _leave_empty(self, name: str, old: KnownDocument | None) -> None:
        self.report.empty.append(name)
        if old is not None:
            self.report.removed.append(name)
            if not self.request.dry_run:
                delete_document(self.connection, old.id)

    def _store(self, prepared: PreparedDocument, old: KnownDocument | None, root_id: int) -> None:
        if old is not None:
            delete_document(self.connection, old.id)
        insert_document(self.connection, prepared, root=root_id, now=self.now)

    def _is_same(self, old: KnownDocument, data: bytes, *, root: PlannedRoot, root_id: int) -> bool:
        return (
            old.root == root_id
            and old.collection == root.collection
            and old.pipeline == root.preparation.pipeline
            and old.content_hash == content_hash(data)
        )

    def _read(self, path: Path) -> bytes:
        limit = self.request.max_mb * 1_000_000
        try:
            if path.stat().st_size > limit:
                size = path.stat().st_size / 1e6
                raise UnreadableDocumentError(
                    f"{size:.0f} MB, more than the {self.request.max_mb} MB allowed. "
                    "Raise --max-mb, or name it in .rankleignore"
                )
            return path.read_bytes()
        except OSError as error:
            raise UnreadableDocumentError(f"cannot be read: {error.strerror or error}") from error

    def _tell(self, name: str) -> None:
        if self.progress is not None:
            self.progress(IndexProgress(self.n_done, self.n_total, name))
        self.n_done += 1


def _check_name(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise UnreadableDocumentError("the file's name is not UTF-8. Rename it") from error


def _printable(path: Path) -> str:
    return str(path).encode(errors="backslashreplace").decode()


def _nothing_read(report: IndexReport) -> str:
    return "\n".join(_nothing_read_lines(report))


def _nothing_read_lines(report: IndexReport) -> Iterator[str]:
    n_files, n_empty = len(report.failures) + len(report.empty), len(report.empty)
    if not report.failures:
        what = "the file holds no text" if n_empty == 1 else f"none of {n_files} files holds text"
        yield f"{what}, so there is nothing to index; the workspace is as it was:"
        yield from _first_lines([f"  {name}" for name in report.empty])
        return
    also = f" ({n_empty} hold no text)" if n_empty else ""
    yield f"none of {n_files} files could be read{also}; the workspace is as it was:"
    yield from _first_lines([f"  {failure.path}: {failure.message}" for failure in report.failures])


def _first_lines(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"  … and {len(lines) - _SHOWN} more"
