"""What `rankle doctor` looks at of a project: its file, its workspace, its records."""

import os
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from rankle.app.eval_settings import load_eval_settings
from rankle.app.gates import project_gates
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.project import PROJECT_FILE, find_project
from rankle.app.wiring.records import RecordsPlace
from rankle.app.wiring.settings import Settings
from rankle.core.errors import RankleError, RecordError
from rankle.core.health import Check, State
from rankle.core.product import NAME
from rankle.gates.rules import Gate
from rankle.kb.indexing import IndexReport
from rankle.kb.workspace_info import WorkspaceInfo
from rankle.kb.workspaces import is_workspace
from rankle.records.run_info import RunState
from rankle.records.store import open_store


def check_project(here: Path) -> tuple[Check, tuple[Gate, ...] | None]:
    """The project file with its gates; None for these where it cannot be used."""
    try:
        project = find_project(here)
        load_eval_settings(here)
        gates = project_gates(here).gates
    except RankleError as error:
        advice = f"mend that line; {NAME} init DIR writes a file that has every setting"
        return Check(name="Project", state="fault", says=str(error), next=advice), None
    except OSError as error:
        return unreadable("Project", error), None
    if not project.settings:
        says = f"no {PROJECT_FILE} here or above; the defaults hold"
        return Check(name="Project", state="ok", says=says, next="rankle init"), gates
    return Check(
        name="Project", state="ok", says=f"{project.folder}, with {_counted(len(gates), 'gate')}"
    ), gates


def check_workspace(settings: Settings) -> tuple[list[Check], WorkspaceInfo | None]:
    """The workspace that commands here use, and what it holds; None where that cannot be read."""
    name = settings.workspace
    folder = settings.home / name
    option = f" -w {name}" if settings.workspace_from == "-w" else ""
    try:
        is_there = is_workspace(folder)
    except OSError as error:
        return [unreadable("Workspace", error)], None
    if not is_there:
        says = f"{name} is not there yet ({folder})"
        return [_workspace("warning", says, f"rankle index PATH{option}")], None
    try:
        with open_knowledge_base(settings) as kb:
            info = kb.info()
            is_whole = all(root.path.exists() for root in info.roots)
            changes = kb.index(dry_run=True) if info.roots and is_whole else None
    except RankleError as error:
        return [_workspace("fault", str(error))], None
    except OSError as error:  # of a folder that was indexed
        return [unreadable("Workspace", error)], None
    if not info.roots:
        return [_workspace("warning", f"{name} holds nothing", f"rankle index PATH{option}")], info
    says = (
        f"{name}: {_counted(info.n_documents, 'document')}, {_counted(info.n_chunks, 'chunk')}, in {folder}"
    )
    return [_workspace("ok", says), *_documents(info, changes, option), *_vectors(info, option)], info


def check_records(place: RecordsPlace) -> Check:
    """The store of records."""
    if place.path is None:
        return Check(
            name="Records", state="ok", says="none are kept, as RANKLE_RECORDS or the project file says"
        )
    try:
        if not place.path.is_file():
            return Check(name="Records", state="ok", says=f"none yet; the first run makes {place.path}")
        with open_store(place.path) as store:
            runs = store.runs()
    except RecordError as error:
        return Check(name="Records", state="fault", says=str(error))
    except OSError as error:
        return unreadable("Records", error)
    size = place.path.stat().st_size / 1e6
    says = f"{_counted(len(runs), 'run')}, {size:,.1f} MB, in {place.path}"
    n_open = sum(run.state is RunState.INTERRUPTED for run in runs)
    if n_open:
        says += f"; {n_open:,} interrupted, which --resume goes on with"
    return Check(name="Records", state="ok", says=says)


def unreadable(name: str, error: OSError) -> Check:
    """The check of something that this user may not read."""
    path = str(error.filename or "")
    advice = f"let this user read it, as its owner: chmod a+rX {quote(str(_closed(Path(path))))}"
    return Check(name=name, state="fault", says=f"{path}: {error.strerror}", next=advice)


def _closed(path: Path) -> Path:
    """The first of the folders above that may not be looked into; else the path itself."""
    effective = os.access in os.supports_effective_ids
    folders = reversed(path.parents)
    closed = (one for one in folders if not os.access(one, os.R_OK | os.X_OK, effective_ids=effective))
    return next(closed, path)


def _documents(info: WorkspaceInfo, changes: IndexReport | None, option: str) -> Iterator[Check]:
    """What became of what was indexed. changes: what an index would do; None where folders are gone."""
    for root in info.roots:
        if not root.path.exists():
            says = f"{root.path} was indexed and is not there"
            yield _workspace("warning", says, f"rankle docs remove --root {root.path}{option}")
    if changes is not None and (changes.added or changes.updated or changes.removed):
        n_changed = len(changes.added) + len(changes.updated) + len(changes.removed)
        says = f"documents added, changed or removed since the last index: {n_changed:,}"
        yield _workspace("warning", says, f"rankle index{option}")
    n_unread = max(info.n_failures, 0 if changes is None else len(changes.failures))
    if n_unread:
        says = f"files that could not be read: {n_unread:,}"
        yield _workspace("warning", says, f"rankle index{option} lists them")


def _vectors(info: WorkspaceInfo, option: str) -> Iterator[Check]:
    if info.vectors is None or info.vectors.is_complete:
        return
    missing = info.vectors.n_chunks - info.vectors.n_embedded
    says = (
        f"chunks without a vector, so that search is by words alone: {missing:,} of {info.vectors.n_chunks:,}"
        if missing
        else "the vectors were made by an older version"
    )
    yield _workspace("warning", says, f"rankle embed{option}")


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _workspace(state: State, says: str, advice: str | None = None) -> Check:
    return Check(name="Workspace", state=state, says=says, next=advice)
