"""A seeded folder, indexed and evaluated at the command line; every figure worked out by hand.

query        results, best first     judged                      R@1  R@2  P@1  P@2  RR@2  Hit@1  Hit@2
graded       zebra, herd             zebra 1, herd 3             1/2  1    1    1    1     1      1
first        okapi                   okapi 1                     1    1    1    1/2  1     1      1
second       hammer, screw           screw 1, hammer 0           0    1    0    1/2  1/2   0      1
other words  none                    screw 1, hammer 1           0    0    0    0    0     0      0
gone         okapi                   okapi 1, giraffe 1          1/2  1/2  1    1/2  1     1      1
undefined    hammer                  hammer 0                    no relevant target: in no mean
"""

import json
from math import log2
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fakes.command import rankle, succeed, write_files
from rankle.reports import schema

FOLDER = {
    "animals/zebra.md": "# Zebra\n\nA zebra has stripes. No two animals share a pattern.\n",
    "animals/herd.md": "# Herds\n\nMany kinds live together on the plain, and a zebra is among them.\n",
    "animals/okapi.txt": "The okapi lives in the rain forest and eats leaves.\n",
    "tools/hammer.md": "# Hammer\n\nDrive the nail with short strokes.\n",
    "tools/screw.md": "# Screws\n\nTurn slowly; wood splits when a screw goes in fast.\n",
}
SET: list[dict[str, Any]] = [
    {
        "id": "graded",
        "query": "zebra",
        "relevant": [
            {"document": "animals/zebra.md", "relevance": 1},
            {"document": "animals/herd.md", "relevance": 3},
        ],
    },
    {"id": "first", "query": "okapi leaves", "relevant": ["animals/okapi.txt"]},
    {
        "id": "second",
        "query": "screw wood hammer nail strokes",
        "relevant": ["tools/screw.md", {"document": "tools/hammer.md", "relevance": 0}],
    },
    {"id": "other words", "query": "carpentry", "relevant": ["tools/screw.md", "tools/hammer.md"]},
    {"id": "gone", "query": "okapi", "relevant": ["animals/okapi.txt", "animals/giraffe.md"]},
    {"id": "undefined", "query": "nail", "relevant": [{"document": "tools/hammer.md", "relevance": 0}]},
]
_SECOND = 1 / log2(3)  # discount at rank 2
NDCG_2 = {
    "graded": (1 + 3 * _SECOND) / (3 + 1 * _SECOND),
    "first": 1.0,
    "second": _SECOND,
    "other words": 0.0,
    "gone": 1 / (1 + _SECOND),
}
MEANS = {
    "R@1": (1 / 2 + 1 + 0 + 0 + 1 / 2) / 5,
    "R@2": (1 + 1 + 1 + 0 + 1 / 2) / 5,
    "P@1": (1 + 1 + 0 + 0 + 1) / 5,
    "P@2": (1 + 1 / 2 + 1 / 2 + 0 + 1 / 2) / 5,
    "RR@2": (1 + 1 + 1 / 2 + 0 + 1) / 5,
    "nDCG@1": (1 / 3 + 1 + 0 + 0 + 1) / 5,
    "nDCG@2": sum(NDCG_2.values()) / 5,
    "Hit@1": (1 + 1 + 0 + 0 + 1) / 5,
    "Hit@2": (1 + 1 + 1 + 0 + 1) / 5,
    "Judged@2": (1 + 1 / 2 + 1 + 0 + 1 / 2) / 5,
}


@pytest.fixture
def set_file(tmp_path: Path) -> Path:
    write_files(tmp_path / "docs", FOLDER)
    lines = "".join(json.dumps(query) + "\n" for query in SET)
    (tmp_path / "set.jsonl").write_text(lines, encoding="utf-8")
    succeed("index", tmp_path / "docs")
    return tmp_path / "set.jsonl"


def test_every_printed_figure_is_the_one_worked_out_by_hand(set_file: Path) -> None:
    report = succeed("eval", set_file, "-k", "1,2")
    assert (
        report.split("\nLatency")[0]
        == """\
Evaluation: set.jsonl (6 queries)
Method: fts5 (the best of the workspace)  level: document  k: 1, 2

Note: labels that name nothing in the index: 1 of 10, counted as not found:
  "animals/giraffe.md" (line 5; did you mean "animals/zebra.md"?)

Metric          @1       @2
─────────────────────────────
Recall          0.400    0.700
Precision       0.600    0.500
MRR             —        0.700
NDCG            0.467    0.608
Hit Rate        60.0%    80.0%
Judged          —        0.600

Queries: 5 scored, 1 undefined, 0 failed

Worst performers (lowest MRR)
   1. carpentry  (other words)
      no hits in top 2; lost: 2 of 2 (no candidate list); nothing was returned
   2. screw wood hammer nail strokes  (second)
      first hit at rank 2; stood first: tools/hammer.md

Document hit rate in the top 2
    0.0%  0 of 1  animals/giraffe.md
    0.0%  0 of 1  tools/hammer.md
   50.0%  1 of 2  tools/screw.md
  100.0%  2 of 2  animals/okapi.txt
  100.0%  1 of 1  animals/herd.md
  100.0%  1 of 1  animals/zebra.md
"""
    )
    assert all(len(line) <= 80 for line in report.splitlines())


def test_every_figure_in_the_json_is_the_one_worked_out_by_hand(set_file: Path) -> None:
    run = json.loads(succeed("eval", set_file, "-k", "1,2", "--json"))
    assert {name: summary["mean"] for name, summary in run["measures"].items()} == pytest.approx(MEANS)
    for name, summary in run["measures"].items():
        counts = [summary[key] for key in ("n_scored", "n_undefined", "n_failed", "n_missing")]
        assert counts == [5, 1, 0, 0], name
        assert 0 <= summary["low"] <= summary["mean"] <= summary["high"] <= 1
    queries = {query["id"]: query for query in run["queries"]}
    assert {name: queries[name]["scores"]["nDCG@2"] for name in NDCG_2} == pytest.approx(NDCG_2)
    assert queries["undefined"]["status"] == "undefined"
    assert queries["undefined"]["scores"] == {}
    first = {name: query["first_relevant_rank"] for name, query in queries.items()}
    assert first == {"graded": 1, "first": 1, "second": 2, "other words": None, "gone": 1, "undefined": None}


def test_the_json_tells_where_each_target_was_lost(set_file: Path) -> None:
    run = json.loads(succeed("eval", set_file, "-k", "1", "--json"))
    lost = {
        (query["id"], target["id"]): (target["rank"], target["rank_at"], target["lost_at"])
        for query in run["queries"]
        for target in query["targets"]
        if target["relevant"]
    }
    assert lost == {
        ("graded", "animals/zebra.md"): (1, {"fts5": 1}, None),
        ("graded", "animals/herd.md"): (2, {"fts5": 2}, "below k"),
        ("first", "animals/okapi.txt"): (1, {"fts5": 1}, None),
        ("second", "tools/screw.md"): (2, {"fts5": 2}, "below k"),
        ("other words", "tools/screw.md"): (None, {}, "no candidate list"),
        ("other words", "tools/hammer.md"): (None, {}, "no candidate list"),
        ("gone", "animals/okapi.txt"): (1, {"fts5": 1}, None),
        ("gone", "animals/giraffe.md"): (None, {}, "not indexed"),
    }


def test_the_output_file_follows_the_published_schema_and_equals_the_json(set_file: Path) -> None:
    saved = set_file.parent / "run.json"
    printed = succeed("eval", set_file, "-k", "1,2", "--output", saved)
    run = json.loads(saved.read_text(encoding="utf-8"))
    published = Path(schema.__file__).parent / "schemas" / "run-1.json"
    Draft202012Validator(json.loads(published.read_text(encoding="utf-8"))).validate(run)
    assert {name: summary["mean"] for name, summary in run["measures"].items()} == pytest.approx(MEANS)
    assert "--output FILE" not in printed


def test_the_same_set_over_chunks_gives_the_same_figures_for_one_chunk_documents(set_file: Path) -> None:
    chunks = json.loads(succeed("search", "okapi", "--json"))["results"]
    chunk = next(result["id"] for result in chunks)
    by_chunk = set_file.parent / "chunks.jsonl"
    by_chunk.write_text(json.dumps({"query": "okapi leaves", "relevant": [chunk]}) + "\n", encoding="utf-8")
    run = json.loads(succeed("eval", by_chunk, "-k", "1", "--json"))
    assert run["level"] == "chunk"
    assert run["measures"]["R@1"]["mean"] == 1.0


def test_labels_from_elsewhere_cannot_be_measured_and_point_to_rankle_score(set_file: Path) -> None:
    foreign = set_file.parent / "foreign.jsonl"
    foreign.write_text('{"query": "okapi", "relevant": ["chunk-0123456789ab"]}\n', encoding="utf-8")
    outcome = rankle("eval", foreign)
    assert outcome.code == 2
    assert "rankle score" in outcome.err
    assert outcome.out == ""


def test_evaluation_never_writes_to_the_search_log(set_file: Path) -> None:
    succeed("eval", set_file)
    assert json.loads(succeed("analytics", "--json"))["n_searches"] == 0
