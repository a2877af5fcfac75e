"""Workspaces, in lines for people and members for programs."""

from collections.abc import Sequence
from typing import Any, Final

from rich.cells import cell_len

from rankle.app.wiring.settings import Settings
from rankle.app.workspaces import Deletion, ListedWorkspace
from rankle.cli.options import count, size
from rankle.core.product import NAME
from rankle.kb.floors import Floor
from rankle.kb.vectors.index import VectorState
from rankle.kb.workspace_info import WorkspaceInfo
from rankle.reports.layout import one_line, pad, wrapped
from rankle.reports.shortening import shortened

_MODEL: Final = 14
"""Cells of a model's name in the list."""
_FIGURES: Final = 2 + 2 + 9 + 9 + 10 + 10 + 2 + _MODEL
"""Cells of a row beside the name."""
_DECIDED: Final = {
    "-w": "the option -w",
    "RANKLE_WORKSPACE": "the variable RANKLE_WORKSPACE",
    "project file": "the project file",
    "workspace use": "`workspace use`",
    "default": "the default",
}


def decided_by(settings: Settings) -> str:
    """What made the workspace the current one."""
    return _DECIDED[settings.workspace_from]


def list_lines(found: Sequence[ListedWorkspace], settings: Settings, *, width: int) -> list[str]:
    """A table, and a line that says what decided the current one."""
    lines = []
    if found:
        names = max(9, *(cell_len(each.name) for each in found))
        names = min(names, max(12, width - _FIGURES))
        lines.append(f"  {pad('Workspace', names)}  Documents   Chunks  Embedded      Size  Model")
        for each in found:
            lines += _row(each, names)
        lines.append("")
    missing = "" if any(each.is_current for each in found) else f", not made yet: {NAME} index PATH"
    return [
        *lines,
        *wrapped(f"Current: {settings.workspace}, by {decided_by(settings)}{missing}"),
        f"Home: {settings.home}",
    ]


def list_json(found: Sequence[ListedWorkspace], settings: Settings) -> dict[str, Any]:
    """The members of `rankle.workspaces/1`."""
    return {
        "home": str(settings.home),
        "current": settings.workspace,
        "current_from": settings.workspace_from,
        "workspaces": [
            {
                "name": each.name,
                "current": each.is_current,
                "problem": each.problem,
                **({} if each.info is None else _figures(each.info)),
            }
            for each in found
        ],
    }


def info_lines(info: WorkspaceInfo) -> list[str]:
    rows = [
        ("Workspace", info.name),
        ("Folder", str(info.folder)),
        ("Documents", f"{info.n_documents:,}"),
        ("Chunks", f"{info.n_chunks:,}"),
        ("Vectors", _vectors(info)),
        ("Collections", _counts(info.collections)),
        ("Languages", _counts(info.languages)),
        ("Failures", f"{info.n_failures:,}; see {NAME} docs list --failed" if info.n_failures else "0"),
        ("Searches", _searches(info)),
        *((("Floors" if not place else "", floor_words(one, info)) for place, one in enumerate(info.floors))),
        ("Ratings", "cannot be read" if info.n_ratings is None else f"{info.n_ratings:,}"),
        ("Size", size(info.n_bytes)),
    ]
    lines = [
        line
        for name, value in rows
        for line in wrapped(one_line(value), first=f"{name + ':' if name else '':<14}", rest=" " * 14)
    ]
    lines.append(f"{'Roots:':<14}{'' if info.roots else '—'}".rstrip())
    for root in info.roots:
        prefix = f" as {one_line(root.name)}/" if root.name else ""
        lines.append(f"  {one_line(str(root.path))}{prefix}")
        lines.append(f"    collection {one_line(root.collection)}, indexed {root.indexed_at}")
    return lines


def info_json(info: WorkspaceInfo) -> dict[str, Any]:
    """The members of `rankle.workspace/1`."""
    return {
        "name": info.name,
        "folder": str(info.folder),
        **_figures(info),
        "floors": [floor_json(one) for one in info.floors],
        "collections": info.collections,
        "languages": info.languages,
        "roots": [
            {
                "path": str(root.path),
                "name": root.name,
                "collection": root.collection,
                "indexed_at": root.indexed_at,
            }
            for root in info.roots
        ],
    }


def floor_words(floor: Floor, info: WorkspaceInfo | None = None) -> str:
    """`fts5 12.5, chosen on set.jsonl, 2026-11-30`. info: what is in the workspace now, where that counts."""
    how = "set by hand" if floor.set_name is None else f"chosen on {one_line(floor.set_name)}"
    changed = info is not None and floor.index is not None and floor.index != info.content
    behind = "; what is indexed changed since" if changed else ""
    return f"{floor.method} {floor.value:.10g}, {how}, {floor.chosen[:10]}{behind}"


def floor_json(floor: Floor) -> dict[str, Any]:
    return {
        "method": floor.method,
        "value": floor.value,
        "chosen": floor.chosen,
        "set": floor.set_name,
        "set_fingerprint": floor.set_fingerprint,
        "index_fingerprint": floor.index,
        "basis": dict(floor.basis),
    }


def deletion_question(deletion: Deletion) -> str:
    lost = ratings_lost(deletion)
    if deletion.info is None:
        with_them = f", with {lost}" if lost else ""
        return (
            f"Delete the workspace {deletion.name}, which cannot be opened, at {deletion.folder}{with_them}?"
        )
    n_searches = deletion.info.n_searches or 0
    held = f"{count(deletion.info.n_documents, 'document')} and {n_searches:,} logged searches"
    if lost:
        held = f"{lost}, {held}"
    return f"Delete the workspace {deletion.name} with {held}, at {deletion.folder}?"


def ratings_lost(deletion: Deletion) -> str:
    """The ratings that go with a workspace, which no index brings back; empty where there is none."""
    if deletion.n_ratings is None:
        return "ratings that cannot be read"
    if not deletion.n_ratings:
        return ""
    save = f"{NAME} ratings export -w {deletion.name} -o ratings.jsonl"
    return f"{count(deletion.n_ratings, 'rating')} (to save: {save})"


def _row(each: ListedWorkspace, names: int) -> list[str]:
    begin = f"{'*' if each.is_current else ' '} {pad(shortened(each.name, names), names)}  "
    if each.info is None:
        return wrapped(
            f"cannot be opened: {one_line(each.problem or '')}", first=begin, rest=" " * len(begin)
        )
    info = each.info
    embedded = "—" if info.vectors is None else f"{info.vectors.n_embedded:,}"
    model = "—" if info.vectors is None else shortened(one_line(info.vectors.model), _MODEL)
    figures = f"{info.n_documents:>9,}{info.n_chunks:>9,}{embedded:>10}{size(info.n_bytes):>10}"
    return [f"{begin}{figures}  {model}"]


def _vectors(info: WorkspaceInfo) -> str:
    state = info.vectors
    if state is None:
        return f"none; make them with: {NAME} embed -w {info.name}"
    model = f"{state.model}, {state.dimensions} dimensions"
    if state.is_complete:
        return f"all chunks, by {model}"
    some = f"{state.n_embedded:,} of {count(state.n_chunks, 'chunk')}" if state.is_current else "outdated"
    return f"{some}, by {model}; go on with: {NAME} embed -w {info.name}"


def _searches(info: WorkspaceInfo) -> str:
    return "the log cannot be read" if info.n_searches is None else f"{info.n_searches:,} in the log"


def _figures(info: WorkspaceInfo) -> dict[str, Any]:
    return {
        "n_documents": info.n_documents,
        "n_chunks": info.n_chunks,
        "n_failures": info.n_failures,
        "n_searches": info.n_searches,
        "n_ratings": info.n_ratings,
        "n_bytes": info.n_bytes,
        "vectors": None if info.vectors is None else _state_json(info.vectors),
    }


def _state_json(state: VectorState) -> dict[str, Any]:
    return {
        "model": state.model,
        "fingerprint": state.fingerprint,
        "dimensions": state.dimensions,
        "n_embedded": state.n_embedded,
        "complete": state.is_complete,
    }


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in counts.items()) or "—"
