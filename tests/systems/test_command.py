"""A program as a system: a real child process that crashes, hangs and says what it should not."""

import asyncio
import contextlib
import os
import select
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from fakes.opened import opened, write_project
from fakes.searchable import KEY, PROGRAM
from rankle.core.errors import CannotMeasureError, InputError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import RunningSystem, SearchSystem

_PATIENCE_S: Final = 60
_OPTIONS: Final = f'uri = "command:{sys.executable} search.py"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "search.py").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


async def ask(system: SearchSystem, *queries: str) -> list[str]:
    """The ids that each query finds, or how it failed, one query after another."""
    told = []
    async with started(system):
        for query in queries:
            try:
                result = await system.search(query, depth=10, level=Level.DOCUMENT)
                told.append(" ".join(hit.id for hit in result.hits))
            except SystemFailureError as error:
                told.append(str(error))
    return told


@contextlib.asynccontextmanager
async def started(system: SearchSystem) -> AsyncIterator[None]:
    assert isinstance(system, RunningSystem)
    try:
        await system.start()
        yield
    finally:
        await system.stop()


def asked(folder: Path, *queries: str, options: str = "", environ: dict[str, str] | None = None) -> list[str]:
    write_project(folder, "mine", _OPTIONS + options)
    with opened("mine", cwd=folder, environ=environ) as system:
        return asyncio.run(ask(system, *queries))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def has_ended(pid: int) -> bool:
    """Whether a process that is nobody's child here ends, or has; a signal takes a moment."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], _PATIENCE_S)[0])
    finally:
        os.close(handle)


def test_one_process_answers_all_queries_and_is_gone_afterwards(folder: Path) -> None:
    first, found, again = asked(folder, "pid", "battery", "pid")
    assert (found, first) == ("errors.md", again)
    assert not is_alive(int(first))


def test_after_a_crash_the_next_query_starts_it_anew(folder: Path) -> None:
    first, crash, second = asked(folder, "pid", "crash", "pid", environ={"SEARCH_API_KEY": KEY})
    assert crash == "the command ended with code 3; it said: started the index is gone, said with ***"
    assert first != second
    assert not is_alive(int(first))


def test_one_that_hangs_is_ended_and_the_next_query_starts_it_anew(folder: Path) -> None:
    first, hang, found, second = asked(folder, "pid", "hang", "battery", "pid", options="timeout_s = 0.2")
    assert hang.startswith("the command gave no answer within 0.2 s")
    assert found == "errors.md"
    assert first != second
    assert not is_alive(int(first))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (
            "mumble",
            "a line of the command is no JSON (Expecting value: line 1 column 1 (char 0)): DEBUG loading",
        ),
        ("stray", "the command answered question 0, not 2"),
    ],
)
def test_what_is_no_answer_is_a_failure_and_shifts_no_other_answer(
    folder: Path, query: str, words: str
) -> None:
    assert asked(folder, query, "battery") == [words, "errors.md"]


def test_blank_lines_and_much_on_the_error_stream_stop_nothing(folder: Path) -> None:
    assert asked(folder, "chatter", "battery") == ["", "errors.md"]


def test_it_runs_in_the_folder_of_its_table_with_its_variables(folder: Path) -> None:
    options = '[systems.mine.env]\nSEARCH_TOKEN = "${SEARCH_API_KEY}"\n'
    (told,) = asked(folder, "environment", options=options, environ={"SEARCH_API_KEY": KEY})
    assert told == f"SEARCH_API_KEY SEARCH_TOKEN {folder}"


def test_several_processes_answer_at_the_same_time(folder: Path) -> None:
    write_project(folder, "mine", _OPTIONS + "processes = 2")

    async def run(system: SearchSystem) -> set[str]:
        async with started(system):
            asks = [system.search("pid", depth=1, level=Level.DOCUMENT) for _ in range(4)]
            return {result.hits[0].id for result in await asyncio.gather(*asks)}

    with opened("mine", cwd=folder) as system:
        assert len(asyncio.run(run(system))) == 2


def test_one_that_cannot_be_started_is_told_before_the_first_query(folder: Path) -> None:
    words = pytest.raises(InputError, match=r'"./no-such-program" cannot be started in .*: No such file')
    with opened("command:./no-such-program -x", cwd=folder) as system, words:
        asyncio.run(ask(system))


def test_one_that_ends_at_once_is_told_before_the_first_query(folder: Path) -> None:
    (folder / "search.py").write_text("import sys; sys.exit('no index here')", encoding="utf-8")
    with (
        opened(f"command:{sys.executable} search.py", cwd=folder) as system,
        pytest.raises(
            CannotMeasureError, match="no query was: the command ended with code 1; it said: no index"
        ),
    ):
        asyncio.run(ask(system))


def test_without_the_check_it_fails_query_by_query(folder: Path) -> None:
    (folder / "search.py").write_text(
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", encoding="utf-8"
    )
    told = asked(folder, "a", "b", options='health = "none"')
    assert told == ["the command was ended by signal 9"] * 2


def test_what_it_started_ends_with_it(folder: Path) -> None:
    program = (
        "import json, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)'])\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps([str(child.pid)]), flush=True)\n"
    )
    (folder / "search.py").write_text(program, encoding="utf-8")
    (pid,) = asked(folder, "x")
    assert has_ended(int(pid))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ('uri = "command:say \'hi"', "cannot be split into words"),
        (_OPTIONS + "processes = 0", "at least 1, got 0"),
    ],
)
def test_options_that_fit_nothing_are_refused(folder: Path, options: str, words: str) -> None:
    write_project(folder, "mine", options)
    with pytest.raises(InputError, match=words), opened("mine", cwd=folder):
        pass
