"""What `rankle doctor` looks at of eval sets: whether what they label is still indexed."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from rankle.app.check_labels import check_labels
from rankle.core.errors import BadLinesError, RankleError, WorkspaceError
from rankle.core.health import Check
from rankle.core.label_check import CheckReport
from rankle.core.product import NAME
from rankle.formats.identify import identify
from rankle.formats.judgments import JUDGMENTS_SUFFIX
from rankle.formats.kinds import FileKind
from rankle.gates.rules import Gate
from rankle.reports.evals_words import counted

_SUFFIXES: Final = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
_LOOKED_INTO: Final = (".jsonl", ".json")
"""Of these, files are looked into; of the others, those that a gate names."""
_DEPTH: Final = 3
"""Folders below the project's in which sets are looked for,"""
_FOLDERS: Final = 2_000
"""and how many at most."""
_MAX_BYTES: Final = 20_000_000
_PASSED_OVER: Final = frozenset({"node_modules", "venv", "site-packages", "__pycache__"})


def check_sets(
    project: Path, gates: Sequence[Gate], *, here: Path, workspace: str, is_indexed: bool
) -> Iterator[Check]:
    """The sets of a project: those that gates name, and what else lies in its folder or in `evals`.

    here: the current folder, from which paths are written.
    workspace: what they are held against, where something is indexed there.
    """
    named = [gate.set_name for gate in gates if gate.set_name and gate.set_name.endswith(_SUFFIXES)]
    closed: list[OSError] = []
    found = sorted(_candidates(project, named, on_closed=closed.append))
    for error in closed:
        says = f"{error.filename}: {error.strerror}, so that sets in it are not looked at"
        yield Check(name="Set", state="warning", says=says, next="let this user read it, or leave it")
    for name in named:
        if not any(path.name == name for path in found):
            says = f'a gate is for "{name}", and no such file is in {project} or below'
            yield Check(name="Set", state="warning", says=says, next="mend the name, or drop the gate")
    sets = [path for path in found if path.name in named or _is_set(path)]
    if not sets:
        says = "no eval set was found here"
        yield Check(
            name="Set", state="ok", says=says, next="rankle eval, without a set, tells the ways to one"
        )
    for path in sets:
        shown = Path(os.path.relpath(path, here))
        yield _check_set(path, shown=shown, workspace=workspace, is_indexed=is_indexed)


def _candidates(
    project: Path, named: Sequence[str], *, on_closed: Callable[[OSError], None]
) -> Iterator[Path]:
    for n_folders, (folder, below, files) in enumerate(os.walk(project, onerror=on_closed)):
        depth = len(Path(folder).relative_to(project).parts)
        below[:] = sorted(
            name for name in below if not name.startswith(".") and name not in _PASSED_OVER and depth < _DEPTH
        )
        is_usual = depth == 0 or Path(folder) == project / "evals"
        for file in files:
            path = Path(folder) / file
            is_beside = file.endswith(JUDGMENTS_SUFFIX)  # what people judged of the set of that name
            if file in named or (is_usual and path.suffix in _LOOKED_INTO and not is_beside):
                yield path
        if n_folders >= _FOLDERS:
            return


def _is_set(path: Path) -> bool:
    if path.stat().st_size > _MAX_BYTES:
        return False
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        return True  # to be told of, since nobody can say that it is none
    try:
        return identify(path).kind is FileKind.SET
    except (RankleError, OSError):  # settings of an editor, data of something else
        return False


def _check_set(path: Path, *, shown: Path, workspace: str, is_indexed: bool) -> Check:
    if not is_indexed:
        return Check(name="Set", state="ok", says=f"{shown}; its labels are checked once there is an index")
    try:
        report = check_labels(path, workspace=workspace)
    except WorkspaceError:  # said of the workspace already
        return Check(name="Set", state="ok", says=f"{shown}; its labels cannot be checked")
    except BadLinesError as error:
        advice = f"rankle inspect {shown}"
        return Check(
            name="Set",
            state="warning",
            says=f"{shown} cannot be read: {error.faults[0].message}",
            next=advice,
        )
    except RankleError as error:
        return Check(name="Set", state="warning", says=f"{shown} cannot be read: {error}")
    return _of_labels(report, shown)


def _of_labels(report: CheckReport, shown: Path) -> Check:
    n_labels = sum(report.counts.values())
    advice = f"rankle eval check {shown}"
    if report.faults:
        n_faults = len(report.faults)
        says = f"{shown} cannot be scored: {n_faults} fault{'' if n_faults == 1 else 's'} in lines or labels"
        return Check(name="Set", state="warning", says=says, next=advice)
    if not n_labels:
        says = f"{shown} has no label yet"
        return Check(name="Set", state="warning", says=says, next=f"rankle eval label {shown}")
    if report.counts["gone"] == n_labels:
        says = f"{shown}: none of what it labels is in workspace {report.workspace}"
        what = f"index what it is about: {NAME} index PATH"
        return Check(name="Set", state="warning", says=says, next=f"{what}; or: {advice}")
    if report.n_stale:
        stale = ", ".join(
            f"{count} {verdict}" for verdict, count in report.counts.items() if count and verdict != "valid"
        )
        says = f"{shown} is stale: of {n_labels} labels {stale} in workspace {report.workspace}"
        return Check(name="Set", state="warning", says=says, next=advice)
    n_queries = counted(report.set.n_queries, "query", "queries")
    says = f"{shown}: {n_queries}, {counted(n_labels, 'label')}, all valid"
    return Check(name="Set", state="ok", says=says)
