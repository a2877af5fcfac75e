"""What a system answered, once more: figures of a replay are those of the system, to the last bit."""

import json
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec
import polars as pl
import pytest

import rankle
from fakes.scripted_system import ScriptedSystem
from fakes.searchable import FAILS, KEY, SET, write_module
from rankle.app.evaluate_systems import evaluate_systems
from rankle.app.record import record
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.evalset import Level
from rankle.core.ports import SearchSystem
from rankle.core.run import RunReport
from rankle.formats.recording import read_recording, write_recording
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.systems.knowledge_base import KnowledgeBaseSystem

_NUMBER = count()
Records = list[Mapping[str, Any]]
_SET: Final[Records] = [
    {"id": "1", "query": "q1", "relevant": [{"document": "b", "relevance": 2}, "a", "lost"]},
    {"id": "2", "query": "q2", "relevant": ["c"]},
    {"id": "3", "query": "q3", "relevant": ["a"]},
    {"id": "4", "query": "q4", "relevant": ["a"], "collection": "x"},
]
_MEASURES: Final = "nDCG@10,R@100,RR,AP,Bpref,Judged@10"


def scripted() -> ScriptedSystem:
    """One that ranks against its scores, has stages, finds nothing, and fails."""
    return ScriptedSystem(
        answers={"q1": ["a", "b", "z"], "q2": [], "q3": RuntimeError("down"), "q4": ["a"]},
        scores={"a": 0.1, "b": 1 / 3, "z": 0.2},
        stages={"q1": {"words": ["b", "a"], "fusion": ["a", "b", "z"]}, "q2": {"words": [], "fusion": []}},
        documents=["a", "b", "c", "z"],
        collections={"a": "x"},
        described={"floor": 0.15},
        remarks={"q2": ["no word to search for"]},
    )


def core(report: RunReport) -> Any:
    """All of a run that is not about when and by whom it was answered."""
    told = msgspec.to_builtins(report)
    for query in told["queries"]:
        del query["took_ms"]
    kept = ("measures", "queries", "funnel", "documents", "labels", "abstention", "level", "depth", "k")
    return {name: told[name] for name in kept if name in told}


def both(system: SearchSystem, path: Path, **options: Any) -> tuple[Any, Any]:
    (live,) = evaluate_systems(_SET, systems=[system], measures=_MEASURES, **options)
    (again,) = evaluate_systems(_SET, systems=[f"run:{path}"], measures=_MEASURES, **options)
    return core(live), core(again)


def test_a_replay_equals_the_run_to_the_last_bit(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    found = record(_SET, system=scripted(), output=path)
    assert (found.n_queries, found.n_results, found.failures) == (4, 4, (("q3", "RuntimeError: down"),))
    live, again = both(scripted(), path)
    assert msgspec.json.encode(live, order="sorted") == msgspec.json.encode(again, order="sorted")
    assert [query["status"] for query in live["queries"]] == ["scored", "scored", "failed", "scored"]


def test_a_replay_of_a_workspace_joins_labels_as_the_workspace_did(tmp_path: Path) -> None:
    docs, path = tmp_path / "docs", tmp_path / "run.parquet"
    docs.mkdir()
    for name, text in {"a.md": "red pump", "b.md": "blue pump filter"}.items():
        (docs / name).write_text(text, encoding="utf-8")
    queries: Records = [
        {"query": "pump filter", "relevant": ["b.md"]},
        {"query": "pump", "relevant": ["none.md"]},
    ]
    with KnowledgeBase(tmp_path / "w", name="w", create=True) as kb:
        kb.index(docs)
        system = KnowledgeBaseSystem(kb, method="fts5")
        record(queries, system=system, output=path)
        (live,) = evaluate_systems(queries, systems=[system])
    (again,) = evaluate_systems(queries, systems=[f"run:{path}"])
    assert core(live) == core(again)
    assert again.labels.unknown == ["none.md"]
    assert str(tmp_path).encode() not in path.read_bytes()


def test_texts_are_kept(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("red pump", encoding="utf-8")
    with KnowledgeBase(tmp_path / "w", name="w", create=True) as kb:
        kb.index(docs)
        record(
            [{"query": "pump", "relevant": []}],
            system=KnowledgeBaseSystem(kb, method="fts5", texts=True),
            output=tmp_path / "r.parquet",
        )
    kept = read_recording(tmp_path / "r.parquet")
    assert kept is not None
    answer = kept.queries[0].outcome.answer
    assert answer is not None
    assert answer.hits[0].passage is not None
    assert answer.hits[0].passage.text == "red pump"
    assert [stage.name for stage in answer.stages] == ["fts5"]


@pytest.mark.parametrize("name", ["run.parquet", "run.jsonl", "run.jsonl.gz"])
def test_its_order_is_what_other_readers_of_runs_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    record(_SET, system=scripted(), output=path)
    scores = rankle.score({"1": {"b": 1}, "4": {"a": 1}}, path, "RR")
    assert [float(value) for value in scores.columns["RR"]] == [0.5, 1.0]


def test_a_table_and_lines_hold_the_same(tmp_path: Path) -> None:
    table, lines = tmp_path / "run.parquet", tmp_path / "run.jsonl"
    record(_SET, system=scripted(), output=table)
    kept = read_recording(table)
    assert kept is not None
    write_recording(lines, kept)
    assert read_recording(lines) == kept
    columns = ["query_id", "doc_id", "rank", "system_score", "recording"]
    assert pl.read_parquet(table).columns == list(json.loads(lines.read_bytes().split(b"\n")[0])) == columns


def test_it_says_what_it_is_a_recording_of(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    record(_SET, system=scripted(), output=path)
    (run,) = evaluate_systems(_SET, systems=[f"run:{path}"])
    assert run.system.settings["recorded"] == {"name": "scripted", "method": "fts5"}
    assert any(notice.startswith("results are read from a recording of scripted (") for notice in run.notices)
    assert run.system.stages == ["words", "fusion"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depth": 200}, "recorded to a depth of 100, and 200 is asked for; say --depth 100"),
        ({"level": "chunk"}, "recorded at document level, and chunk is asked for"),
    ],
)
def test_what_was_not_recorded_is_refused(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    path = tmp_path / "run.parquet"
    system = ScriptedSystem(answers={"q": ["c1"]})
    record([{"query": "q", "relevant": ["c1"]}], system=system, output=path)
    labels: Records = [{"query": "q", "relevant": [{"chunk": "c1"} if "level" in options else "c1"]}]
    with pytest.raises(InputError, match=words):
        evaluate_systems(labels, systems=[f"run:{path}"], **options)


def test_a_query_that_changed_since_is_a_failure_and_one_that_is_new_too(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    record(
        [{"id": "1", "query": "old", "relevant": []}],
        system=ScriptedSystem(answers={"old": ["a"]}),
        output=path,
    )
    queries: Records = [{"id": name, "query": "new", "relevant": ["a"]} for name in ("1", "2")]
    (run,) = evaluate_systems(queries, systems=[f"run:{path}"])
    assert [query.error for query in run.queries] == [
        'query "1" was "old" when it was recorded',
        'the recording has no query of the id "2"',
    ]


def test_chunks_are_recorded_where_they_are_labelled_or_asked_for(tmp_path: Path) -> None:
    system = ScriptedSystem(answers={"q": ["c1"]}, chunks={"c1": "d"}, documents=["d"])
    queries: Records = [{"query": "q", "relevant": [{"chunk": "c1"}]}]
    assert record(queries, system=system, output=tmp_path / "a.parquet").level is Level.CHUNK
    bare: Records = [{"query": "q", "relevant": []}]
    assert record(bare, system=system, output=tmp_path / "b.parquet").level is Level.DOCUMENT
    assert record(bare, system=system, output=tmp_path / "c.parquet", level=Level.CHUNK).level is Level.CHUNK
    live, again = evaluate_systems(queries, systems=[system, f"run:{tmp_path / 'a.parquet'}"])
    assert core(live) == core(again)


def test_no_key_is_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEARCH_API_KEY", KEY)
    queries: Records = [json.loads(line) for line in SET.splitlines()] + [{"query": FAILS, "relevant": []}]
    module = write_module(tmp_path, f"recorded_{next(_NUMBER)}")
    found = record(queries, system=f"python:{module}:find", output="run.parquet")
    assert found.failures == ((FAILS, "RuntimeError: the index is on fire, said with ***"),)
    assert KEY.encode() not in (tmp_path / "run.parquet").read_bytes()
    assert KEY not in "".join(pl.read_parquet("run.parquet")["recording"].drop_nulls())


def test_nothing_is_written_where_nothing_was_found(tmp_path: Path) -> None:
    with pytest.raises(CannotMeasureError, match="no query has a result"):
        record([{"query": "q", "relevant": []}], system=ScriptedSystem(), output=tmp_path / "run.parquet")
    failing = ScriptedSystem(answers={"q": RuntimeError("down")})
    found = record([{"query": "q", "relevant": []}], system=failing, output=tmp_path / "run.parquet")
    with pytest.raises(
        CannotMeasureError, match=r'failed on 1 of 1 queries.*The first is "q": RuntimeError: down'
    ):
        found.check(max_failures=0)
    found.check(max_failures=1)
    assert list(tmp_path.glob("*.parquet")) == []


def test_a_name_of_another_form_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    system = ScriptedSystem()
    with pytest.raises(InputError, match=r"a recording is a Parquet table or lines of JSON, such as"):
        record([{"query": "q", "relevant": []}], system=system, output=tmp_path / "run.json")
    assert system.calls == []


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["{}"], "is a recording of nothing"),
        (["{"], "is a recording that cannot be read"),
        ([None], "is a recording of nothing"),
        (['{"head": {"schema": "rankle.recording/9"}}'], "is a recording"),
    ],
)
def test_a_damaged_file_or_one_of_another_version_says_so(
    tmp_path: Path, cells: list[str], words: str
) -> None:
    path = tmp_path / "run.parquet"
    rows = {"query_id": ["1"], "doc_id": ["a"], "rank": [1], "recording": cells}
    pl.DataFrame(rows, schema_overrides={"recording": pl.String}).write_parquet(path)
    with pytest.raises(InputError, match=words):
        evaluate_systems(_SET, systems=[f"run:{path}"])


# --- passages ------------------------------------------------------------------------------------

_TEXTS: Final = {
    "a.md": "# Pump\n\nThe red pump is primed by hand.\n\n# Filter\n\nThe filter is changed in autumn.\n",
    "b.md": "# Battery\n\nThe battery is charged at night.\n\n# Pump\n\nA blue pump needs no priming.\n",
    "c.md": "# Stores\n\nSpare parts lie in the cellar, behind the blue pump.\n",
}
_PASSAGES: Final[Records] = [
    {"query": "red pump", "relevant": [{"document": "a.md", "quote": "The red pump is primed by hand."}]},
    {
        "query": "blue pump",
        "relevant": [
            {"document": "a.md", "quote": "A blue pump needs no priming.", "relevance": 2},
            {"document": "c.md", "start": 10, "end": 40},
        ],
    },
    {"query": "filter", "relevant": [{"document": "b.md", "quote": "It is nowhere to be read any more."}]},
]
"""One stands where it says, one moved to another document, one is known by its range alone, one is gone."""


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in _TEXTS.items():
        (docs / name).write_text(text, encoding="utf-8")
    with KnowledgeBase(tmp_path / "w", name="w", create=True) as kb:
        kb.index(docs)
        yield kb


@pytest.mark.parametrize("name", ["run.parquet", "run.jsonl", "run.jsonl.zst"])
def test_passages_are_scored_from_a_replay_as_from_the_system(
    kb: KnowledgeBase, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    system = KnowledgeBaseSystem(kb, method="fts5", texts=True)
    assert record(_PASSAGES, system=system, output=path).level is Level.CHUNK
    live, again = evaluate_systems(
        _PASSAGES, systems=[KnowledgeBaseSystem(kb, method="fts5"), f"run:{path}"], measures=_MEASURES
    )
    assert live.level == "span"
    assert 0 < live.measures["nDCG@10"].mean < 1  # type: ignore[operator]
    assert msgspec.json.encode(core(live), order="sorted") == msgspec.json.encode(core(again), order="sorted")
    assert live.coverage == again.coverage
    assert [each for each in again.notices if "recording" not in each] == list(live.notices)


def test_chunks_that_are_labelled_are_scored_as_passages_too(kb: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    chunk = next(iter(kb.chunk_places()))
    queries: Records = [{"query": "pump", "relevant": [{"chunk": chunk}]}]
    system = KnowledgeBaseSystem(kb, method="fts5")
    record(queries, system=system, output=path)
    live, again = evaluate_systems(queries, systems=[system, f"run:{path}"], level="span")
    assert core(live) == core(again)
    assert again.level == "span"


def test_of_the_texts_those_alone_are_kept_that_labels_were_looked_for_in(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    path = tmp_path / "run.parquet"
    record(_PASSAGES[:1], system=KnowledgeBaseSystem(kb, method="fts5"), output=path)
    kept = read_recording(path)
    assert kept is not None
    assert list(kept.texts) == ["a.md"]
    assert kept.places == kb.chunk_places()
    with pytest.raises(InputError, match=r"recorded without the text of b.md, which the labels .* record it"):
        evaluate_systems([*_PASSAGES[:1], *_PASSAGES[2:]], systems=[f"run:{path}"])


def test_lines_that_break_off_are_told_of(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    record(_SET, system=scripted(), output=path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="is a recording that cannot be read"):
        evaluate_systems(_SET, systems=[f"run:{path}"])


def test_a_recording_of_before_has_no_places_and_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    record(_SET, system=scripted(), output=path)
    text = path.read_text(encoding="utf-8")
    assert text.count(',"places":null,"texts":{}') == 1
    path.write_text(text.replace(',"places":null,"texts":{}', ""), encoding="utf-8")
    live, again = evaluate_systems(_SET, systems=[scripted(), f"run:{path}"])
    assert core(live) == core(again)


def test_what_was_recorded_of_a_system_that_tells_no_places_is_refused_by_passage(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    path = tmp_path / "run.parquet"
    record(_PASSAGES, system=KnowledgeBaseSystem(kb, method="fts5"), output=path)
    kept = read_recording(path)
    assert kept is not None
    write_recording(path, msgspec.structs.replace(kept, places=None, texts={}))  # as recordings of before are
    with pytest.raises(InputError, match="stores no text in which they could be found"):
        evaluate_systems(_PASSAGES, systems=[f"run:{path}"])
