"""`rankle explain`: the report at 80 columns, the JSON with its schema, and wrong usage."""

import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fakes.command import GUIDE, fail, on_terminal, steady, succeed, write_files


@pytest.fixture(autouse=True)
def guide(tmp_path: Path) -> Path:
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder, "--model", "fake")
    return folder


def numberless(text: str) -> str:
    """Scores are the model's; ranks and words are what is tested."""
    return steady(re.sub(r"(?<!<)-?\d+\.\d{4}", lambda found: "_.____".ljust(len(found[0])), text))


def test_the_report_says_why_first_and_then_what_it_rests_on() -> None:
    assert (
        numberless(succeed("explain", "red cable battery", "--target", "errors.md", "-k", "1"))
        == """\
Query:   red cable battery
Target:  document errors.md, Errors

Lost: below k. No stage ranks it first: fts5 ranks it 2, vector ranks it 2,
fused 2. 1 result stands above it. Its best chunk lacks red, cable.

Stage     Rank of documents     Score        At rank 1    Short by
fts5      2 of 2                <0.0001      _.____       _.____
vector    2 of 4                _.____       _.____       _.____
fusion    2 of 4                _.____       _.____       _.____

Above it in fusion, where it has _.____:
  1. setup.md with _.____
Its best chunk in fts5, vector, fusion: chunk-…

Terms
  red                       not held; in 1 chunk
  cable                     not held; in 1 chunk
  battery                   held; in 2 chunks

No setting of the fusion brings it onto the first page.
Shown from -k 2 on.

Method hybrid, workspace default, _ ms
"""
    )


def test_a_target_on_the_page_is_said_to_be_there() -> None:
    out = succeed("explain", "battery", "voltage", "--target", "errors.md", "--method", "fts5")
    assert "\nOn the first page. It stands at rank 1; the first 10 are shown.\n" in out
    assert "Shown from" not in out


def test_a_chunk_is_ranked_among_chunks() -> None:
    (hit, *_others) = json.loads(succeed("search", "battery voltage", "--json"))["results"]
    out = succeed("explain", "battery voltage", "--target", hit["id"])
    assert f"Target:  chunk {hit['id']} of errors.md, Errors\n" in out
    assert "Rank of chunks" in out


@pytest.mark.parametrize("method", ["fts5", "vector", "hybrid"])
@pytest.mark.parametrize("query", ["battery voltage", "battery -red", "?!", "zebra"])
def test_the_json_follows_its_schema_and_the_help_names_its_members(method: str, query: str) -> None:
    text = succeed("explain", query, "--target", "setup.md", "--method", method, "--json", "-k", "1")
    value = json.loads(text)
    jsonschema.validate(
        value, json.loads(files("rankle.reports").joinpath("schemas", "explain-1.json").read_text())
    )
    words = set(succeed("explain", "--help").replace(",", " ").replace(":", " ").replace(".", " ").split())
    assert set(value) - {"schema"} <= words
    searched = json.loads(
        succeed("search", query, "--group", "document", "--method", method, "--json", "--no-log")
    )
    hit = next((hit for hit in searched["results"] if hit["id"] == "setup.md"), None)
    ranks = {stage["name"]: stage["rank"] for stage in value["stages"] if stage["rank"] is not None}
    assert ranks == (hit["rank_at"] if hit else {})
    assert value["rank"] == (hit["rank"] if hit else None)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["battery"], "Missing option '--target'."),
        (["--target", "setup.md"], "Missing argument 'QUERY'."),
        (["battery", "--target", "setp.md"], 'unknown document "setp.md"; did you mean "setup.md"?'),
        (["battery", "--target", "chunk-0123456789ab"], "neither a document nor a chunk"),
        (["battery", "--target", "setup.md", "--collection", "defalt"], 'did you mean "default"?'),
        (["battery", "--target", "setup.md", "-w", "other"], "rankle index PATH"),
        (["battery", "--target", "setup.md", "--method", "fts5", "--fusion", "rrf"], "settings of method"),
        (["--json", "-vpn"], 'A query that begins with a minus: rankle explain -- "-pie"'),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_allowed(args: list[str], message: str) -> None:
    assert message in fail("explain", *args)


def test_explaining_is_not_logged_as_a_search() -> None:
    succeed("explain", "battery voltage", "--target", "setup.md")
    assert "battery" not in succeed("analytics")


def test_a_query_of_nothing_has_no_table_and_large_k_keeps_its_columns() -> None:
    assert "Rank of documents" not in succeed("explain", "...", "--target", "setup.md")
    assert "At rank 1000000  Short by" in succeed(
        "explain", "voltage", "--target", "setup.md", "-k", "1000000"
    )


@pytest.mark.parametrize("columns", [40, 60])
@pytest.mark.parametrize("args", [("explain", "red cable", "--target", "errors.md"), ("search", "red cable")])
def test_a_narrow_terminal_is_kept_to(columns: int, args: tuple[str, ...]) -> None:
    code, seen = on_terminal(*args, "-k", "1", environ={"COLUMNS": str(columns)})
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in seen.splitlines()]
    assert code == 0
    assert any("fts5" in line or "hybrid" in line for line in lines)
    assert [line for line in lines if len(line) > columns] == []
