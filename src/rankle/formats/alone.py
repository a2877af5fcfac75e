"""One at a time at a file that people write into: adding at its end, or putting another in its place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal


@contextmanager
def opened_alone(path: Path, mode: Literal["rb", "r+b"]) -> Iterator[IO[bytes]]:
    """The file, while nobody else who asks so has it. Raises OSError.

    Whoever had it before may have put another file in its place meanwhile: then that one is opened. On
    Windows two at once are not kept apart.
    """
    try:
        import fcntl
    except ImportError:
        with path.open(mode) as file:
            yield file
        return
    while True:
        with path.open(mode) as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                yield file
                return
