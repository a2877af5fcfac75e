"""A process that answers lines by lines: started, asked, given up, and started anew."""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import SystemFailureError
from rankle.systems.starting import not_started

_LONGEST_LINE: Final = 64 * 2**20
_KEPT: Final = 4000
"""Characters of its last words on the error stream."""
_GRACE_S: Final = 2.0
"""For it to end by itself once its input has ended, and for its last words once its output has."""
_DYING_S: Final = 0.5
"""For what follows at once: that it has ended where it hears nothing any more, and its pipes with it."""
_QUIET_S: Final = 0.1
"""How long the first answer must be its last word where nothing in it tells what it is an answer to."""
_PATIENCE_S: Final = 10.0
"""For what is certain to come, on a busy machine too: the end of a process that was killed."""
_LOOK_S: Final = 0.005
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

        One that ended well after an earlier answer is started anew and asked once more.
        Raises SystemFailureError where it ends, takes too long or says what is no answer; it is gone then,
        and the next question starts it anew. Raises InputError where there is no such command.
        """
        await self._started()
        was_fresh = self.is_fresh
        line = await self._line(question, timeout_s=timeout_s)
        if not line:
            words, code = await self._last_words()
            if was_fresh or code != 0:
                raise SystemFailureError(words)
            line = await self._line(question, timeout_s=timeout_s)
        if not line:
            words, _ = await self._last_words()
            raise SystemFailureError(words)
        try:
            answer = json.loads(line)
        except ValueError as error:
            await self.end(kill=True)
            raise SystemFailureError(
                f"a line of the command is no JSON ({error}): {_shown(line)}. What is no answer belongs on "
                "the error stream"
            ) from error
        if self.is_fresh and not (isinstance(answer, Mapping) and "id" in answer):
            await self._check_quiet(_QUIET_S)
        self.is_fresh = False
        return answer

    async def _line(self, question: Mapping[str, Any], *, timeout_s: float) -> bytes:
        """What it writes to a question; nothing where it has ended."""
        process = await self._started()
        if not self.is_fresh:
            await self._check_quiet(0)
        try:
            async with asyncio.timeout(timeout_s):
                return await self._exchange(process, json.dumps(question, ensure_ascii=False))
        except TimeoutError as error:
            await self.end(kill=True)
            flushing = "; an answer is a line, and is flushed at once" if self.is_fresh else ""
            raise SystemFailureError(
                f"the command gave no answer within {timeout_s:g} s{flushing}{self._said()}"
            ) from error
        except BaseException:
            await self.end(kill=True)
            raise

    async def _exchange(self, process: asyncio.subprocess.Process, question: str) -> bytes:
        """The next line that is not blank; nothing where it has ended."""
        assert process.stdin is not None
        try:
            process.stdin.write(question.encode() + b"\n")
            await process.stdin.drain()
        except ConnectionError as error:  # it has ended, or will not hear any more
            await self._waited(process, _DYING_S)
            if process.returncode is None:
                raise SystemFailureError(f"the command closed its input{self._said()}") from error
        return await _next_line(process)

    async def _check_quiet(self, within_s: float) -> None:
        """Raises SystemFailureError where it writes a line that answers nothing: all later ones would be
        taken for answers to other questions."""
        assert self._process is not None
        try:
            async with asyncio.timeout(within_s):
                line = await _next_line(self._process)
        except TimeoutError:
            return
        if line:
            await self.end(kill=True)
            raise SystemFailureError(f"the command wrote a line beside its answer: {_shown(line)}")

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
            raise not_started(self._arguments, self._folder, error) from error
        self.is_fresh = True
        self._words = ""
        self._listener = asyncio.create_task(self._listen(self._process))
        return self._process

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Keeps the end of its error stream, which must be read so that it can go on writing."""
        assert process.stderr is not None
        while chunk := await process.stderr.read(2**16):
            self._words = (self._words + chunk.decode(errors="replace"))[-_KEPT:]

    async def _last_words(self) -> tuple[str, int | None]:
        """How it ended, and by what code; None where it goes on without an output."""
        assert self._process is not None
        await self._waited(self._process, _PATIENCE_S / 2, listening=True)
        code = self._process.returncode
        await self.end(kill=True)
        how = "closed its output and went on" if code is None else f"ended with code {code}"
        if code is not None and code < 0:
            how = f"was ended by signal {-code}"
        more = "; it must answer line by line until its input ends" if code == 0 else ""
        return f"the command {how}{more}{self._said()}", code

    def _said(self) -> str:
        words = " ".join(self._words.split())
        if len(words) > _SHOWN * 2:  # from the next word on, so that no half of a key is left
            words = words[-_SHOWN * 2 :].partition(" ")[2]
        return f"; it said: {words}" if words else ""

    async def _waited(
        self, process: asyncio.subprocess.Process, longest_s: float, *, listening: bool = False
    ) -> None:
        """Until it has ended, for a while. listening: until its last words are heard too, which may be never:
        what it started may hold its error stream."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(longest_s):
                await _over(process)
            if listening and self._listener is not None:
                async with asyncio.timeout(_GRACE_S):
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
        # What left its group may hold its pipes; there is no other way to close our ends of them.
        getattr(process, "_transport").close()  # noqa: B009 - nothing public has it
        await asyncio.sleep(0)  # which closes them

    async def _drained(self, process: asyncio.subprocess.Process) -> None:
        """Until its pipes are at their ends, so that nothing of it is left open."""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(TimeoutError, ConnectionError, ValueError):
            async with asyncio.timeout(_PATIENCE_S):
                await _over(process)
            async with asyncio.timeout(_DYING_S):  # which what left its group may hold
                await process.stdout.read()
                if self._listener is not None:
                    await asyncio.shield(self._listener)
                await process.stdin.wait_closed()


async def _over(process: asyncio.subprocess.Process) -> None:
    """Until it has ended. Its own `wait` waits for whoever holds its pipes, too."""
    while process.returncode is None:  # noqa: ASYNC110 - there is no event that tells only this
        await asyncio.sleep(_LOOK_S)


async def _next_line(process: asyncio.subprocess.Process) -> bytes:
    """The next line that is not blank; nothing at the end."""
    assert process.stdout is not None
    while True:
        try:
            line = await process.stdout.readline()
        except ValueError as error:
            raise SystemFailureError(f"a line of the command is over {_LONGEST_LINE:,} bytes") from error
        if not line or line.strip():
            return line


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
