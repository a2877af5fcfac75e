"""`rankle search`: what people read, what programs read, and any text as a query."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fakes.command import GUIDE, fail, on_terminal, rankle, steady, succeed, write_files


@pytest.fixture(autouse=True)
def guide(tmp_path: Path) -> Path:
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder)
    return folder


def test_a_result_shows_place_and_passage_with_the_matches_marked() -> None:
    # Words without quotes are one query.
    assert (
        steady(succeed("search", "battery", "voltage", "cable"))
        == """\
1. Errors                                                                   _.__
   errors.md:1-5 chunk-…
   E-42
     # Errors
     ## E-42
     The «battery» «voltage» is below 11 V. Charge it.

2. Setting up the pump                                                      _.__
   setup.md:1-5 chunk-…
   Power
     # Setting up the pump
     ## Power
     Connect the red «cable» to the *«battery»* first.

2 of 2 results, method fts5, workspace default, _ ms
"""
    )


def test_explain_says_what_is_looked_up_and_why_a_result_stands_there() -> None:
    assert (
        steady(succeed("search", "battery voltage zebra -winter", "--explain", "-k", "1"))
        == """\
Terms: 4 (≈ is a stem)
  battery                   in 2 chunks: battery, ≈battery, ≈batteri
  voltage                   in 1 chunk: voltage, ≈voltag
  zebra                     nowhere: zebra, ≈zebra
  -winter (exclude)         nowhere: winter
Stages:
  fts5: 2 candidates, _ ms

1. Errors                                                                   _.__
   errors.md:1-5 chunk-…
   E-42
   fts5 rank 1 (_.__)
   holds battery, voltage; not zebra
     # Errors
     ## E-42
     The «battery» «voltage» is below 11 V. Charge it.

1 of 2 results, method fts5, workspace default, _ ms
"""
    )


def test_passages_of_any_script_are_marked() -> None:
    assert (
        steady(succeed("search", "電圧"))
        == """\
1. filter                                                                   _.__
   ja/filter.txt:1 chunk-…
     フィルターの交換は毎年秋に行います。電池の«電圧»も確認してください。

1 of 1 result, method fts5, workspace default, _ ms
"""
    )


def test_a_query_that_ranked_to_its_depth_says_that_there_may_be_more() -> None:
    assert "\n1 of 1 or more results, " in succeed("search", "battery", "-k", "1", "--depth", "1")


def test_json_has_the_documented_members() -> None:
    value = json.loads(succeed("search", "battery voltage", "--json", "-k", "1", "--depth", "7"))
    assert list(value) == [
        "schema", "workspace", "query", "method", "collection", "group", "k", "depth", "took_ms", "notices",
        "results", "stages", "terms",
    ]  # fmt: skip
    assert (value["schema"], value["query"], value["k"], value["depth"]) == (
        "rankle.search/1", "battery voltage", 1, 7,
    )  # fmt: skip
    (hit,) = value["results"]
    assert list(hit) == [
        "rank", "id", "document", "chunk", "chunks", "score", "title", "breadcrumb", "page", "lines", "span",
        "text", "marks", "terms", "folded", "rank_at", "score_at",
    ]  # fmt: skip
    assert [hit["text"][start:end] for start, end in hit["marks"]] == ["battery", "voltage"]
    assert hit["terms"] == ["battery", "voltage"]
    assert hit["rank_at"] == {"fts5": 1}
    assert hit["score_at"] == {"fts5": hit["score"]}
    assert value["stages"] == [{"name": "fts5", "took_ms": value["stages"][0]["took_ms"], "n_candidates": 2}]
    assert value["terms"] is None


def test_the_help_names_every_member_of_the_json() -> None:
    value = json.loads(succeed("search", "battery", "--json"))
    words = set(succeed("search", "--help").replace(",", " ").replace(":", " ").replace(".", " ").split())
    assert {*value, *value["results"][0]} - {"schema"} <= words


def test_explain_adds_the_terms_to_the_json() -> None:
    value = json.loads(succeed("search", "battery -winter", "--json", "--explain"))
    assert [(term["text"], term["kind"], term["n_chunks"]) for term in value["terms"]] == [
        ("battery", "term", 2), ("-winter", "exclude", 0),
    ]  # fmt: skip


def test_grouped_results_are_documents_with_their_chunks(guide: Path) -> None:
    sections = "".join(f"## Part {n}\n\n{'A battery lasts. ' * 50}\n\n" for n in range(3))
    write_files(guide, {"long.md": f"# Long\n\n{sections}"})
    succeed("index")
    value = json.loads(succeed("search", "lasts", "--group", "document", "--json"))
    (hit,) = value["results"]
    assert (value["group"], hit["id"], hit["document"]) == ("document", "long.md", "long.md")
    assert len(hit["chunks"]) == 3
    assert hit["chunk"] == hit["chunks"][0]
    assert "and 2 more\n" in succeed("search", "lasts", "--group", "document")


def test_a_collection_limits_the_search(tmp_path: Path) -> None:
    succeed(
        "index", write_files(tmp_path / "law", {"law.md": "The voltage directive."}), "--collection", "law"
    )
    found = json.loads(succeed("search", "voltage", "--collection", "law", "--json"))["results"]
    assert [hit["document"] for hit in found] == ["law.md"]


NOTHING_AT_ALL = """\
No results for "zebra crossing".
Nowhere in the workspace: zebra, crossing.
Try other words, or the beginning of one, such as cross*.
What there is to find: rankle docs list
"""
NO_ENDINGS = """\
No results for "犬".
Nowhere in the workspace: 犬.
Try other words.
What there is to find: rankle docs list
"""
ALL_EXCLUDED = """\
No results for "zebra voltage -battery".
Nowhere in the workspace: zebra.
Every match was excluded by -battery. Try without.
"""
NO_WORD = """\
No results for "?!".

Note: the query holds no letter or digit to search for
"""


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        (["zebra", "crossing"], NOTHING_AT_ALL),
        (["犬"], NO_ENDINGS),
        (["zebra voltage -battery"], ALL_EXCLUDED),
        (["?!"], NO_WORD),
    ],
)
def test_no_result_says_why_and_what_to_try(query: list[str], lines: str) -> None:
    printed = succeed("search", *query)
    assert printed.startswith(lines)
    assert steady(printed).endswith("\n0 results, method fts5, workspace default, _ ms\n")


def test_no_result_in_a_collection_says_where_the_words_stand(tmp_path: Path) -> None:
    succeed("index", write_files(tmp_path / "law", {"law.md": "The directive."}), "--collection", "law")
    assert 'Outside of "law": voltage. Try without --collection.\n' in succeed(
        "search", "voltage", "--collection", "law"
    )


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"unclosed',
        "AND OR NOT",
        "*",
        "NEAR(",
        "a\0b",
        "💥",
        "-",
        "--",
        "a" * 10_000,
        "ab " * 3_333,
        "\udcff",
    ],
    ids=lambda query: repr(query[:12]),
)
def test_any_text_is_a_query(query: str) -> None:
    outcome = rankle("search", "--", query)
    assert (outcome.code, outcome.err) == (0, "")
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize(
    "args",
    [
        ["-voltage"],
        ["-voltage", "--json"],
        ["--", "-voltage"],
        ["--voltage in words"],
        ["-voltage", "of", "-k", "1"],
    ],
)
def test_a_query_that_begins_with_a_minus_is_text(args: list[str]) -> None:
    assert "errors.md" in succeed("search", *args)


def test_a_first_argument_that_could_be_an_option_is_one() -> None:
    assert succeed("search", "-k1", "battery").count("chunk-") == 1
    assert succeed("search", "-h").startswith("Usage: ")
    assert "no workspace at" in fail("search", "-wdefalt", "x")


def test_the_help_says_how_a_query_begins_with_a_minus() -> None:
    assert 'rankle search -- "-k is ignored"' in succeed("search", "--help")


def test_the_json_is_as_its_published_schema_says() -> None:
    schema = json.loads(
        files("rankle.reports").joinpath("schemas", "search-1.json").read_text(encoding="utf-8")
    )
    for args in (["battery -winter"], ["電圧", "--explain"], ["zebra"], ["battery", "--group", "document"]):
        jsonschema.validate(json.loads(succeed("search", *args, "--json")), schema)
    value = json.loads(succeed("search", "battery", "--json"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value | {"schema": "rankle.search/2"}, schema)


def test_text_from_documents_cannot_steer_the_terminal(guide: Path) -> None:
    write_files(
        guide, {"evil.md": "# \x1b]0;owned\x07 title\n\nThe \x1b[2J quokka \u202ebackwards\r\x9b31m ends.\n"}
    )
    succeed("index")
    printed = succeed("search", "quokka")
    assert "The ?[2J «quokka» ?backwards" in printed
    assert not {"\x1b", "\x07", "\x9b", "\r", "\u202e"} & set(printed)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["x", "--method", "fts"], 'unknown method "fts"; did you mean "fts5"? Known: hybrid, vector, fts5.'),
        (["x", "--collection", "defalt"], 'unknown collection "defalt"; did you mean "default"?'),
        (["x", "-w", "defalt"], 'defalt; did you mean "default"? The first index makes'),
        (["x", "-k", "5", "--depth", "2"], "k must not exceed depth, got k 5 and depth 2. Raise depth"),
        (["x", "-k", "0"], "Invalid value for '-k': 0 is not in the range x>=1."),
        (["x", "--group", "doc"], "'doc' is not one of 'chunk', 'document'."),
        (["x", "-pie"], 'To exclude a word, quote the query: "apple -pie". A query that begins'),
        (["--json", "-vpn"], 'A query that begins with a minus: rankle search -- "-pie"'),
        (["--jsn", "vpn"], "No such option"),
        ([], "Missing argument 'QUERY'."),
    ],
)  # fmt: skip
def test_wrong_usage_exits_with_2_and_says_what_is_allowed(args: list[str], message: str) -> None:
    assert message in fail("search", *args)


def test_without_a_workspace_the_next_step_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLE_HOME", str(home / "new"))
    assert fail("search", "x") == (
        f"Error: no workspace at {home / 'new' / 'default'}. The first index makes one: rankle index PATH\n"
    )
    succeed("workspace", "create", "empty")
    assert fail("search", "x", "-w", "empty") == (
        "Error: the workspace holds no documents. Index some: rankle index PATH -w empty\n"
    )


def test_a_log_that_cannot_be_written_is_a_warning_beside_the_results(home: Path) -> None:
    (home / "default" / "searches.db").mkdir()
    outcome = rankle("search", "voltage")
    assert outcome.code == 0
    assert "errors.md" in outcome.out
    assert outcome.err.startswith("Warning: the search log ")
    assert rankle("search", "voltage", "--no-log").err == ""


def test_words_that_stand_nearly_everywhere_are_not_marked(guide: Path) -> None:
    write_files(
        guide,
        {
            f"many/{n}.md": f"The pump number {n} is checked, and the result is written down.\n"
            for n in range(100)
        },
    )
    succeed("index")
    assert "«the»" in succeed("search", "the", "-k", "1")
    assert "The pump number «42» is checked, and the result is written down." in succeed(
        "search", "the number 42", "-k", "1"
    )


@pytest.mark.parametrize(
    ("environ", "marked"),
    [
        ({}, "The battery \x1b[1mvoltage\x1b[0m is"),
        ({"NO_COLOR": "1"}, "The battery «voltage» is"),
        ({"TERM": "dumb"}, "The battery «voltage» is"),
    ],
)
def test_matches_are_bold_on_a_terminal_that_takes_styles(environ: dict[str, str], marked: str) -> None:
    code, seen = on_terminal("search", "voltage", environ=environ)
    assert code == 0
    assert marked in seen
