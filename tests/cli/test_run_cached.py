"""What `rankle run` takes from the cache, proven by counting the calls of a real server and of a task."""

from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from fakes.chat_server import ChatServer
from fakes.command import enter_project, rankle, succeed, write_files
from rankle.core.evals import EvalsReport
from rankle.reports.evals_json import parse_evals_json

ASKING = """
import os
import openai
import rankle

client = rankle.wrap(openai.OpenAI(api_key="sk-planted-0123456789", base_url=os.environ["CHAT_URL"]))


@rankle.scorer("answered")
def answered(context):
    return context.output.startswith("answer")


@rankle.eval("Asking", data=[{"input": word} for word in "abc"], scorers=[answered], concurrency=1)
def asking(input):
    asked = [{"role": "user", "content": input}]
    return client.chat.completions.create(model="m", messages=asked).choices[0].message.content
"""
COUNTING = """
import rankle
from rankle.scorers import exact


@rankle.eval(
    "Counting", data=[{"input": word, "expected": word} for word in "abc"], scorers=[exact()], cacheable=True
)
def counting(input):
    with open("calls", "a") as file:
        file.write(input)
    return input
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter_project(tmp_path / "project", monkeypatch, {"rankle.toml": ""})


@pytest.fixture
def server(project: Path, monkeypatch: pytest.MonkeyPatch, httpserver: HTTPServer) -> ChatServer:
    write_files(project, {"evals/asking_eval.py": ASKING})
    made = ChatServer(httpserver)
    monkeypatch.setenv("CHAT_URL", f"{made.url}/v1")
    return made


def ran(*args: str) -> EvalsReport:
    outcome = rankle("run", "--json", *args)
    assert outcome.code == 0, outcome
    return parse_evals_json(outcome.out)


@pytest.mark.needs_llm
def test_second_run_calls_no_model_and_says_so(server: ChatServer) -> None:
    first, second = ran().evals[0], ran().evals[0]
    assert server.n_calls == 3
    assert first.usage is not None
    assert second.usage is not None
    assert (first.usage.n_cached, second.usage.n_cached, second.usage.n_calls) == (0, 3, 3)
    for then, now in zip(first.cases, second.cases, strict=True):
        (made,), (kept,) = then.trials[0].trace, now.trials[0].trace
        assert (made.cached, kept.cached) == (False, True)
        assert kept.took_ms == pytest.approx(made.took_ms)
        assert now.trials[0].output == then.trials[0].output


@pytest.mark.needs_llm
def test_time_of_a_call_that_was_not_made_is_that_of_the_day_it_was(server: ChatServer) -> None:
    first, second = ran().evals[0], ran().evals[0]
    took = first.cases[0].trials[0].trace[0].took_ms
    replayed = second.cases[0].trials[0].took_ms
    assert replayed is not None
    assert replayed >= took
    assert first.latency_ms.p50 is not None
    assert second.latency_ms.p50 is None, "nothing was timed now"


@pytest.mark.needs_llm
def test_no_cache_makes_every_call(server: ChatServer) -> None:
    ran()
    ran("--no-cache")
    assert server.n_calls == 6


@pytest.mark.needs_llm
def test_trials_never_share_an_answer(server: ChatServer) -> None:
    ran("--trials", "2")
    assert server.n_calls == 6
    assert ran("--trials", "3").evals[0].usage is not None
    assert server.n_calls == 9


@pytest.mark.needs_llm
def test_another_source_of_the_task_asks_anew(project: Path, server: ChatServer) -> None:
    ran()
    write_files(project, {"evals/asking_eval.py": ASKING.replace(".content\n", ".content + '!'\n")})
    ran()
    assert server.n_calls == 6


@pytest.mark.needs_llm
def test_comment_in_the_task_changes_nothing(project: Path, server: ChatServer) -> None:
    ran()
    write_files(project, {"evals/asking_eval.py": ASKING.replace("    asked =", "    # why\n    asked =")})
    ran()
    assert server.n_calls == 3


@pytest.mark.needs_llm
def test_hits_are_marked_in_every_view(server: ChatServer) -> None:
    ran()
    names = ("out.md", "out.html", "out.csv", "out.xml")
    shown = succeed("run", *(part for name in names for part in ("--output", name)))
    assert "cache" in shown
    for name in names:
        assert "cache" in Path(name).read_text(encoding="utf-8"), name


@pytest.mark.needs_llm
def test_key_is_in_no_record(project: Path, server: ChatServer) -> None:
    ran()
    assert server.headers[0]["Authorization"] == "Bearer sk-planted-0123456789"
    for file in (project / ".rankle").iterdir():
        assert b"sk-planted-0123456789" not in file.read_bytes(), file


def n_calls(project: Path) -> int:
    return len((project / "calls").read_text())


def test_cacheable_task_is_called_once_a_trial(project: Path) -> None:
    write_files(project, {"evals/counting_eval.py": COUNTING})
    first, second = ran().evals[0], ran().evals[0]
    assert n_calls(project) == 3
    assert (first.n_cached, second.n_cached) == (0, 3)
    assert [case.trials[0].took_ms for case in second.cases] == [
        case.trials[0].took_ms for case in first.cases
    ]
    ran("--trials", "2")
    assert n_calls(project) == 6
    ran("--no-cache")
    assert n_calls(project) == 9


def test_task_that_is_not_declared_is_called_each_time(project: Path) -> None:
    write_files(project, {"evals/counting_eval.py": COUNTING.replace(", cacheable=True", "")})
    ran()
    ran()
    assert n_calls(project) == 6


def test_cleared_cache_asks_anew(project: Path) -> None:
    write_files(project, {"evals/counting_eval.py": COUNTING})
    ran()
    succeed("cache", "clear", "--yes")
    ran()
    assert n_calls(project) == 6
