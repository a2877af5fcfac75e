"""Comparisons at the terminal, whole, and their JSON."""

import json
from importlib.resources import files
from typing import Any

import jsonschema
import msgspec
import pytest
from rich.cells import cell_len

from fakes.compared import compared_run, results
from rankle.core.run import RunReport
from rankle.reports.comparing import Request, compare_runs
from rankle.reports.comparison import Comparison
from rankle.reports.comparison_text import FORCED, render_comparison
from rankle.reports.json_text import json_text

RANKS = ([1, 1, 1, 2, 1, 4, 1, 1], [1, 3, None, 1, 1, 1, 1, 12])
"""Of the first relevant result before and after: q1, q2 and q7 lose, q3 and q5 gain."""


def scored(rank: int | None, *, k: int) -> float:
    return 0.0 if rank is None or rank > k else 1 / rank


def run(name: str, ranks: list[int | None], **changed: Any) -> RunReport:
    scores: dict[str, list[float | None]] = {
        "RR@10": [scored(rank, k=10) for rank in ranks],
        "Hit@3": [float(scored(rank, k=3) > 0) for rank in ranks],
    }
    queries = [
        {
            "query": "how do I reset the pump after a leak" if place % 2 else "E-42",
            "first_relevant_rank": rank,
            "language": "de" if place < 3 else "en",
            "tags": ["alarm"] if place in (1, 2) else [],
            "results": results(*[(f"{name}{n}", None) for n in range(2, rank or 2)], (f"t{place}", 1)),
        }
        for place, rank in enumerate(ranks)
    ]
    return compared_run(name, scores, queries=queries, **changed)


def two(**request: Any) -> Comparison:
    runs = [run("fts5", list(RANKS[0])), run("hybrid", list(RANKS[1]))]
    return compare_runs(runs, ["before.json", "after.json"], Request(**request))


def three(**changed: Any) -> Comparison:
    third: list[int | None] = [2, 2, 2, 2, 2, 2, 2, None]
    runs = [run("fts5", list(RANKS[0])), run("hybrid", list(RANKS[1])), run("vector", third, **changed)]
    return compare_runs(runs, ["a.json", "b.json", "c.json"], Request(measures=("RR@10",), force=True))


def test_two_runs_print_whole() -> None:
    assert render_comparison(two(), worst=2) == TWO


def test_three_runs_print_whole() -> None:
    assert render_comparison(three(), worst=0) == THREE


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("n_runs", [2, 3])
@pytest.mark.parametrize("depth", [100, 50], ids=["alike", "forced"])
def test_every_line_fits_the_width(width: int, n_runs: int, depth: int) -> None:
    long = {"nDCG(gain=exp2)@10": [0.1, 0.5] * 4, "RR@10": [0.5, 0.2] * 4}
    asked = [{"query": "怎样撤回 " * 20, "id": "x" * 50, "language": "zh", "tags": ["t" * 60]}]
    runs = [
        compared_run(f"method-{n}-{'y' * 60}", long, queries=asked, depth=depth if n else 100)
        for n in range(n_runs)
    ]
    moved = msgspec.structs.replace(runs[1].queries[0], scores=dict.fromkeys(long, 0.9))
    runs[1] = msgspec.structs.replace(runs[1], queries=[moved, *runs[1].queries[1:]])
    found = compare_runs(runs, [f"folder/{'z' * 90}.json"] * n_runs, Request(force=True))
    lines = render_comparison(found, width=width).splitlines()
    assert max(map(cell_len, lines)) <= width


def test_every_line_of_a_forced_comparison_says_so() -> None:
    lines = render_comparison(three(depth=50)).splitlines()
    assert all(line.startswith(FORCED) for line in lines if line)
    assert not any(line.startswith(FORCED) for line in render_comparison(three()).splitlines())


def test_text_that_looks_like_a_command_to_the_screen_is_shown_harmless() -> None:
    ugly = "\x1b[2Jgone\u202e\nnext"
    queries: list[dict[str, Any]] = [
        {"query": ugly, "language": ugly, "tags": [ugly]},
        {"language": "de"},
    ]
    runs = [compared_run(n, {"AP": s}, queries=queries) for n, s in (("a", [0.0, 0.1]), ("b", [1.0, 0.1]))]
    printed = render_comparison(compare_runs(runs, [ugly, ugly], Request()))
    assert "\x1b" not in printed
    assert "\u202e" not in printed


@pytest.mark.parametrize("make", [two, three], ids=["two", "three"])
def test_the_json_follows_its_schema_and_is_read_back(make: Any) -> None:
    found = make()
    value = json.loads(json_text(found))
    published = files("rankle.reports").joinpath("schemas", "compare-1.json").read_text(encoding="utf-8")
    jsonschema.validate(value, json.loads(published))
    assert value == found.to_dict()
    assert msgspec.json.decode(json_text(found), type=Comparison) == found
    assert json_text(found) == json_text(make())


def test_the_members_of_the_json_stand_in_their_order() -> None:
    value = json.loads(json_text(two()))
    assert list(value) == [
        "schema", "rankle_version", "level", "depth", "n_queries", "forced", "mismatches", "test",
        "correction", "n_tests", "alpha", "seed", "main_measure", "runs", "verdicts", "notes", "pairs",
    ]  # fmt: skip
    assert value["schema"] == "rankle.compare/1"
    members = ["a", "b", "changed", "measures", "moves", "slices", "overlap", "abstention"]
    assert list(value["pairs"][0]) == members


@pytest.mark.parametrize(
    "change", [{"schema": "rankle.compare/2"}, {"pairs": [1]}, {"alpha": "5 %"}, {"correction": "fdr"}]
)
def test_the_schema_refuses_what_is_no_comparison(change: dict[str, object]) -> None:
    published = files("rankle.reports").joinpath("schemas", "compare-1.json").read_text(encoding="utf-8")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(json_text(two())) | change, json.loads(published))


TWO = """\
Comparison: set (8 queries)
level: document, depth: 100, test: randomisation, p by Holm
A = before.json: fts5, 2026-11-30T09:00:00Z, fts5
B = after.json: hybrid, 2026-11-30T09:00:00Z, hybrid
Changed: method fts5 → hybrid

Note: B returns 11 unjudged results that A does not, against 2 the other way
  round; they count as not relevant, so B may be better than it looks

MRR@10: no difference shown; one of 0.889 would have shown 4 times in 5.
Hit Rate@3: no difference shown; one of 0.869 would have shown 4 times in 5.

Measure       A      B      B − A   95% interval      p       Holm p
────────────────────────────────────────────────────────────────────
MRR@10        0.844  0.667  −0.177  −0.833 to +0.417  0.5000  1.0000
Hit Rate@3    0.875  0.750  −0.125  −0.667 to +0.500  1.0000  1.0000

Measure       won/tied/lost   queries   effect size   would show
────────────────────────────────────────────────────────────────
MRR@10        2/3/3           8         −0.270        0.889
Hit Rate@3    1/5/2           8         −0.195        0.869
effect size: the difference in standard deviations of the differences
would show: the true difference that such queries find 4 times in 5, 2 tests
  counted in

Lost most from A to B, by MRR@10 (2 of 3)
     A      B      change  first hit    query
  1. 1.000  0.000  −1.000  1 → —        q2 E-42
  2. 1.000  0.000  −1.000  1 → 12       q7 how do I reset the pump after a leak

Gained most from A to B, by MRR@10 (2)
     A      B      change  first hit    query
  1. 0.250  1.000  +0.750  4 → 1        q5 how do I reset the pump after a leak
  2. 0.500  1.000  +0.500  2 → 1        q3 how do I reset the pump after a leak
first hit: rank of the first relevant result; — is none in the first 100

Slices from A to B, by MRR@10, worst first
Slice               n     A      B      change  95% interval      Holm p
────────────────────────────────────────────────────────────────────────
tag alarm           2     1.000  0.167  −0.833  —                 1.0000
language de         3     1.000  0.444  −0.556  —                 1.0000
length 1-2 words    4     1.000  0.750  −0.250  —                 1.0000
length 6-10 words   4     0.688  0.583  −0.104  —                 1.0000
language en         5     0.750  0.800  +0.050  —                 1.0000

Rankings of A and B: overlap 0.719 (mean RBO; 1 is the same). Unjudged results
  in the first 10: 2 of A only, 11 of B only.

--measures RR@10 tests that alone, so that p is adjusted for less; --json has
every query and slice.
"""

THREE = """\
Comparison: set (8 queries)
level: document, depth: 100, test: randomisation, all pairs (Tukey HSD)
A = a.json: fts5, 2026-11-30T09:00:00Z, fts5
B = b.json: hybrid, 2026-11-30T09:00:00Z, hybrid
C = c.json: vector, 2026-11-30T09:00:00Z, vector
Changed from A to B: method fts5 → hybrid
Changed from A to C: method fts5 → vector
Changed from B to C: method hybrid → vector

Note: B returns 11 unjudged results that A does not, against 2 the other way
  round; they count as not relevant, so B may be better than it looks
Note: B returns 11 unjudged results that C does not, against 0 the other way
  round; they count as not relevant, so B may be better than it looks

MRR@10: no difference shown between A-B, A-C, B-C; one of 0.962 would have shown
  4 times in 5.

Measure       first  second  difference  95% interval      Tukey p
──────────────────────────────────────────────────────────────────
MRR@10
  A to B      0.844  0.667   −0.177      −0.615 to +0.260  0.6788
  A to C      0.844  0.438   −0.406      −0.844 to +0.031  0.0901
  B to C      0.667  0.438   −0.229      −0.667 to +0.208  0.4953

Measure       won/tied/lost   queries   effect size   would show
────────────────────────────────────────────────────────────────
MRR@10
  A to B      2/3/3           8         −0.270        0.962
  A to C      1/1/6           8         −1.079        0.553
  B to C      2/1/5           8         −0.576        0.584
effect size: the difference in standard deviations of the differences
would show: the true difference that such queries find 4 times in 5, 3 tests
  counted in

Slices from A to B, by MRR@10, worst first
Slice               n     A      B      change  95% interval      Holm p
────────────────────────────────────────────────────────────────────────
tag alarm           2     1.000  0.167  −0.833  —                 1.0000
language de         3     1.000  0.444  −0.556  —                 1.0000
length 1-2 words    4     1.000  0.750  −0.250  —                 1.0000
length 6-10 words   4     0.688  0.583  −0.104  —                 1.0000
language en         5     0.750  0.800  +0.050  —                 1.0000

Rankings of A and B: overlap 0.719 (mean RBO; 1 is the same). Unjudged results
  in the first 10: 2 of A only, 11 of B only.

Slices from A to C, by MRR@10, worst first
Slice               n     A      C      change  95% interval      Holm p
────────────────────────────────────────────────────────────────────────
language de         3     1.000  0.500  −0.500  —                 1.0000
tag alarm           2     1.000  0.500  −0.500  —                 1.0000
length 1-2 words    4     1.000  0.500  −0.500  —                 0.6250
language en         5     0.750  0.400  −0.350  —                 1.0000
length 6-10 words   4     0.688  0.375  −0.312  —                 1.0000

Rankings of A and C: overlap 0.909 (mean RBO; 1 is the same). Unjudged results
  in the first 10: 2 of A only, 0 of C only.

Slices from B to C, by MRR@10, worst first
Slice               n     B      C      change  95% interval      Holm p
────────────────────────────────────────────────────────────────────────
language en         5     0.800  0.400  −0.400  —                 0.6250
length 1-2 words    4     0.750  0.500  −0.250  —                 1.0000
length 6-10 words   4     0.583  0.375  −0.208  —                 1.0000
language de         3     0.444  0.500  +0.056  —                 1.0000
tag alarm           2     0.167  0.500  +0.333  —                 1.0000

Rankings of B and C: overlap 0.810 (mean RBO; 1 is the same). Unjudged results
  in the first 10: 11 of B only, 0 of C only.

--json has every query and slice.
"""
