"""`rankle eval generate-from-ratings`: from ratings to figures, whatever became of the index."""

import json
from pathlib import Path

import pytest

from fakes.command import GUIDE, fail, succeed, write_files
from fakes.schemas import valid_json

QUERY = "battery voltage"


@pytest.fixture(autouse=True)
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RANKLE_RATER", "anna")
    monkeypatch.chdir(tmp_path)
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder)
    return folder


def give(place: int, rating: int, *, query: str = QUERY, rater: str = "anna") -> None:
    found = json.loads(succeed("search", QUERY, "--json", "--no-log"))["results"]
    succeed("rate", found[place]["chunk"], "--query", query, "--rating", str(rating), "--rater", rater)


def test_a_set_of_ratings_is_written_and_can_be_evaluated(tmp_path: Path) -> None:
    give(0, 5)
    give(1, 1)
    give(1, 3, query="cable")
    give(1, 2, query="filter")
    assert (
        succeed("eval", "generate-from-ratings")
        == """\
Wrote 2 queries with 3 judgments to eval.jsonl
  of 4 ratings by 1 rater
Left out: 1 passage rated above 2 and below 4, which says neither (with them 1
  query)
1 query with nothing relevant: undefined in most measures, and counted apart
Recall is relative to what was rated: what nobody was shown counts as not
relevant.
Next: rankle eval eval.jsonl
"""
    )
    first, second = map(json.loads, (tmp_path / "eval.jsonl").read_text(encoding="utf-8").splitlines())
    assert [(label["document"], label["relevance"]) for label in first["relevant"]] == [
        ("errors.md", 2), ("setup.md", 0),
    ]  # fmt: skip
    assert (second["query"], second["tags"]) == ("filter", ["rated"])
    run = json.loads(succeed("eval", "eval.jsonl", "--level", "document", "--json"))
    assert run["measures"]["nDCG@10"]["mean"] == 1.0


def test_labels_say_where_passages_stand_now_and_what_is_gone_is_left_out(
    guide: Path, tmp_path: Path
) -> None:
    give(0, 5)
    give(1, 4)
    before = json.loads(succeed("ratings", "export").splitlines()[0])
    (guide / "setup.md").unlink()
    errors = guide / "errors.md"
    errors.write_text("A new line at the top.\n\n" + errors.read_text(encoding="utf-8"), encoding="utf-8")
    succeed("index")
    printed = succeed("eval", "generate-from-ratings", "-o", "now.jsonl")
    assert "Left out: 1 passage held by no indexed document any more\n" in printed
    (record,) = map(json.loads, (tmp_path / "now.jsonl").read_text(encoding="utf-8").splitlines())
    (label,) = record["relevant"]
    text = succeed("docs", "show", "errors.md", "--text")
    assert label["start"] == before["start"] + 24
    assert text[label["start"] : label["end"]] == label["quote"] == before["quote"]
    held = json.loads(succeed("docs", "show", "errors.md", "--chunks", "--json"))["chunks"]
    assert label["chunk"] in {chunk["id"] for chunk in held}


def test_the_same_ratings_make_the_same_bytes(tmp_path: Path) -> None:
    give(1, 4, rater="ben")
    give(0, 5)
    succeed("eval", "generate-from-ratings", "-o", "a.jsonl")
    succeed("eval", "generate-from-ratings", "-o", "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_a_file_that_is_there_is_not_written_over_unless_told(tmp_path: Path) -> None:
    give(0, 5)
    (tmp_path / "eval.jsonl").write_text("mine", encoding="utf-8")
    assert "eval.jsonl is there already" in fail("eval", "generate-from-ratings")
    assert (tmp_path / "eval.jsonl").read_text(encoding="utf-8") == "mine"
    succeed("eval", "generate-from-ratings", "--force")
    assert valid_json(succeed("eval", "generate-from-ratings", "--force", "--json"))["n_queries"] == 1


def test_what_was_edited_in_its_document_stays_rated_and_what_is_like_it_elsewhere_is_not(
    guide: Path, tmp_path: Path
) -> None:
    give(0, 5)
    text = (guide / "errors.md").read_text(encoding="utf-8")
    edited = text.replace("The battery voltage", "The voltage")
    (guide / "errors.md").write_text(f"New here.\n\n{edited}", encoding="utf-8")
    succeed("index")
    succeed("eval", "generate-from-ratings", "-o", "edited.jsonl")
    (record,) = map(json.loads, (tmp_path / "edited.jsonl").read_text(encoding="utf-8").splitlines())
    assert [label["document"] for label in record["relevant"]] == ["errors.md"]
    assert json.loads(succeed("eval", "edited.jsonl", "--json"))["labels"]["n_joined"] == 1
    (guide / "errors.md").rename(guide / "faults.md")
    succeed("index")
    assert "no indexed document holds a passage" in fail("eval", "generate-from-ratings", "-o", "gone.jsonl")


def test_a_set_with_nothing_relevant_says_that_there_is_nothing_to_measure_yet() -> None:
    give(0, 1)
    printed = succeed("eval", "generate-from-ratings")
    assert printed.endswith("Nothing is rated 4 or more, so nothing can be measured. Next: rankle rate\n")


def test_what_makes_no_set_says_why(guide: Path, tmp_path: Path) -> None:
    assert "there are no ratings to make a set of" in fail("eval", "generate-from-ratings")
    give(1, 3)
    assert "all 1 rated passages lie between" in fail("eval", "generate-from-ratings")
    succeed("eval", "generate-from-ratings", "--min-rating", "3")
    (guide / "setup.md").unlink()
    succeed("index")
    assert "no indexed document holds a passage that was rated" in fail(
        "eval", "generate-from-ratings", "--min-rating", "3", "--force"
    )
    assert "end out.csv in .jsonl" in fail("eval", "generate-from-ratings", "-o", "out.csv")
    assert "6 is not in the range" in fail("eval", "generate-from-ratings", "--min-rating", "6")
