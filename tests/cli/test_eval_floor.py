"""`rankle eval floor`: a floor that is chosen, kept, used by evaluations, set by hand, listed and dropped."""

import json
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Response

from fakes.command import fail, rankle, steady, succeed, write_files
from fakes.embeddings_server import listening, serve_embeddings
from fakes.schemas import valid_json

THINGS = [
    *("pump", "filter", "lamp", "hinge", "valve", "cable", "motor", "rotor", "piston", "gasket", "bearing"),
    *("nozzle", "sensor", "relay", "switch", "fuse", "damper", "flange", "spring", "lever", "pulley"),
    *("clutch", "brake", "boiler"),
]
"""Each has a document that tells how it is mended; other questions hardly share a word with any."""
OTHERS = [
    *("Lisbon", "Vienna", "Oslo", "Cairo", "Lima", "Quito", "Delhi", "Seoul", "Kyoto", "Hanoi", "Accra"),
    *("Tunis", "Paris", "Rome", "Athens", "Dublin", "Bern", "Prague", "Riga", "Sofia", "Malta", "Minsk"),
    *("Doha", "Perth"),
]


def document(thing: str) -> str:
    steps = f"To mend the broken {thing}, unscrew the {thing} cover and clean the {thing} seat."
    return f"# The {thing}\n\n{steps}\n"


def records(n: int = len(THINGS)) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = [
        {"id": f"a{place}", "query": f"mend broken {thing} cover", "relevant": [f"{thing}.md"]}
        for place, thing in enumerate(THINGS[:n])
    ]
    return asked + [
        {"id": f"u{place}", "query": f"weather the {city} tomorrow clean", "answerable": False}
        for place, city in enumerate(OTHERS[:n])
    ]


def write_set(path: Path, found: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in found), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = write_files(tmp_path / "docs", {f"{thing}.md": document(thing) for thing in THINGS})
    succeed("index", folder, "--model", "fake")
    return write_set(tmp_path / "set.jsonl", records())


def abstention(*options: str) -> dict[str, Any]:
    run = json.loads(succeed("eval", "set.jsonl", "--json", *options))
    found: dict[str, Any] = run["abstention"]
    return found


def floors() -> dict[str, float]:
    value = json.loads(succeed("workspace", "info", "--json"))
    return {one["method"]: one["value"] for one in value["floors"]}


def test_a_floor_is_chosen_and_both_errors_are_told_on_the_other_half() -> None:
    told = succeed("eval", "floor", "set.jsonl", "--method", "fts5")
    assert told == (
        f"Floor of fts5: {floors()['fts5']:g}. Chosen on 12 queries that nothing answers and 12 with an\n"
        "  answer (seed 0), by balanced accuracy: 1.000\n"
        "\n"
        "On the other queries                 Share    95% interval    Queries\n"
        "────────────────────────────────────────────────────────────────────────\n"
        "Answers though nothing does          0.0%     0.0–24.2%       0 of 12\n"
        "Abstains though there is an answer   0.0%     0.0–24.2%       0 of 12\n"
        "Balanced accuracy                    1.000    0.829–1.000     —\n"
        "  the same without a floor           0.500    0.379–0.621     —\n"
        "  the same by chance                 0.500    —               —\n"
        "\n"
        "Kept as the floor of fts5 in the workspace default. To see what it does: rankle\n"
        "eval set.jsonl --method fts5 -w default. Search itself returns what it did\n"
        "before.\n"
    )


@pytest.mark.parametrize("method", ["fts5", "vector"])
def test_what_is_kept_is_what_an_evaluation_abstains_by(method: str) -> None:
    assert abstention("--method", method)["floor"] is None
    before = json.loads(succeed("eval", "set.jsonl", "--json", "--method", method))
    chosen = valid_json(succeed("eval", "floor", "set.jsonl", "--method", method, "--json"))
    assert floors() == {method: chosen["floor"]}
    after = json.loads(succeed("eval", "set.jsonl", "--json", "--method", method))
    assert chosen["kept"] is True
    assert after["abstention"]["floor"] == chosen["floor"]
    for share in ("precision", "recall", "answered"):
        together = [chosen[half][share]["n"] for half in ("chosen_on", "rest")]
        assert after["abstention"][share]["n"] == sum(together)
    assert after["measures"] == before["measures"]
    assert [query["results"] for query in after["queries"]] == [
        query["results"] for query in before["queries"]
    ]


def test_search_returns_what_it_did_before() -> None:
    before = succeed("search", "weather tomorrow clean", "--method", "fts5")
    succeed("eval", "floor", "--set", "1000", "--method", "fts5")
    assert steady(succeed("search", "weather tomorrow clean", "--method", "fts5")) == steady(before)


def test_the_same_seed_chooses_the_same_whatever_the_order_of_the_set() -> None:
    def chosen(path: str) -> dict[str, Any]:
        options = ("--method", "vector", "--dry-run", "--json", "--seed", "3")
        value: dict[str, Any] = json.loads(succeed("eval", "floor", path, *options))
        return {name: value[name] for name in ("floor", "chosen_on", "rest", "rest_without")}

    write_set(Path("turned.jsonl"), records()[::-1])
    assert chosen("set.jsonl") == chosen("turned.jsonl")


def test_a_dry_run_keeps_nothing() -> None:
    assert succeed("eval", "floor", "set.jsonl", "--method", "fts5", "--dry-run").endswith(
        "\n\nNot kept, since this is a dry run.\n"
    )
    assert floors() == {}


def test_a_floor_that_does_not_separate_is_not_kept_which_is_said_with_exit_code_2() -> None:
    """Here both lists have the same document first for every query, so that hybrid scores each of them 1."""
    succeed("eval", "floor", "--set", "3", "--method", "hybrid")
    outcome = rankle("eval", "floor", "set.jsonl", "--method", "hybrid")
    assert (outcome.code, outcome.err) == (2, "")
    told = " ".join(outcome.out.split())
    assert told.startswith("Floor of hybrid: none does better than none. Chosen on 12 queries")
    assert "No floor separates queries that nothing answers from others by the scores of hybrid" in told
    assert "Nothing was kept; a floor that stood before stays." in told
    assert "The scores of hybrid are relative to the best result of each list" in told
    assert floors() == {"hybrid": 3}
    outcome = rankle("eval", "floor", "set.jsonl", "--method", "hybrid", "--json")
    assert (outcome.code, valid_json(outcome.out)["separates"]) == (2, False)


@pytest.mark.parametrize(("n_nothing", "n_others"), [(9, 24), (24, 9), (0, 24), (24, 0)])
def test_too_few_queries_of_a_side_say_how_many_it_takes(n_nothing: int, n_others: int) -> None:
    everything = records()
    write_set(Path("few.jsonl"), everything[:n_others] + everything[len(THINGS) :][:n_nothing])
    said = fail("eval", "floor", "few.jsonl", "--method", "fts5")
    assert "takes at least 10 different queries that nothing answers and 10 with a relevant label" in said
    assert f"few.jsonl has {n_nothing} and {n_others}." in said


def test_queries_that_are_asked_again_and_zero_grades_count_for_no_side() -> None:
    again = [dict(record, id=f"again {record['id']}") for record in records(9)]
    zeros = [
        {"query": f"zero {place}", "relevant": [{"document": "pump.md", "relevance": 0}]}
        for place in range(9)
    ]
    write_set(Path("few.jsonl"), [*records(9), *again, *zeros])
    assert "few.jsonl has 9 and 9." in fail("eval", "floor", "few.jsonl", "--method", "fts5")


def test_empty_lists_are_taken_for_nothing_where_that_is_said() -> None:
    found = [
        record if "relevant" in record else {"query": record["query"], "relevant": []} for record in records()
    ]
    write_set(Path("empty.jsonl"), found)
    assert "empty.jsonl has 0 and 24." in fail("eval", "floor", "empty.jsonl", "--method", "fts5")
    succeed("eval", "floor", "empty.jsonl", "--method", "fts5", "--empty-means", "nothing")
    assert list(floors()) == ["fts5"]


def test_floors_are_set_listed_and_dropped() -> None:
    assert succeed("eval", "floor") == "No floor is set. Choose one with: rankle eval floor SET\n"
    assert succeed("eval", "floor", "--set", "0.5", "--method", "fts5").startswith(
        "Set in the workspace default:\n  fts5 0.5, set by hand, 20"
    )
    succeed("eval", "floor", "--set", "-0.25")  # the best method of the workspace
    assert floors() == {"hybrid": -0.25, "fts5": 0.5}
    assert succeed("eval", "floor", "--method", "fts5").startswith(
        "Floors of the workspace default:\n  fts5 0.5, set by hand"
    )
    told = json.loads(succeed("eval", "floor", "--json"))
    assert (told["schema"], [one["method"] for one in told["floors"]]) == (
        "rankle.floors/1",
        ["hybrid", "fts5"],
    )
    assert succeed("eval", "floor", "--clear", "--method", "fts5") == "Dropped the floor of fts5\n"
    assert (
        succeed("eval", "floor", "--clear", "--method", "fts5") == "There was no floor of fts5 in default\n"
    )
    assert json.loads(succeed("eval", "floor", "--clear", "--json"))["floors"] == []
    assert floors() == {}


def test_a_floor_is_of_one_ranking_and_another_does_not_use_it() -> None:
    succeed("eval", "floor", "--set", "0.02", "--method", "hybrid", "--fusion", "rrf")
    assert abstention("--method", "hybrid", "--fusion", "rrf")["floor"] == 0.02
    run = json.loads(succeed("eval", "set.jsonl", "--json", "--method", "hybrid"))
    assert run["abstention"]["floor"] is None
    assert any(notice.startswith("the floor of hybrid (0.02) is for scores of") for notice in run["notices"])


def test_an_evaluation_of_the_set_that_it_was_chosen_on_says_so_and_no_other_does() -> None:
    succeed("eval", "floor", "set.jsonl", "--method", "fts5")
    told = "the floor was chosen on half of these queries"
    assert told in succeed("eval", "set.jsonl", "--method", "fts5")
    write_set(Path("other.jsonl"), records(20))
    assert told not in succeed("eval", "other.jsonl", "--method", "fts5")


def test_workspace_info_tells_a_floor_whose_index_changed_since(tmp_path: Path) -> None:
    succeed("eval", "floor", "set.jsonl", "--method", "fts5")
    succeed("eval", "floor", "--set", "0.5", "--method", "vector")
    assert "changed since" not in succeed("workspace", "info")
    write_files(tmp_path / "docs", {"new.md": document("novelty")})
    succeed("index")
    lines = succeed("workspace", "info").splitlines()
    told = [line for line in lines if "set.jsonl" in line or "by hand" in line]
    assert told[0].startswith("Floors:       vector 0.5, set by hand, ")
    assert told[1].startswith("              fts5 ")
    assert told[1].endswith("; what is indexed changed")
    assert lines[lines.index(told[1]) + 1].strip() == "since"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["set.jsonl", "--clear"], "SET and --clear ask for different things; give one of them"),
        (["--set", "1", "--clear"], "--set and --clear ask for different things"),
        (["--dry-run"], "--dry-run is about choosing a floor on a set; name the set"),
        (["--set", "nan"], "a floor must be a finite number, got nan"),
        (["--set", "1", "--method", "ftss"], 'unknown method "ftss"; did you mean "fts5"?'),
        (["--clear", "--method", "ftss"], 'unknown method "ftss"'),
        (["gone.jsonl"], "gone.jsonl"),
        (["-w", "nowhere"], "no workspace at"),
    ],
)
def test_what_cannot_be_done_is_refused(arguments: list[str], said: str) -> None:
    assert said in fail("eval", "floor", *arguments)


def test_a_record_keeps_the_floor_of_the_day_it_ran(
    tmp_path: Path,
) -> None:
    records_file = str(tmp_path / "runs.db")
    succeed("eval", "floor", "--set", "1", "--method", "fts5")
    succeed("eval", "set.jsonl", "--method", "fts5", "--records", records_file)
    succeed("eval", "floor", "--set", "2", "--method", "fts5")
    succeed("eval", "set.jsonl", "--method", "fts5", "--records", records_file)
    shown = [
        json.loads(succeed(command, ref, "--records", records_file, "--json", *more))["abstention"]["floor"]
        for ref in ("latest~1", "latest")
        for command, more in (("show", ()), ("rescore", ("--measures", "R@5")))
    ]
    assert shown == [1, 1, 2, 2]


@pytest.mark.needs_llm
def test_queries_that_fail_are_on_no_side_and_end_with_2_unless_they_are_allowed() -> None:
    with listening() as http:
        server = serve_embeddings(http)
        server.refuse = lambda texts: (
            Response("no weather here", status=400) if any("the Lisbon" in text for text in texts) else None
        )
        succeed("embed", "--model", server.name)
        options = ("eval", "floor", "set.jsonl", "--method", "vector")
        said = fail(*options)
        assert "the system failed on 1 of 48 queries, more than 0" in said
        assert '"weather the Lisbon tomorrow clean"' in said
        assert floors() == {}
        found = valid_json(rankle(*options, "--max-failures", "1", "--json").out)
        told = rankle(*options, "--max-failures", "1", "--dry-run").out
    assert (found["n_failed"], found["n_undefined"]) == (1, 0)
    assert found["chosen_on"]["recall"]["n_of"] + found["rest"]["recall"]["n_of"] == 23
    assert found["chosen_on"]["answered"]["n_of"] + found["rest"]["answered"]["n_of"] == 24
    assert "1 failed" in told
