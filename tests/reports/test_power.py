"""How many queries it takes: equal to `rankle.stats`, from one run and from two."""

import json
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pytest
from rich.cells import cell_len

from fakes.compared import compared_run
from rankle import stats
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.core.run import RunReport
from rankle.reports.json_text import json_text
from rankle.reports.power import NamedReport, PowerReport, PowerRequest, power_report
from rankle.reports.power_text import render_power

M = "nDCG@10"
A, B = (np.random.default_rng(seed).uniform(size=40).round(3).tolist() for seed in (1, 2))
SAME_SET = "0" * 64


def run(name: str, scores: list[float | None], **changed: Any) -> RunReport:
    return compared_run(name, {M: scores, "AP": scores}, **changed)


def report(*runs: RunReport, n: int = 50, fingerprint: str = SAME_SET, **request: Any) -> PowerReport:
    first, *others = (NamedReport(one.system.method, one) for one in runs)
    return power_report(
        first,
        PowerRequest(**request),
        set_name="set.jsonl",
        set_fingerprint=fingerprint,
        n_queries=n,
        against=others[0] if others else None,
    )


def test_from_one_run_the_correlation_is_supposed() -> None:
    found = report(run("a", A), difference=0.05, power=0.9, alpha=0.1)
    assert [row.correlation for row in found.rows] == [0.5, 0.8, 0.9]
    for row in found.rows:
        assert row.correlation is not None
        variance = stats.difference_variance(A, correlation=row.correlation)
        needed = stats.queries_needed(variance=variance, effect=0.05, power=0.9, alpha=0.1)
        seen = stats.smallest_detectable(variance=variance, n=50, power=0.9, alpha=0.1)
        assert (row.n_needed, row.smallest, row.deviation) == (needed.n, seen.effect, needed.deviation)
    assert found.deviation == pytest.approx(np.std(A, ddof=1))
    assert (found.measure, found.n_scored, found.notes) == (M, 40, [])


def test_one_correlation_may_be_supposed_outright() -> None:
    (row,) = report(run("a", A), correlation=0.25).rows
    assert row.deviation**2 == pytest.approx(stats.difference_variance(A, correlation=0.25))


def test_from_two_runs_it_is_the_variance_of_their_differences() -> None:
    """Queries that one of them failed on count for nothing."""
    (row,) = report(run("a", [*A, None]), run("b", [*B, 0.5]), measure="map", difference=0.03).rows
    differences = np.subtract(B, A)
    assert row.n_needed == stats.queries_needed(differences, effect=0.03).n
    assert row.correlation == pytest.approx(np.corrcoef(A, B)[0, 1])


def test_a_run_that_does_not_vary_against_one_that_does() -> None:
    (row,) = report(run("a", [0.5] * 40), run("b", B)).rows
    assert row.correlation is None
    assert row.deviation == pytest.approx(np.std(B, ddof=1))


def test_so_few_queries_that_none_shows_are_null() -> None:
    assert [row.smallest for row in report(run("a", A), n=5).rows] == [None] * 3
    assert [row.smallest for row in report(run("a", A), n=0).rows] == [None] * 3


def test_a_run_of_another_set_is_told() -> None:
    (note,) = report(run("a", A), fingerprint="1" * 64).notes
    assert note.startswith("a is a run of another set than set.jsonl (set)")


@pytest.mark.parametrize(
    ("runs", "error", "message"),
    [
        ([run("a", [0.5])], CannotMeasureError, "takes at least 2 scored queries, got 1"),
        ([run("a", [0.5] * 9)], CannotMeasureError, "all 9 scores are 0.5, so nothing says"),
        ([run("a", [0.5] * 9), run("b", [0.7] * 9)], CannotMeasureError, "differ by the same on every query"),
        ([run("a", A), run("a", A)], InputError, "are the same run"),
        ([run("a", A), run("b", B, depth=5)], CannotMeasureError, "depth differs: A 100, B 5\nName two"),
        ([run("a", A), compared_run("b", {"AP": B})], UnknownNameError, 'unknown measure of run b "nDCG@10"'),
        ([compared_run("a", {"Judged@5": A})], CannotMeasureError, "a has no measure of relevance"),
    ],
    ids=["one query", "no variance", "same difference", "itself", "depth", "measure", "no measure"],
)
def test_what_nothing_follows_from_is_said(
    runs: list[RunReport], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        report(*runs)


@pytest.mark.parametrize(
    "request_", [{"difference": 0.0}, {"power": 1.0}, {"alpha": 0.0}, {"difference": float("nan")}], ids=str
)
def test_a_request_that_means_nothing_is_refused(request_: dict[str, float]) -> None:
    with pytest.raises(InputError):
        PowerRequest(**request_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n", "answer"),
    [(4, "too few."), (100, "enough for changes that leave most as it is."), (90_000, "enough.")],
)
def test_the_answer_weighs_what_the_set_has(n: int, answer: str) -> None:
    assert answer in " ".join(render_power(report(run("a", A), n=n, difference=0.05)).split())


def test_one_run_prints_whole() -> None:
    """30 scores of deviation 0.3 · √(20/29); n is near 8 (deviation / difference)²."""
    scores = [0.2, 0.8, 0.5] * 10
    assert render_power(report(run("latest", list(scores)), difference=0.1)) == PRINTED


@pytest.mark.parametrize("width", [40, 60, 80])
def test_every_line_fits_the_width(width: int) -> None:
    lines = render_power(report(run("x" * 90, A), fingerprint="1"), width=width).splitlines()
    assert max(map(cell_len, lines)) <= width


def test_the_json_follows_its_schema() -> None:
    published = files("rankle.reports").joinpath("schemas", "power-1.json").read_text(encoding="utf-8")
    for found in (report(run("a", A)), report(run("a", A), run("b", B), n=3)):
        value = json.loads(json_text(found))
        jsonschema.validate(value, json.loads(published))
        assert next(iter(value)) == "schema"


PRINTED = """\
How many queries like those of set.jsonl show a difference of 0.1 in NDCG@10,
with a chance of 80% at alpha 0.05?

12 to 51, by how much the runs differ. The set has 50 that can be scored: enough
for changes that leave most as it is.

Compared with              correlation  vary by  queries  seen with 50
──────────────────────────────────────────────────────────────────────
another method             0.50         0.249    51       0.101
a method that shares much  0.80         0.158    22       0.064
other settings             0.90         0.111    12       0.045

vary by: the standard deviation of the differences per query
From the scores of latest, which vary by 0.249 over 30 queries. How much two
runs correlate is supposed; a second run tells: --against RUN.
"""
