"""`rankle search` by vectors and by both: what people and programs read, and the options of ranking."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fakes.command import GUIDE, fail, rankle, steady, succeed, write_files
from rankle.kb.fusion import DEFAULT_CANDIDATES, Fusion
from rankle.kb.search_settings import DEFAULT_SETTINGS


@pytest.fixture(autouse=True)
def guide(tmp_path: Path) -> Path:
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder, "--model", "fake")
    return folder


def test_with_vectors_the_best_method_is_used_and_named() -> None:
    assert (
        steady(succeed("search", "battery voltage", "-k", "1", "--explain"))
        == """\
Terms: 2 (≈ is a stem)
  battery                   in 2 chunks: battery, ≈battery, ≈batteri
  voltage                   in 1 chunk: voltage, ≈voltag
Stages:
  fts5: 2 candidates, _ ms
  vector: 4 candidates, _ ms
  fusion: 4 candidates, _ ms

1. Errors                                                                  _.__
   errors.md:1-5 chunk-…
   E-42
   fts5 rank 1 (_.__), vector rank 1 (_.__), fusion rank 1 (_.__)
   holds battery, voltage
     # Errors
     ## E-42
     The «battery» «voltage» is below 11 V. Charge it.

1 of 4 results, method hybrid, workspace default, _ ms
"""
    )


@pytest.mark.parametrize(
    ("method", "stages"),
    [("fts5", ["fts5"]), ("vector", ["vector"]), ("hybrid", ["fts5", "vector", "fusion"])],
)
def test_the_json_has_rank_and_score_in_every_stage(method: str, stages: list[str]) -> None:
    value = json.loads(succeed("search", "battery voltage", "--method", method, "--json"))
    jsonschema.validate(
        value, json.loads(files("rankle.reports").joinpath("schemas", "search-1.json").read_text())
    )
    assert value["method"] == method
    assert [stage["name"] for stage in value["stages"]] == stages
    first = value["results"][0]
    assert set(first["rank_at"]) == set(first["score_at"]) == set(stages)
    assert first["score_at"][stages[-1]] == first["score"]


def test_what_holds_none_of_the_words_is_found_by_vectors_alone() -> None:
    found = json.loads(succeed("search", "filter", "--json", "--explain"))["results"]
    assert any("fts5" not in hit["rank_at"] and "vector" in hit["rank_at"] for hit in found)
    assert "fts5 not found, vector rank" in succeed("search", "filter", "--explain")


def test_some_vectors_missing_is_told_and_a_method_that_was_asked_for_is_refused(guide: Path) -> None:
    write_files(guide, {"new.md": "A new battery."})
    succeed("index", "--no-vectors")
    out = succeed("search", "battery")
    note = "Note: searched by full text alone: only 4 of 5 chunks have a vector. Bring them"
    assert f"\n{note}\n" in out
    assert "method fts5" in out
    assert "Make them: rankle embed -w default" in fail("search", "battery", "--method", "hybrid")


def test_options_move_the_order() -> None:
    def scores(*options: str) -> list[float]:
        found = json.loads(succeed("search", "battery cable", "--json", *options))["results"]
        return [hit["score"] for hit in found]

    assert scores() != scores("--vector-weight", "1") != scores("--fusion", "rrf") != scores()
    assert scores("--candidates", "1")[-1] < 0


def test_small_scores_are_shown_with_more_digits() -> None:
    first = succeed("search", "battery", "--fusion", "rrf").splitlines()[0]
    assert first.endswith(" 0.0328")
    assert succeed("search", "battery").splitlines()[0].endswith(" 1.000")


def test_near_duplicates_are_folded_and_documents_cut(guide: Path) -> None:
    write_files(guide, {"copy.md": GUIDE["setup.md"], "copy2.md": GUIDE["setup.md"]})
    succeed("index")
    out = succeed("search", "red cable", "--collapse")
    assert "\n   2 results that nearly repeat it folded in\n" in out
    value = json.loads(succeed("search", "red cable", "--collapse", "--json"))
    folded = value["results"][0]["folded"]
    assert len(folded) == 2
    assert "folded in: " + folded[0] in succeed("search", "red cable", "--collapse", "--explain")
    assert value["stages"][-1]["name"] == "cut"
    assert len(json.loads(succeed("search", "red cable", "--json"))["results"]) == len(value["results"]) + 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--fusion", "rff"], "'rff' is not one of 'convex', 'rrf'."),
        (["--vector-weight", "1.5"], "1.5 is not in the range 0<=x<=1."),
        (["--vector-weight", "nan"], "vector weight must be a number in 0 to 1, got nan"),
        (["--candidates", "0"], "0 is not in the range x>=1."),
        (["--per-document", "0"], "0 is not in the range x>=1."),
        (["--method", "fts5", "--fusion", "rrf"], "settings of method hybrid, and this search was made with"),
    ],
)  # fmt: skip
def test_wrong_options_exit_with_2_and_say_what_is_allowed(args: list[str], message: str) -> None:
    assert message in fail("search", "x", *args)


def test_a_search_that_is_refused_is_not_logged() -> None:
    fail("search", "battery", "--method", "fts5", "--fusion", "rrf")
    assert rankle("analytics").out == rankle("analytics").out
    assert "battery" not in rankle("analytics").out


def test_the_help_tells_the_true_defaults() -> None:
    words = " ".join(succeed("search", "--help").split())
    assert f"--candidates N Chunks of each list that hybrid fuses. Default: {DEFAULT_CANDIDATES}." in words
    assert f"Default: {Fusion().weight:g}; {Fusion('rrf').weight:g} with rrf." in words
    assert f"Default: {DEFAULT_SETTINGS.fusion.kind}." in words
