"""A lock that the process holds which fills a run; the system lets go of it when that process ends.

So a run whose process was killed is told from one that is still going, whatever ended it, and no two
processes go on with the same run.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from rankle.core.errors import RecordError

_ATTEMPTS: Final = 20
_PAUSE_S: Final = 0.01
"""Someone who only looks whether a lock is held, holds it for a moment."""


class RunLock:
    """The lock of one run, in a file beside the store."""

    def __init__(self, store: Path, run: str) -> None:
        self.path = store.with_name(f"{store.name}-{run}.lock")
        self._file: int | None = None

    def take(self, *, attempts: int = _ATTEMPTS) -> bool:
        """Whether it is ours now; False where another process has it. Raises RecordError without a file."""
        for attempt in range(attempts):
            if attempt:
                time.sleep(_PAUSE_S)
            try:
                file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                raise RecordError(f"the lock {self.path} cannot be made: {error.strerror}") from error
            if _lock(file) and self._is_still_there(file):
                self._file = file
                return True
            os.close(file)
        return False

    def is_held(self) -> bool:
        """Whether some process has it."""
        if self._file is not None:
            return True
        try:
            file = os.open(self.path, os.O_RDWR)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise RecordError(f"the lock {self.path} cannot be read: {error.strerror}") from error
        try:
            return not _lock(file)
        finally:
            os.close(file)

    def release(self) -> None:
        """Let go, and leave no file behind."""
        if self._file is None:
            return
        if sys.platform != "win32":  # there an open file cannot be removed
            self.path.unlink(missing_ok=True)
        os.close(self._file)
        self._file = None
        if sys.platform == "win32":
            self.remove()

    def remove(self) -> None:
        """Remove the file that a killed process left."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _is_still_there(self, file: int) -> bool:
        """Whether the file that was locked is the one at the path: its holder may just have removed it."""
        try:
            return os.path.samestat(os.fstat(file), self.path.stat())
        except FileNotFoundError:
            return False


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
