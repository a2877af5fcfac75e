"""Systems side by side: named by URIs, in the project file, or objects."""

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import rankle
from fakes.scripted_system import ScriptedSystem
from fakes.searchable import SET, write_module
from rankle.app.evaluate_systems import evaluate_systems
from rankle.app.record_request import Recording
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.records.store import open_store

_NUMBER = count()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set.jsonl").write_text(SET, encoding="utf-8")
    return tmp_path


@pytest.fixture
def module(folder: Path) -> str:
    return write_module(folder, f"side_by_side_{next(_NUMBER)}")


def test_several_are_measured_on_the_same_queries_in_their_order(folder: Path, module: str) -> None:
    other = ScriptedSystem(answers={"pump filter": ["guide/filter.md"]})
    progress = []
    reports = evaluate_systems(
        folder / "set.jsonl",
        systems=[f"python:{module}:find", other],
        on_progress=lambda done, total: progress.append((done, total)),
    )
    assert [report.system.method for report in reports] == [f"{module}:find", "fts5"]
    assert [report.measures["RR@10"].mean for report in reports] == [0.5, 1 / 3]
    assert progress[-1] == (6, 6)


def test_each_joins_the_labels_to_what_it_holds(folder: Path, module: str) -> None:
    holds = ScriptedSystem(answers={"battery": ["errors.md"]}, documents=["errors.md", "guide/filter.md"])
    reports = evaluate_systems(folder / "set.jsonl", systems=[f"python:{module}:find", holds])
    assert [report.labels.unknown for report in reports] == [[], ["guide/pump.md"]]


def test_a_table_of_the_project_file_names_a_system(folder: Path, module: str) -> None:
    (folder / "rankle.toml").write_text(f'[systems.mine]\nuri = "python:{module}:find"\n', encoding="utf-8")
    (report,) = evaluate_systems(folder / "set.jsonl", systems=["mine"])
    assert (report.system.name, report.system.method) == ("mine", "mine")
    assert report.system.settings == {"uri": f"python:{module}:find"}
    with pytest.raises(UnknownNameError, match='unknown system "mnie"; did you mean "mine"'):
        evaluate_systems(folder / "set.jsonl", systems=["mnie"])


def test_one_is_measured_by_evaluate_too(folder: Path, module: str) -> None:
    uri, records = f"python:{module}:find", folder / "records.db"
    report = rankle.evaluate(folder / "set.jsonl", system=uri, record=records)
    (other,) = evaluate_systems(folder / "set.jsonl", systems=[uri])
    assert report.measures == other.measures
    with open_store(records) as store:
        assert store.runs()[0].settings["methods"] == [uri]


_INTERRUPTED = """
asked = []
def find(query):
    asked.append(query)
    if query == "battery" and asked.count(query) == 1:
        raise KeyboardInterrupt
    return ["errors.md"]
"""


def test_a_run_that_was_interrupted_goes_on_where_it_was(folder: Path) -> None:
    name = f"interrupted_{next(_NUMBER)}"
    (folder / f"{name}.py").write_text(_INTERRUPTED, encoding="utf-8")
    recording = Recording(path=folder / "records.db")
    with pytest.raises(KeyboardInterrupt):
        evaluate_systems(folder / "set.jsonl", systems=[f"python:{name}:find"], record=recording)
    resumed = replace(recording, resume=True)
    (report,) = evaluate_systems(folder / "set.jsonl", systems=[f"python:{name}:find"], record=resumed)
    assert __import__(name).asked == ["pump filter", "battery", "battery", "nothing"]
    assert [query.status for query in report.queries] == ["scored"] * 3


_STAGED = """
def find(query):
    words = ["errors.md", "guide/filter.md", "guide/pump.md"]
    stages = [{"name": "words", "results": words}, {"name": "rerank", "ids": words[:1]}]
    return {"results": words[:1], "stages": stages}
"""


def test_the_stages_of_a_system_say_where_a_target_was_lost(folder: Path) -> None:
    name = f"staged_{next(_NUMBER)}"
    (folder / f"{name}.py").write_text(_STAGED, encoding="utf-8")
    table = f'[systems.mine]\nuri = "python:{name}:find"\nstages = ["words", "rerank"]\n'
    (folder / "rankle.toml").write_text(table, encoding="utf-8")
    (report,) = evaluate_systems(folder / "set.jsonl", systems=["mine"])
    assert report.system.stages == ["words", "rerank"]
    assert [query.targets[0].lost_at for query in report.queries] == ["reranked out", None, "reranked out"]
    assert report.queries[0].targets[0].rank_at == {"words": 2}


def test_what_is_declared_cacheable_is_asked_once(folder: Path) -> None:
    name = f"cacheable_{next(_NUMBER)}"
    (folder / f"{name}.py").write_text(
        "asked = []\ndef find(query):\n    asked.append(query)\n    return ['errors.md']\n"
    )
    for version, n_asked in (("1", 3), ("1", 3), ("2", 6)):
        table = f'[systems.mine]\nuri = "python:{name}:find"\ncacheable = true\nversion = "{version}"\n'
        (folder / "rankle.toml").write_text(table, encoding="utf-8")
        evaluate_systems(folder / "set.jsonl", systems=["mine"], record=folder / "records.db")
        assert len(__import__(name).asked) == n_asked


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("[systems.mine]\nmethod = 'x'", r"\[systems.mine\] needs what it is, such as uri ="),
        ("systems = 'x'", 'unknown system "mine"'),
        ("[systems]\nmine = 'run:x'", r"\[systems.mine\] needs what it is"),
        (
            "[systems.mine]\nuri = 'python:m:f'\ntreads = 2",
            'unknown option of .*"treads"; did you mean "threads"',
        ),
        ("[systems.mine]\nuri = 'python:m:f'\nthreads = 'x'", r'"threads" of \[systems.mine\]: expected'),
        (
            "[systems.mine]\nuri = 'run:${NO_SUCH}'",
            r"needs \$\{NO_SUCH\}, and that variable is not set",
        ),
        ("[systems.mine]\nuri = 'kb:none'", "rankle index PATH -w none"),
        ("[systems.mine]\nuri = 'kb:x'\nmethods = 'y'", 'did you mean "method"'),
    ],
)
def test_a_table_that_cannot_be_used_says_why(folder: Path, table: str, words: str) -> None:
    (folder / "rankle.toml").write_text(table + "\n", encoding="utf-8")
    with pytest.raises(rankle.RankleError, match=words):
        evaluate_systems(folder / "set.jsonl", systems=["mine"])


@pytest.mark.parametrize(
    ("systems", "words"),
    [([], "no system is named"), ("run:x", "systems are a list"), (["run:x", "run:x"], "is named twice")],
)
def test_a_list_that_is_none_is_refused(folder: Path, systems: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        evaluate_systems(folder / "set.jsonl", systems=systems)


class _Unreachable(ScriptedSystem):
    async def start(self) -> None:
        raise CannotMeasureError("nobody is there")

    async def stop(self) -> None:
        self.calls.append(("stopped", 0, None, None))  # type: ignore[arg-type]


def test_one_that_cannot_be_started_costs_no_query_of_another(folder: Path) -> None:
    first, second = ScriptedSystem(), _Unreachable()
    with pytest.raises(CannotMeasureError, match="nobody is there"):
        evaluate_systems(folder / "set.jsonl", systems=[first, second])
    assert first.calls == []
    assert [call[0] for call in second.calls] == ["stopped"]


def test_systems_that_read_the_labels_differently_are_not_compared(folder: Path) -> None:
    (folder / "set.jsonl").write_text('{"query": "x", "relevant": ["d-1"]}\n', encoding="utf-8")
    by_name = ScriptedSystem(documents=["d-1"])
    by_chunk = ScriptedSystem(documents=["d"], chunks={"d-1": "d"})
    with pytest.raises(InputError, match=r"at different levels .*; say it: --level"):
        evaluate_systems(folder / "set.jsonl", systems=[by_name, by_chunk])
