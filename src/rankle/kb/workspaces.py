"""The workspaces of a home: which there are, and when one may be taken away."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from rankle.core.errors import WorkspaceError, nearest
from rankle.core.product import NAME
from rankle.kb.store.database import FILE_NAME
from rankle.kb.store.schema import APPLICATION_ID

_APPLICATION_ID_AT: Final = slice(68, 72)
_EMPTY_FILES: Final = ("", "-wal", "-shm")


def workspace_names(home: Path) -> list[str]:
    """Names of the folders in `home` that hold a workspace, sorted; also of damaged ones."""
    if not home.is_dir():
        return []
    return sorted(folder.name for folder in home.iterdir() if is_workspace(folder))


def is_workspace(folder: Path) -> bool:
    """Whether there is a workspace; it may be damaged."""
    return (folder / FILE_NAME).is_file()


def no_such_workspace(folder: Path, *, options: str) -> WorkspaceError:
    """What to say about a workspace that is not there.

    options: what `index` needs to make it, such as ` -w NAME`.
    """
    known = workspace_names(folder.parent)
    message = f"no workspace at {folder}"
    near = nearest(folder.name, known)
    if near:
        message += f'; did you mean "{near[0]}"?'
    elif known:
        message += f". There is: {', '.join(known)}."
    else:
        message += "."
    return WorkspaceError(f"{message} The first index makes one: {NAME} index PATH{options}")


def may_be_deleted(folder: Path) -> bool:
    """Whether the folder is a workspace: one of ours by its header, or too damaged to be anything else's."""
    path = folder / FILE_NAME
    if not path.is_file():
        return False
    with path.open("rb") as file:
        header = file.read(100)
    is_sqlite = header.startswith(b"SQLite format 3\0") and len(header) == 100
    return not is_sqlite or header[_APPLICATION_ID_AT] == APPLICATION_ID.to_bytes(4, "big")


def delete_workspace(folder: Path) -> None:
    """Deletes a workspace's files; the documents that it was made of stay where they are."""
    shutil.rmtree(folder)


def discard_if_empty(folder: Path) -> None:
    """Deletes a workspace into which nothing was indexed, unless another process has it open."""
    path = folder / FILE_NAME
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=0)) as connection:
            if connection.execute("SELECT count(*) FROM roots").fetchone()[0]:
                return
            # SQLite leaves this mode for nobody but the only connection.
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error:
        return
    for suffix in _EMPTY_FILES:
        path.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()
