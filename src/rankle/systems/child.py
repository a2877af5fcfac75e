"""A process that answers lines by lines: started, asked, given up, and started anew."""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import InputError, SystemFailureError

_LONGEST_LINE: Final = 64 * 2**20
_KEPT: Final = 4000
"""Characters of its last words on the error stream."""
_GRACE_S: Final = 2.0
"""For it to end by itself once its input has ended."""
_PATIENCE_S: Final = 10.0
"""For what is certain to come, on a busy machine too: the end of a process that was killed."""
_SHOWN: Final = 200


class Child:
    """One process, or none yet. It is asked one question at a time."""

    def __init__(self, arguments: Sequence[str], *, folder: Path, environ: Mapping[str, str]) -> None:
        self._arguments = arguments
        self._folder = folder
        self._environ = environ
        self._process: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._words = ""
        self.is_fresh = True
        """Whether the process, or the one to come, has not answered yet."""

    async def ask(self, question: Mapping[str, Any], *, timeout_s: float) -> Any:
        """Its answer to one line; it is started where it does not run.

        Raises SystemFailureError where it ends, takes too long or says what is no answer; it is gone then,
        and the next question starts it anew. Raises InputError where there is no such command.
        """
        process = await self._started()
        try:
            async with asyncio.timeout(timeout_s):
                line = await self._exchange(process, json.dumps(question, ensure_ascii=False))
        except TimeoutError as error:
            await self.end(kill=True)
            raise SystemFailureError(
                f"the command gave no answer within {timeout_s:g} s{self._said()}"
            ) from error
        except BaseException:
            await self.end(kill=True)
            raise
        if not line:
            raise SystemFailureError(await self._last_words(process))
        try:
            answer = json.loads(line)
        except ValueError as error:
            await self.end(kill=True)
            shown = line.decode(errors="replace").strip()[:_SHOWN]
            raise SystemFailureError(f"a line of the command is no JSON ({error}): {shown}") from error
        self.is_fresh = False
        return answer

    async def _exchange(self, process: asyncio.subprocess.Process, question: str) -> bytes:
        """The next line that is not blank; nothing where it has ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(ConnectionError):  # where it has ended, there is nothing to read either
            process.stdin.write(question.encode() + b"\n")
            await process.stdin.drain()
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError as error:
                raise SystemFailureError(f"a line of the command is over {_LONGEST_LINE:,} bytes") from error
            if not line or line.strip():
                return line

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        await self.end(kill=True)
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._folder,
                env=dict(self._environ),
                limit=_LONGEST_LINE,
                start_new_session=True,  # so that what it started ends with it
            )
        except OSError as error:
            name = self._arguments[0]
            raise InputError(
                f'the command "{name}" cannot be started in {self._folder}: {error.strerror}'
            ) from error
        self.is_fresh = True
        self._words = ""
        self._listener = asyncio.create_task(self._listen(self._process))
        return self._process

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keeps the end of its error stream, which must be read so that it can go on writing."""
        assert process.stderr is not None
        while chunk := await process.stderr.read(2**16):
            self._words = (self._words + chunk.decode(errors="replace"))[-_KEPT:]

    async def _last_words(self, process: asyncio.subprocess.Process) -> str:
        await self._waited(process, _PATIENCE_S)
        code = process.returncode
        await self.end(kill=True)
        how = "closed its output and went on" if code is None else f"ended with code {code}"
        if code is not None and code < 0:
            how = f"was ended by signal {-code}"
        return f"the command {how}{self._said()}"

    def _said(self) -> str:
        words = " ".join(self._words.split())
        return f"; it said: {words[-_SHOWN * 2 :]}" if words else ""

    async def _waited(self, process: asyncio.subprocess.Process, longest_s: float) -> None:
        """Until it has ended and its last words are heard, for a while: what it started may live on."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(longest_s):
                await process.wait()
                if self._listener is not None:
                    await asyncio.shield(self._listener)

    async def end(self, *, kill: bool = False) -> None:
        """Ends its input and waits a little, or ends it and what it started at once."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        if not kill:
            await self._waited(process, _GRACE_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await self._drained(process)
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
            self._listener = None

    async def _drained(self, process: asyncio.subprocess.Process) -> None:
        """Until its pipes are at their ends, so that nothing of it is left open."""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(TimeoutError, ConnectionError, ValueError):
            async with asyncio.timeout(_PATIENCE_S):
                await process.wait()
                await process.stdout.read()
                if self._listener is not None:
                    await asyncio.shield(self._listener)
                await process.stdin.wait_closed()
