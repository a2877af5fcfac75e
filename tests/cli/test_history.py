"""`rankle eval` records its runs; history, show, rescore and tag read them; prune makes room."""

import json
import re
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from fakes.command import GUIDE, fail, on_terminal, rankle, succeed, write_files
from fakes.recorded import made_up, record, record_part
from fakes.recorded_evals import plan, record_evals
from rankle.app.history import History
from rankle.cli.history_report import history_lines
from rankle.records.run_info import RunInfo, RunState
from rankle.records.store import open_store

QUERIES = [
    {"id": "s", "query": "red cable battery", "relevant": ["setup.md"]},
    {"id": "e", "query": "battery voltage", "relevant": ["errors.md"]},
    {"id": "w", "query": "zeppelin", "relevant": ["de/wartung.md"]},
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An indexed folder and a set, in a current folder where runs are recorded."""
    monkeypatch.delenv("RANKLE_RECORDS")
    monkeypatch.setenv("TZ", "UTC")
    write_files(tmp_path / "guide", GUIDE)
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(query) + "\n" for query in QUERIES))
    monkeypatch.chdir(tmp_path)
    succeed("index", "guide")
    return tmp_path


def recorded(text: str) -> str:
    match = re.search(r"Recorded as ([0-9a-f]{12})\. See it again: rankle show \1?", text)
    assert match, text
    return match[1]


def history(*args: str) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = json.loads(succeed("history", "--json", *args))["runs"]
    return runs


def test_a_run_is_recorded_and_shown_as_it_was_printed(project: Path) -> None:
    printed = succeed("eval", "set.jsonl")
    run = recorded(printed)
    shown = succeed("show", run)
    assert shown.split("\nRun ")[0] == printed.split("\nRecorded as ")[0]
    assert re.search(rf"\nRun {run}; begun 20\d\d-\d\d-\d\d \d\d:\d\d UTC; rankle [\d.]+\.\n$", shown)
    assert (project / ".rankle" / ".gitignore").is_file()


def test_json_is_shown_to_the_byte_as_it_was_printed(project: Path) -> None:
    printed = succeed("eval", "set.jsonl", "--json", "--funnel")
    assert succeed("show", "latest", "--json") == printed
    succeed("show", "latest", "-o", "run.json")
    assert (project / "run.json").read_text(encoding="utf-8") == printed
    assert succeed("show", "run.json", "--json") == printed


def test_the_next_run_over_a_set_tells_how_to_compare_it(project: Path) -> None:
    first = recorded(succeed("eval", "set.jsonl"))
    for other in (("--max-queries", "2"), ("--depth", "50"), ("--measures", "AP")):
        assert "compare" not in succeed("eval", "set.jsonl", *other)
    printed = succeed("eval", "set.jsonl")
    second = recorded(printed)
    assert printed.endswith(f"\nAgainst the run before it: rankle compare {first[:8]} {second[:8]}\n")
    succeed("compare", first[:8], second[:8])


def test_a_saved_file_is_shown_without_any_records(project: Path) -> None:
    printed = succeed("eval", "set.jsonl", "--no-record", "--json", "-o", "run.json")
    assert not (project / ".rankle").exists()
    assert succeed("show", "run.json", "--json") == printed


def test_without_a_record_no_id_is_told(project: Path) -> None:
    assert "Recorded" not in succeed("eval", "set.jsonl", "--no-record")
    assert not (project / ".rankle").exists()


def test_each_of_several_methods_is_a_run(project: Path) -> None:
    succeed("embed", "--model", "fake:8")
    printed = succeed("eval", "set.jsonl", "--method", "fts5,vector", "--name", "both ways")
    runs = history()
    assert [(run["system"]["method"], run["name"]) for run in runs] == [
        ("vector", "both ways"),
        ("fts5", "both ways"),
    ]
    assert f"Recorded: fts5 as {runs[1]['id'][:8]}, vector as {runs[0]['id'][:8]}. " in printed


def test_records_lie_where_they_are_asked_for(project: Path) -> None:
    recorded(succeed("eval", "set.jsonl", "--records", "kept/runs.db"))
    assert not (project / ".rankle").exists()
    assert len(history("--records", "kept/runs.db")) == 1
    assert "there are no records at" in fail("history")


def test_other_measures_are_shown_without_a_search(project: Path) -> None:
    succeed("eval", "set.jsonl", "--tag", "main")
    first = succeed("eval", "set.jsonl", "--measures", "AP,R@3", "--json", "--no-record")
    succeed("workspace", "delete", "default", "--yes")
    (project / "set.jsonl").unlink()
    again = json.loads(succeed("rescore", "main", "--measures", "AP,R@3", "--json"))
    assert again["measures"] == json.loads(first)["measures"]
    assert "MAP" in succeed("rescore", "main", "--measures", "AP")


def test_a_tag_moves_and_is_taken_away(project: Path) -> None:
    first = recorded(succeed("eval", "set.jsonl", "--tag", "main"))
    second = recorded(succeed("eval", "set.jsonl"))
    assert succeed("tag", "latest", "main") == f"Tagged: {second} is main; it was on {first}\n"
    assert [run["tags"] for run in history()] == [["main"], []]
    assert succeed("tag", "--delete", "main") == "Taken away: main\n"
    assert 'unknown run "main"' in fail("show", "main")


def test_a_tag_for_several_runs_is_refused_before_any_is_measured(project: Path) -> None:
    succeed("embed", "--model", "fake:8")
    assert "a tag is on one run, and 2 methods make 2" in fail(
        "eval", "set.jsonl", "--method", "fts5,vector", "--tag", "main"
    )


def test_runs_are_compared_and_exported_by_the_same_names(project: Path) -> None:
    first = recorded(succeed("eval", "set.jsonl", "--tag", "main"))
    second = recorded(succeed("eval", "set.jsonl"))
    compared = json.loads(succeed("compare", "main", "latest", "--json"))
    assert first in json.dumps(compared)
    assert second in json.dumps(compared)
    exported = succeed("export", first[:8], "--format", "trec")
    assert exported.splitlines()[0].split()[:3] == ["s", "Q0", "setup.md"]


def test_passages_are_scored_again_without_the_index(project: Path) -> None:
    quote = {"document": "setup.md", "quote": "Connect the red cable"}
    (project / "set.jsonl").write_text(json.dumps({"query": "red cable battery", "relevant": [quote]}) + "\n")
    printed = json.loads(succeed("eval", "set.jsonl", "-k", "2", "--json"))
    assert (printed["level"], printed["measures"]["R@2"]["mean"]) == ("span", 1.0)
    succeed("workspace", "delete", "default", "--yes")
    again = json.loads(succeed("rescore", "latest", "--measures", ",".join(printed["measures"]), "--json"))
    assert again == printed
    assert json.loads(succeed("show", "latest", "--json")) == printed


def test_history_is_filtered(project: Path) -> None:
    old = made_up("0123456789ab", created="2020-02-01T09:00:00Z", set_name="other.jsonl", name="Old")
    with open_store(project / ".rankle" / "records.db", create=True) as store:
        record(store, old)
    new = recorded(succeed("eval", "set.jsonl", "--name", "bigger chunks", "--tag", "main"))
    for args, expected in [
        ((), [new, "0123456789ab"]),
        (("--name", "bigger"), [new]),
        (("--set", "other"), ["0123456789ab"]),
        (("--tag", "main"), [new]),
        (("--since", "2020-02-02"), [new]),
        (("--since", "1d"), [new]),
        (("--until", "2020-02-01T09:00:01+00:00"), ["0123456789ab"]),
        (("--until", "2020-02-01T09:00:00+00:00"), []),
    ]:
        assert [run["id"] for run in history(*args)] == expected, args
    assert "None of 2 runs in .rankle/records.db fits." in succeed("history", "--name", "nothing")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("history", "--since", "yesterday"), "--since is a date such as 2026-11-30"),
        (("history", "prune"), "say what may go: --keep N"),
        (("history", "prune", "--older-than", "2020"), "--older-than is an age such as 30d"),
        (("history", "prnue"), 'unknown command "prnue"; did you mean "prune"'),
        (("show", "nothing"), 'unknown run "nothing"'),
        (("rescore", "latest"), "Missing option '--measures'"),
        (("rescore", "latest", "--measures", "nDGC@10"), "nDCG"),
        (("rescore", "latest", "--measures", "R@200"), "evaluate again with --depth 200"),
        (("tag", "latest"), "name a run and its tag"),
        (("tag", "latest", "beef"), "could be the id of a run"),
        (("tag", "latest", "main", "--delete", "x"), "--delete takes the tag alone"),
        (
            ("eval", "set.jsonl", "--no-record", "--tag", "x"),
            "--tag is about the record that --no-record leaves",
        ),
        (("eval", "set.jsonl", "--resume"), "there is no interrupted run to go on with"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_told(project: Path, args: tuple[str, ...], words: str) -> None:
    succeed("eval", "set.jsonl")
    assert words in " ".join(fail(*args).split())


def test_old_runs_are_pruned_and_named_ones_stay(project: Path) -> None:
    tagged = recorded(succeed("eval", "set.jsonl", "--tag", "main"))
    for _ in range(2):
        recorded(succeed("eval", "set.jsonl"))
    newest = recorded(succeed("eval", "set.jsonl"))
    assert "Nobody can be asked here; to go ahead, add --yes" in fail("history", "prune", "--keep", "1")
    assert succeed("history", "prune", "--older-than", "1d") == "Nothing to delete; 4 runs stay.\n"
    assert succeed("history", "prune", "--keep", "1", "--yes") == "Deleted: 2 runs; 2 runs stay.\n"
    assert [run["id"] for run in history()] == [newest, tagged]


def test_a_prune_asks_on_a_terminal(project: Path) -> None:
    succeed("eval", "set.jsonl")
    code, seen = on_terminal("history", "prune", "--keep", "0", typed="n\n")
    assert code == 0
    assert re.search(r"Delete 1 run of 20\d\d-\d\d-\d\d from \.rankle/records\.db\? \(0 runs stay\)", seen)
    assert "Nothing was changed." in seen
    assert len(history()) == 1


def test_a_record_that_was_asked_for_and_cannot_be_made_stops_the_run(project: Path) -> None:
    (project / "records.db").write_bytes(b"no database at all" * 100)
    assert "are damaged" in fail("eval", "set.jsonl", "--records", "records.db")


def test_a_record_that_nobody_asked_for_and_cannot_be_made_is_a_warning(project: Path) -> None:
    (project / ".rankle").mkdir()
    (project / ".rankle" / "records.db").write_bytes(b"no database at all" * 100)
    outcome = rankle("eval", "set.jsonl")
    assert outcome.code == 0
    assert "NDCG" in outcome.out
    assert "Recorded" not in outcome.out
    assert outcome.err.startswith(
        "Warning: the figures are complete, but the run is not recorded: the records"
    )


ZONE = UTC


def listed(**changed: Any) -> RunInfo:
    facts = made_up(created="2026-11-30T14:02:07Z").facts
    members = {name: getattr(facts, name) for name in facts.__slots__}
    known = {"state": RunState.COMPLETE, "n_done": 4, "measures": {"nDCG@5": 0.5, "nDCG@10": 0.5521}}
    return RunInfo(**(members | known | changed))


def test_the_list_keeps_to_its_width_and_tells_the_main_figure_of_each_run() -> None:
    runs = (
        listed(set_name="support questions of the winter 2026.jsonl", tags=("main",), n_failed=1),
        listed(id="b" * 12, state=RunState.INTERRUPTED, measures={}, n_done=2, method="fts5"),
        listed(id="c" * 12, name="bigger chunks"),
    )
    lines = history_lines(History(Path("/r/records.db"), runs, 9), limit=20, zone=ZONE, width=80)
    assert "\n".join(lines) == (
        "Run       Begun             Set                    Method  NDCG@10\n"
        "01234567  2026-11-30 14:02  support…er 2026.jsonl  hybrid  0.552    main, 1 fai…\n"
        "bbbbbbbb  2026-11-30 14:02  set                    fts5    —        stopped 2/4\n"
        'cccccccc  2026-11-30 14:02  set                    hybrid  0.552    "bigger chu…\n'
        "\n"
        "9 runs in /r/records.db. See one with: rankle show RUN"
    )
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("width", [40, 60, 70])
def test_no_line_of_the_list_is_wider_than_a_narrow_screen(width: int) -> None:
    runs = (listed(set_name="support questions of the winter.jsonl", tags=("main",)), listed(id="b" * 12))
    lines = history_lines(History(Path("/r/records.db"), runs, 2), limit=20, zone=ZONE, width=width)
    assert max(map(len, lines)) <= width
    assert any("0.552" in line for line in lines)


def test_a_screen_that_no_row_fits_on_has_each_run_in_words() -> None:
    runs = (listed(tags=("main",)), listed(id="b" * 12, measures={"AP": 0.25}))
    lines = history_lines(History(Path("/r/records.db"), runs, 2), limit=20, zone=ZONE, width=40)
    assert lines[:4] == [
        "01234567  2026-11-30 14:02",
        "  set, hybrid, 0.552 NDCG@10, main",
        "bbbbbbbb  2026-11-30 14:02",
        "  set, hybrid, 0.250 MAP",
    ]


def test_runs_with_other_measures_name_theirs() -> None:
    runs = (listed(), listed(measures={"AP": 0.25}))
    lines = history_lines(History(Path("/r"), runs, 2), limit=1, zone=ZONE, width=100)
    assert lines[-1] == "2 runs in /r; 1 more: --limit 2. See one with: rankle show RUN"
    lines = history_lines(History(Path("/r"), runs, 2), limit=5, zone=ZONE, width=100)
    assert [line.split("  ")[-1].strip() for line in lines[:3]] == ["Figure", "0.552 NDCG@10", "0.250 MAP"]


def test_an_empty_store_tells_how_to_make_a_run() -> None:
    lines = history_lines(History(Path("/r"), (), 0), limit=5, zone=ZONE, width=80)
    assert lines == ["No runs in /r yet. Make one with: rankle eval SET"]


def test_the_list_for_programs_has_all_that_is_known(project: Path) -> None:
    run = recorded(succeed("eval", "set.jsonl", "-k", "3"))
    (listed,) = history()
    report = msgspec.json.decode(succeed("show", run, "--json"))
    assert (listed["id"], listed["created"], listed["state"]) == (run, report["created"], "complete")
    assert listed["set"]["fingerprint"] == report["set"]["fingerprint"]
    assert listed["system"]["fingerprint"] == report["system"]["fingerprint"]
    assert listed["measures"] == {name: summary["mean"] for name, summary in report["measures"].items()}
    assert listed["git"] is None
    assert datetime.fromisoformat(listed["finished"]) >= datetime.fromisoformat(listed["created"])


@pytest.mark.parametrize("ref", ["latest", "run.json"])
def test_a_gate_makes_what_the_run_lacks(project: Path, ref: str) -> None:
    """The run was evaluated by the default measures alone, and is 100 deep."""
    succeed("eval", "set.jsonl", "--output", "run.json")
    (project / "rankle.toml").write_text(
        '[gates]\nmin_queries = 2\n[gates.floors]\n"AP" = 0.1\n"nDCG@1000" = 0.1\n', encoding="utf-8"
    )
    judged = rankle("gate", ref, "--json")
    rules = {rule["measure"]: rule for rule in json.loads(judged.out)["rules"] if rule["measure"]}
    (scored,) = json.loads(succeed("rescore", ref, "--measures", "AP", "--json"))["measures"].values()
    assert (rules["AP"]["verdict"], rules["AP"]["value"]) == ("passed", scored["mean"])
    assert "gives what its depth of 100 allows" in rules["nDCG@1000"]["why"]


def test_the_run_of_a_baseline_is_not_pruned_until_another_takes_its_place(project: Path) -> None:
    first, second = (recorded(succeed("eval", "set.jsonl")) for _ in range(2))
    succeed("baseline", "set", first)
    assert succeed("history", "prune", "--keep", "0", "--yes") == "Deleted: 1 run; 1 run stays.\n"
    assert "unknown run" in fail("show", second)
    succeed("eval", "set.jsonl")
    succeed("baseline", "set", "latest", "--yes")
    succeed("history", "prune", "--keep", "0", "--yes")
    assert "unknown run" in fail("show", first)
    assert [run["pinned_for"] for run in history()] == ["baseline main"]


def test_the_json_of_the_history_follows_its_schema(project: Path) -> None:
    succeed("eval", "set.jsonl", "--name", "first", "--tag", "main")
    with open_store(Path(".rankle/records.db")) as store:
        record_part(store, made_up("beef00000001"), n_cases=2)
    value = json.loads(succeed("history", "--json"))
    schema = files("rankle.reports").joinpath("schemas", "history-1.json").read_text(encoding="utf-8")
    jsonschema.validate(value, json.loads(schema))
    assert sorted((run["state"], run["name"], run["tags"]) for run in value["runs"]) == [
        ("complete", "first", ["main"]),
        ("interrupted", None, []),
    ]


def test_a_file_is_scored_again_as_the_record_is(project: Path) -> None:
    run = recorded(succeed("eval", "set.jsonl", "--output", "run.json"))
    of_file, of_record = (
        succeed("rescore", ref, "--measures", "AP,nDCG@20,R@1", "--json") for ref in ("run.json", run)
    )
    assert of_file == of_record


def test_a_file_that_does_not_hold_what_it_takes_says_so_and_what_does(project: Path) -> None:
    run = recorded(succeed("eval", "set.jsonl", "--output", "run.json"))
    message = fail("rescore", "run.json", "--measures", "infAP")
    assert message.startswith("Error: run.json cannot be scored by other measures: infAP looks at")
    assert f"where its run is recorded, name that: rankle rescore {run}" in message
    write_files(project, {"a.qrels": "q1 0 d1 1\n", "a.run": "q1 Q0 d1 1 0.5 mine\n"})
    succeed("score", "a.qrels", "a.run", "-o", "scored.json")
    message = fail("rescore", "scored.json", "--measures", "AP")
    assert "which can be scored again; score them: rankle score QRELS RUN --measures AP" in message


def test_a_second_evaluation_takes_the_results_of_the_first_and_says_so(project: Path) -> None:
    first = succeed("eval", "set.jsonl", "--json")
    again = succeed("eval", "set.jsonl", "--measures", "AP")
    before = json.loads(first)["id"]
    assert f"with the times of then (run {before}). To ask again: --no-cache" in " ".join(again.split())
    assert "(taken from an earlier run for" in " ".join(again.split())
    for options in (["--no-cache"], ["--no-record"], ["--one-by-one"]):
        run = json.loads(succeed("eval", "set.jsonl", *options, "--json"))
        assert "n_reused" not in run["latency_ms"]
        assert run["measures"] == json.loads(first)["measures"]


def test_what_an_index_holds_anew_is_asked_anew(project: Path) -> None:
    succeed("eval", "set.jsonl")
    write_files(project / "guide", {"new.md": "Another page.\n"})
    succeed("index", "guide")
    assert "n_reused" not in json.loads(succeed("eval", "set.jsonl", "--json"))["latency_ms"]


def test_a_comparison_makes_the_measures_that_it_is_asked_for(project: Path) -> None:
    succeed("eval", "set.jsonl", "--measures", "R@1", "--output", "first.json")
    succeed("eval", "set.jsonl", "--measures", "P@1")
    for refs in (("latest~1", "latest"), ("first.json", "latest")):
        value = json.loads(succeed("compare", *refs, "--measures", "AP,nDCG@20", "--json"))
        (pair,) = value["pairs"]
        assert [one["measure"] for one in pair["measures"]] == ["AP", "nDCG@20"]
        assert all(one["mean_a"] == one["mean_b"] > 0 for one in pair["measures"])
    assert "R@200 is deeper than the 100 results" in fail(
        "compare", "latest~1", "latest", "--measures", "R@200"
    )


def test_a_run_of_several_evals_is_tagged_and_pruned_whole(tmp_path: Path) -> None:
    place = tmp_path / "records.db"
    plans = (plan(2), plan(2, key="evals/other_eval.py::Answers"))
    first, second = (record_evals(place, *plans) for _ in range(2))
    assert succeed("tag", first, "main", "--records", place) == f"Tagged: {first} is main\n"
    assert succeed("tag", second, "main", "--records", place) == (
        f"Tagged: {second} is main; it was on {first}\n"
    )
    assert succeed("history", "prune", "--keep", "0", "--yes", "--records", place) == (
        "Deleted: 2 runs; 2 runs stay.\n"
    )
    assert {run["tags"][0] for run in history("--records", str(place))} == {"main"}
