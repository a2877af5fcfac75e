"""A workspace's database, opened once, on first use where that is wanted, and closed."""

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from rankle.kb.store.database import FILE_NAME, Database


class OpenedWorkspace:
    """Safe to use from several threads; close it, or use it as a context manager."""

    def __init__(self, folder: Path, *, name: str, create: bool, lazy: bool) -> None:
        """As `KnowledgeBase`, which says what the arguments mean."""
        self.folder = folder
        self.name = name
        self._opened: Database | None = None
        self._opening = threading.Lock()
        if not lazy:
            self._open(create=create)

    @property
    def _database(self) -> Database:
        return self._open(create=False)

    def _open(self, *, create: bool) -> Database:
        with self._opening:
            if self._opened is None:
                self._opened = Database(self.folder / FILE_NAME, create=create)
            elif create:
                self._opened.open(create=True)
            return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Releases the files. A closed workspace opens them again when it is used."""
        if self._opened is not None:
            self._opened.close()
