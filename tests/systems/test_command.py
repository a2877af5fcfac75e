"""A program as a system: a real child process that crashes, hangs and says what it should not."""

import asyncio
import contextlib
import os
import select
import signal
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
_NO_JSON: Final = "a line of the command is no JSON (Expecting value: line 1 column 1 (char 0))"
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
            f"{_NO_JSON}: DEBUG loading. What is no answer belongs on the error stream",
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
    words = pytest.raises(
        InputError, match=r'"./no-such-program" cannot be started in .*: there is no such file'
    )
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
        (_OPTIONS + "processes = 0", '"processes" of .*: expected `int` >= 1'),
    ],
)
def test_options_that_fit_nothing_are_refused(folder: Path, options: str, words: str) -> None:
    write_project(folder, "mine", options)
    with pytest.raises(InputError, match=words), opened("mine", cwd=folder):
        pass


_HEAD: Final = (
    "import json, os, sys, time\ndef say(told): sys.stdout.buffer.write(told); sys.stdout.flush()\n"
)
_EACH: Final = "for line in sys.stdin:\n    asked = json.loads(line)\n    "


def asked_of_program(folder: Path, text: str, *queries: str, options: str = "") -> list[str]:
    (folder / "search.py").write_text(_HEAD + text + "\n", encoding="utf-8")
    return asked(folder, *queries, options=options)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("say(b'\\xef\\xbb\\xbf')\n" + _EACH + "say(b'[\"a\"]\\n')", id="a byte order mark"),
        pytest.param(_EACH + "say(b'[\"a\"]\\r\\n\\r\\n')", id="lines as on Windows"),
        pytest.param(
            _EACH + "say(json.dumps([{'id': 'a', 'text': 'x' * 2**20}]).encode() + b'\\n')",
            id="lines of a megabyte",
        ),
        pytest.param("sys.stdin.readline()\nsay(b'[\"a\"]\\n')", id="one process a question"),
    ],
)
def test_what_is_odd_and_clear_is_read(folder: Path, text: str) -> None:
    assert asked_of_program(folder, text, "x", "y", "z") == ["a", "a", "a"]


_TWICE: Final = _EACH + 'say(b\'["a"]\\n["b"]\\n\')'


def test_one_that_answers_twice_is_told_before_any_answer_is_taken_for_another(folder: Path) -> None:
    with pytest.raises(CannotMeasureError, match=r'wrote a line beside its answer: \["b"\]'):
        asked_of_program(folder, _TWICE, "x")
    only_then = _EACH + "say(b'[\"a\"]\\n' * (1 + (asked['query'] == 'twice')))"
    told = asked_of_program(folder, only_then, "x", "twice", "y", "z")
    assert told == ["a", "a", 'the command wrote a line beside its answer: ["a"]', "a"]


def test_one_that_hears_no_more_is_not_waited_for(folder: Path) -> None:
    text = "sys.stdin.readline()\nos.close(0)\nsay(b'[\"a\"]\\n')\ntime.sleep(3600)"
    told = asked_of_program(folder, text, "x", "y", options='health = "none"')
    assert told == ["a", "the command closed its input"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sys.exit()", "the command ended with code 0; it must answer line by line until its input ends"),
        (_EACH + 'say(b\'{"error": " "}\\n\')', "the command says that it failed, and not why"),
        (_EACH + 'say(b\'{"a": "\\xff"}\\n\')', "no JSON .'utf-8' codec can't decode byte 0xff"),
        (
            _EACH + "say(b'[\"a\"]'), time.sleep(3600)",
            "no answer within 0.3 s; an answer is a line, and is flushed at once",
        ),
    ],
)
def test_a_program_that_cannot_be_asked_is_told_what_it_must_do(folder: Path, text: str, words: str) -> None:
    with pytest.raises(CannotMeasureError, match=words):
        asked_of_program(folder, text, options="start_timeout_s = 0.3")


_SCRIPT: Final = "while read -r line; do echo '[\"a\"]'; done\n"


def test_a_name_with_spaces_stands_in_quotes(folder: Path) -> None:
    (folder / "my tools").mkdir()
    (folder / "my tools" / "search it").write_text(f"#!/bin/sh\n{_SCRIPT}", encoding="utf-8")
    (folder / "my tools" / "search it").chmod(0o755)
    with opened("command:'./my tools/search it' -v", cwd=folder) as system:
        assert asyncio.run(ask(system, "x")) == ["a"]
    words = "there is no such file; a name with spaces stands in quotes: './my tools/search it'"
    with (
        pytest.raises(InputError, match=words),
        opened("command:./my tools/search it -v", cwd=folder) as system,
    ):
        asyncio.run(ask(system))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("./plain", r"it is no program that may be run; allow it: chmod \+x ./plain$"),
        ("./bare", r"its first line \(#!\) does not say what runs it; say it: command:sh ./bare$"),
        ("./astray", r"what its first line names \(#!\) is not there$"),
        ("plain", "there is no program of that name on PATH; that of the folder is ./plain$"),
        ("./folder", "it is a folder$"),
        ("''", "its name is empty$"),
    ],
)
def test_why_a_program_cannot_be_started_is_told(folder: Path, command: str, words: str) -> None:
    (folder / "folder").mkdir()
    for name, text, mode in (
        ("plain", f"#!/bin/sh\n{_SCRIPT}", 0o644),
        ("bare", _SCRIPT, 0o755),
        ("astray", f"#!/no/such/shell\n{_SCRIPT}", 0o755),
    ):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(mode)
    with pytest.raises(InputError, match=words), opened(f"command:{command}", cwd=folder) as system:
        asyncio.run(ask(system))


def test_what_left_its_group_is_not_waited_for_and_leaves_nothing_open(folder: Path) -> None:
    text = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)'], "
        "start_new_session=True)\n" + _EACH + "say(json.dumps([str(child.pid)]).encode() + b'\\n')"
    )
    (pid,) = asked_of_program(folder, text, "x")
    assert is_alive(int(pid))
    os.kill(int(pid), signal.SIGKILL)
