"""`rankle rate` and `rankle ratings`: what is rated stays, whatever becomes of the index."""

import csv
import json
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fakes.command import GUIDE, fail, on_terminal, rankle, succeed, write_files
from fakes.schemas import valid_json
from fakes.terminal import play

QUERY = "battery voltage"


@pytest.fixture(autouse=True)
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RANKLE_RATER", "anna")
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder)
    return folder


def chunks(query: str = QUERY) -> list[str]:
    """Ids of the chunks that a query finds, best first."""
    found = json.loads(succeed("search", query, "--json", "--no-log"))
    return [result["chunk"] for result in found["results"]]


def listed(*options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = valid_json(succeed("ratings", "list", "--json", *options))["ratings"]
    return found


def give(*options: str, chunk: str | None = None, query: str = QUERY, rating: int = 4) -> str:
    return succeed("rate", chunk or chunks()[0], "--query", query, "--rating", str(rating), *options)


def test_a_rating_keeps_the_passage_and_who_gave_it(guide: Path) -> None:
    printed = give("--note", "says how low")
    (kept,) = listed()
    assert printed == (
        f'Rated 4: {kept["chunk"]} for "battery voltage", by anna (#1)\n'
        "  # Errors ## E-42 The battery voltage is below 11 V. Charge it.\n"
    )
    text = succeed("docs", "show", "errors.md", "--text")
    assert text[kept["start"] : kept["end"]] == kept["quote"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", kept.pop("at"))
    assert kept == {
        "id": 1, "query": QUERY, "collection": None, "document": "errors.md", "chunk": chunks()[0],
        "start": 0, "end": kept["end"], "quote": kept["quote"], "rating": 4, "rater": "anna",
        "note": "says how low", "standing": "indexed",
    }  # fmt: skip


def test_json_of_a_rating() -> None:
    printed = valid_json(give("--json", "--rater", "ben"))
    assert (printed["schema"], printed["id"], printed["rater"]) == ("rankle.rating/1", 1, "ben")


def test_no_index_loses_a_rating_and_what_became_of_it_is_said(guide: Path) -> None:
    give()
    give(chunk=chunks()[1])
    before = listed()
    write_files(guide, {"errors.md": "# Errors\n\nAll is new here.\n"})
    (guide / "setup.md").unlink()
    succeed("index")
    succeed("docs", "remove", "errors.md", "--yes")
    succeed("index")
    after = listed()
    assert [each["standing"] for each in after] == ["recut", "gone"]
    assert [each | {"standing": "indexed"} for each in after] == before
    assert listed("--gone") == after[1:]
    rows = succeed("ratings", "list").splitlines()
    assert [row.partition("errors.md")[2] or row.partition("setup.md")[2] for row in rows[1:3]] == [
        " (cut anew)", " (gone)",
    ]  # fmt: skip
    assert rows[-1] == "2 ratings, 1 query, 1 rater, 1 of documents that are gone"


def test_list_has_a_line_for_every_rating_within_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    assert succeed("ratings", "list") == "No ratings. Give some: rankle rate\n"
    give(rating=5)
    give("--rater", "a rater with a long name", query="how low may the voltage of the battery fall " * 3)
    lines = succeed("ratings", "list").splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["#", "R", "Date", "Rater", "Query", "Document"]
    assert re.fullmatch(r" +1  5  \d{4}-\d\d-\d\d  anna +battery voltage +errors\.md", lines[1])


@pytest.mark.parametrize("width", [40, 60])
def test_ratings_fit_on_narrow_screens(width: int) -> None:
    give(rating=5)
    give("--rater", "a rater with a long name", query="how low may the voltage of the battery fall " * 3)
    code, shown = on_terminal("ratings", "list", environ={"COLUMNS": str(width), "NO_COLOR": "1"})
    lines = shown.splitlines()
    assert (code, max(map(len, lines)) <= width) == (0, True)
    assert " ".join(lines).count("errors.md") == 2


def test_ratings_are_chosen_by_query_rater_and_document() -> None:
    give()
    give("--rater", "ben", chunk=chunks()[1])
    give(query="Charge it")
    assert [each["id"] for each in listed("--rater", "anna")] == [1, 3]
    assert [each["id"] for each in listed("--query", "CHARGE")] == [3]
    assert [each["id"] for each in listed("--document", "setup.md", "--query", "volt")] == [2]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["chunk-000000000000", "--query", "x", "--rating", "1"], 'unknown chunk "chunk-000000000000"'),
        (["CHUNK"], "a rating needs the query and the grade"),
        (["CHUNK", "--query", "x", "--rating", "6"], "6 is not in the range 1<=x<=5"),
        (["CHUNK", "--query", " ", "--rating", "1"], "the query of a rating must be text that is not blank"),
        (["CHUNK", "--query", "x", "--rating", "1", "-k", "3"], "with CHUNK nothing is searched"),
        (["CHUNK", "--query", "x", "--rating", "1", "--collection", "defalt"], 'did you mean "default"?'),
        (["--rating", "3"], "name its chunk"),
        ([], "this needs a terminal"),
        (["--query", "x"], "this needs a terminal"),
    ],
    ids=lambda value: "_".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_rated_is_refused_with_the_next_step(args: list[str], said: str) -> None:
    first = chunks()[0]
    assert said in fail("rate", *(first if arg == "CHUNK" else arg for arg in args))
    assert listed() == []


def test_a_misspelt_chunk_suggests_the_nearest() -> None:
    first = chunks()[0]
    wrong = first[:-1] + ("0" if first[-1] != "0" else "1")
    assert f'did you mean "{first}"' in fail("rate", wrong, "--query", "x", "--rating", "1")


def test_bytes_that_are_no_text_become_what_can_be_stored() -> None:
    give("--rater", "j\udcf6rg", query="w\udce4rme")
    (kept,) = listed()
    assert (kept["query"], kept["rater"]) == ("w\ufffdrme", "j\ufffdrg")


def test_export_writes_every_member_as_json_lines_or_csv(tmp_path: Path) -> None:
    give("--note", 'with "quotes", and\nlines')
    lines = succeed("ratings", "export").splitlines()
    (kept,) = listed()
    del kept["standing"]
    assert [json.loads(line) for line in lines] == [kept]
    path = tmp_path / "out.csv"
    assert succeed("ratings", "export", "-o", path) == f"Wrote 1 rating to {path}\n"
    with path.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row == {name: "" if value is None else str(value) for name, value in kept.items()}
    assert "let it end in .jsonl or .csv" in fail("ratings", "export", "-o", tmp_path / "out.xlsx")
    assert succeed("ratings", "export", "--rater", "nobody") == ""


def test_ratings_can_be_exported_from_a_workspace_that_cannot_be_opened(home: Path) -> None:
    give()
    (home / "default" / "workspace.db").write_bytes(b"no database " * 100)
    assert json.loads(succeed("ratings", "export"))["rating"] == 4
    assert "with 1 rating (to save: rankle ratings export -w default -o ratings.jsonl)?" in fail(
        "workspace", "delete", "default"
    )


def test_remove_takes_numbers_or_a_choice_and_asks_first() -> None:
    for rater in ("anna", "anna", "ben"):
        give("--rater", rater)
    assert fail("ratings", "remove", "1") == (
        "Error: Remove 1 rating from workspace default? Nobody can be asked here; to go ahead, add --yes\n"
    )
    assert "no rating has the number 9" in fail("ratings", "remove", "1", "9", "--yes")
    assert "say which ratings go" in fail("ratings", "remove", "--yes")
    assert "say which ratings go" in fail("ratings", "remove", "1", "--all", "--yes")
    assert len(listed()) == 3
    assert succeed("ratings", "remove", "1", "--yes") == "Removed: 1 rating\n"
    assert "No rating is of that kind" in succeed("ratings", "remove", "--gone", "--yes")
    assert succeed("ratings", "remove", "--rater", "anna", "--yes") == "Removed: 1 rating\n"
    assert [each["rater"] for each in listed()] == ["ben"]
    assert succeed("ratings", "remove", "--all", "--yes") == "Removed: 1 rating\n"


def test_deleting_a_workspace_says_how_many_ratings_go(home: Path) -> None:
    give()
    assert "Ratings:      1\n" in succeed("workspace", "info")
    assert "Delete the workspace default with 1 rating (to save: rankle ratings export" in fail(
        "workspace", "delete", "default"
    )
    assert succeed("workspace", "delete", "default", "--yes") == "Deleted: default, with 1 rating\n"


def test_a_round_on_a_terminal_keeps_every_key_at_once() -> None:
    code, seen = on_terminal(
        "rate",
        "-k",
        "2",
        typed=(f"{QUERY}\n", *"5u4n", " only half\n", "2", "ferries\n", "zebras\n", "\n"),
    )
    assert code == 0, seen
    assert "2 ratings kept. Next: rankle eval generate-from-ratings" in seen
    found = [(each["query"], each["rating"], each["note"], each["document"]) for each in listed()]
    assert found == [(QUERY, 4, None, "errors.md"), (QUERY, 2, "only half", "setup.md")]
    assert 'No results for "ferries"' in seen


def test_keys_with_an_escape_sequence_rate_nothing() -> None:
    """Page Up sends Escape, [, 5 and ~."""
    code, seen = on_terminal(
        "rate", "--query", QUERY, typed=("\x1b[5~", "\x1b[A", "\x1bOP", "\x1bs", "4", "q")
    )
    assert code == 0, seen
    assert [each["rating"] for each in listed()] == [4]


def test_a_killed_round_loses_nothing() -> None:
    """The first key is kept before the next is asked for."""
    assert play("rate", "--query", QUERY, typed="3", ended_by=signal.SIGKILL).code != 0
    assert [each["rating"] for each in listed()] == [3]


def test_two_raters_at_once_lose_nothing_while_documents_are_cut_anew(guide: Path) -> None:
    with ThreadPoolExecutor(2) as both:
        rounds = [
            both.submit(play, "rate", "--query", QUERY, "-k", "2", "--rater", rater, typed=typed)
            for rater, typed in (("anna", "54\n"), ("ben", "12\n"))
        ]
        succeed("index", guide, "--chunker", "sentence")
        assert [each.result().code for each in rounds] == [0, 0]
    found = listed()
    assert sorted((each["rater"], each["rating"]) for each in found) == [
        ("anna", 4), ("anna", 5), ("ben", 1), ("ben", 2),
    ]  # fmt: skip
    assert all(each["quote"] for each in found)


def test_a_round_shows_what_was_rated_before() -> None:
    give(rating=5, query="Battery  VOLTAGE")
    _, seen = on_terminal("rate", "--query", QUERY, typed="q")
    assert "You rated it 5 on " in seen


def test_ctrl_c_ends_a_round_and_keeps_what_was_given() -> None:
    assert play("rate", "--query", QUERY, typed="5", ended_by=signal.SIGINT).code == 130
    assert [each["rating"] for each in listed()] == [5]


def test_rounds_are_not_in_the_search_log() -> None:
    on_terminal("rate", "--query", QUERY, typed="q")
    assert "Searches:     0 in the log" in succeed("workspace", "info")


def test_an_unknown_method_is_refused_before_anybody_types() -> None:
    code, seen = on_terminal("rate", "--method", "vectr")
    assert code == 2
    assert 'unknown method "vectr"; did you mean "vector"?' in seen


def test_an_empty_workspace_has_nothing_to_rate() -> None:
    succeed("workspace", "create", "empty")
    code, seen = on_terminal("rate", "-w", "empty")
    assert (code, "the workspace holds no documents" in seen) == (2, True)
    assert rankle("ratings", "list", "-w", "nowhere").code == 2
