"""What an indexing did, in lines for people and members for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any, Final

from rankle.app.index import Indexed
from rankle.app.watch import WatchRound
from rankle.cli.embed_report import embedding_json, embedding_words
from rankle.cli.options import count, per_second, seconds, shown_path
from rankle.kb.indexing import IndexReport
from rankle.reports.layout import WIDTH, one_line, wrapped

_SHOWN: Final = 20
_KINDS: Final = 5
_EMPTY: Final = 3


def index_lines(indexed: Indexed, *, width: int = WIDTH) -> list[str]:
    """The summary; what failed and what was left out is never silent."""
    report = indexed.report
    folded, listed = partial(wrapped, width=width), partial(_listed, width=width)
    made = " (new)" if indexed.is_new else ""
    lines = [f"Workspace: {indexed.workspace}{made}{'  dry run, nothing is kept' if report.dry_run else ''}"]
    lines += folded(_changes(report), first="Documents: ", rest="  ")
    if report.added or report.updated:
        lines += folded(
            f"{report.n_chunks:,} in the added and updated documents", first="Chunks: ", rest="  "
        )
    if report.embedding is not None and report.embedding.n_chunks:
        lines += folded(embedding_words(report.embedding), first="Vectors: ", rest="  ")
    if indexed.plan is not None:
        words = f"at most {count(indexed.plan.n_chunks, 'chunk')} would be embedded with {indexed.plan.model}"
        lines += folded(words, first="Vectors: ", rest="  ")
    lines += folded(_time(indexed), first="Time: ", rest="  ")
    if report.dry_run:
        for doing, names in _by_change(report):
            lines += listed(f"Would be {doing}", names)
    lines += listed(
        f"Failed ({count(len(report.failures), 'file')})",
        [f"{shown_path(failure.path)}: {failure.message}" for failure in report.failures],
    )
    if report.empty:
        lines += folded(_empty(report), first="Without text: ", rest="  ")
    lines += listed("Kept as last read, since the file cannot be read now", report.kept_after_failure)
    lines += listed("Notes", report.notices)
    if report.unknown:
        lines += folded(_unknown(report), first="Not read: ", rest="  ")
    if report.n_ignored:
        lines.append(f"Ignored or hidden: {report.n_ignored:,}")
    if indexed.hint:
        lines += folded(indexed.hint, first="Hint: ", rest="  ")
    return lines


def index_json(indexed: Indexed) -> dict[str, Any]:
    """The members of `rankle.index/1`, in full."""
    report = indexed.report
    return {
        "workspace": indexed.workspace,
        "new_workspace": indexed.is_new,
        "dry_run": report.dry_run,
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "n_chunks": report.n_chunks,
        "failures": [{"path": failure.path, "message": failure.message} for failure in report.failures],
        "empty": report.empty,
        "kept_after_failure": report.kept_after_failure,
        "notices": report.notices,
        "unknown": dict(report.unknown.most_common()),
        "n_ignored": report.n_ignored,
        "vectors": None if report.embedding is None else embedding_json(report.embedding),
        "vectors_planned": None if indexed.plan is None else asdict(indexed.plan),
        "vectors_problem": None if indexed.problem is None else str(indexed.problem),
        "took_s": round(indexed.text_s + indexed.vectors_s, 3),
        "documents_per_s": None if indexed.documents_per_s is None else round(indexed.documents_per_s, 1),
    }


def round_lines(done: WatchRound, *, at: datetime) -> list[str]:
    """One line for a change; none where the change was of no consequence."""
    clock = at.strftime("%H:%M:%S")
    lines = [] if done.report is None else _round_line(done.report, done.took_s)
    if done.error is not None:
        lines.append(f"Error: {one_line(str(done.error))}")
    return [f"{clock}  {line}" for line in lines]


def _round_line(report: IndexReport, took_s: float) -> list[str]:
    parts = [
        f"{doing} {names[0] if len(names) == 1 else count(len(names), 'document')}"
        for doing, names in _by_change(report)
        if names
    ]
    parts += [f"failed {shown_path(failure.path)} ({failure.message})" for failure in report.failures]
    if report.embedding is not None and report.embedding.n_texts:
        parts.append(f"embedded {count(report.embedding.n_texts, 'text')}")
    return [f"{'; '.join(one_line(part) for part in parts)} ({seconds(took_s)})"] if parts else []


def _changes(report: IndexReport) -> str:
    parts = [f"{len(names):,} {doing}" for doing, names in _by_change(report)]
    return ", ".join([*parts, f"{len(report.unchanged):,} unchanged"])


def _by_change(report: IndexReport) -> tuple[tuple[str, list[str]], ...]:
    return (("added", report.added), ("updated", report.updated), ("removed", report.removed))


def _listed(title: str, items: Sequence[str], *, width: int) -> Iterator[str]:
    if items:
        yield f"{title}:"
        for item in items[:_SHOWN]:
            yield from wrapped(one_line(item), first="  ", rest="    ", width=width)
        if len(items) > _SHOWN:
            yield f"  … and {len(items) - _SHOWN:,} more; --json lists all"


def _unknown(report: IndexReport) -> str:
    kinds = [f"{n:,} {one_line(suffix)}" for suffix, n in report.unknown.most_common(_KINDS)]
    more = len(report.unknown) - _KINDS
    others = [f"{more} other kinds"] if more > 0 else []
    return f"{count(report.unknown.total(), 'file')} of unknown kinds ({', '.join([*kinds, *others])})"


def _empty(report: IndexReport) -> str:
    """The first few names; an empty file is nothing to act on."""
    names = [one_line(name) for name in report.empty[:_EMPTY]]
    more = len(report.empty) - _EMPTY
    listed = ", ".join([*names, *([f"{more:,} more"] if more > 0 else [])])
    return f"{count(len(report.empty), 'file')} ({listed})"


def _time(indexed: Indexed) -> str:
    rate = indexed.documents_per_s
    text = seconds(indexed.text_s)
    documents = "" if rate is None else f"{per_second(rate)} documents/s"
    embedding = indexed.report.embedding
    if embedding is None or not embedding.n_chunks:
        return f"{text}, {documents}" if documents else text
    return f"{text} for the text ({documents}), {seconds(indexed.vectors_s)} for the vectors"
