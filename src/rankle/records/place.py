"""The folder of a record store: made when first needed, and kept out of version control by itself."""

from pathlib import Path
from typing import Final

from rankle.core.errors import RecordError
from rankle.core.product import NAME

FOLDER: Final = f".{NAME}"
FILE_NAME: Final = "records.db"
_IGNORE: Final = f"# Made by {NAME}: records of runs are for this machine.\n*\n"


def default_place(project: Path) -> Path:
    """The store of a project's folder."""
    return project / FOLDER / FILE_NAME


def make_folder(path: Path) -> None:
    """Make the folder that `path` is to lie in. Where it is our own, it gets a `.gitignore`.

    Raises RecordError where it cannot be made.
    """
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if folder.name == FOLDER and not ignore.exists():
            ignore.write_text(_IGNORE, encoding="utf-8")
    except OSError as error:
        raise RecordError(
            f"the folder of the records, {folder}, cannot be made: {error.strerror or error}. "
            "Write them elsewhere with --records FILE, or none with --no-record"
        ) from error
