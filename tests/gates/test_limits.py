"""Failures, stale labels, unjudged results, latency and protected targets, each at its limit and beyond."""

import msgspec
import pytest

from fakes.gates import gate_of, results, rule, run_of, target, with_queries
from rankle.core.gate import Verdict
from rankle.core.run import LabelReport, Latency
from rankle.gates.judge import judge

RUN = run_of({"nDCG@10": [0.5] * 8})
FAILED = run_of({"nDCG@10": [0.5] * 6 + [None] * 2})
FLOOR = '[gates.floors]\n"nDCG@10" = 0.1\n'


@pytest.mark.parametrize(
    ("most", "verdict"), [(2, Verdict.PASSED), (1, Verdict.COULD_NOT_MEASURE), (0, Verdict.COULD_NOT_MEASURE)]
)
def test_a_run_with_failures_says_so_instead_of_passing(most: int, verdict: Verdict) -> None:
    report = judge(FAILED, gate_of(f"[gates]\nmax_failures = {most}\n{FLOOR}"))
    assert (report.verdict, report.exit_code) == (verdict, verdict.exit_code)
    failures, _, floor = report.rules
    assert (failures.value, failures.limit, floor.verdict) == (2, most, Verdict.PASSED)
    assert failures.why.startswith("2 of 8 queries; the first, q6: boom")


@pytest.mark.parametrize(("most", "verdict"), [(3, Verdict.PASSED), (2, Verdict.COULD_NOT_MEASURE)])
def test_a_stale_set_says_so_instead_of_passing(most: int, verdict: Verdict) -> None:
    run = msgspec.structs.replace(RUN, labels=LabelReport(n_labels=9, n_joined=6, unknown=["a.md", "b.md"]))
    report = judge(run, gate_of(f"[gates]\nmax_stale_labels = {most}\n{FLOOR}"))
    assert (report.verdict, report.rules[1].value) == (verdict, 3)
    assert "3 of 9 labels: a.md, b.md" in report.rules[1].why


def test_labels_of_a_recorded_run_that_were_not_retrieved_are_not_stale() -> None:
    run = msgspec.structs.replace(RUN, labels=LabelReport(n_labels=9, n_joined=6, unknown=[]))
    report = judge(run, gate_of(FLOOR))
    assert (report.verdict, report.rules[1].value) == (Verdict.PASSED, None)
    assert report.rules[1].why == "not looked for: the system does not list what it holds"


def test_the_worst_of_the_rules_is_the_verdict_and_what_could_not_be_measured_is_worst() -> None:
    verdicts = [Verdict.PASSED, Verdict.BROKEN, Verdict.COULD_NOT_MEASURE]
    assert [Verdict.of(verdicts[:n]) for n in range(4)] == [Verdict.PASSED, *verdicts]
    assert [verdict.exit_code for verdict in verdicts] == [0, 1, 2]


@pytest.mark.parametrize(
    ("limit", "verdict"), [('"40 %"', Verdict.PASSED), ("0.39", Verdict.BROKEN), ("0.4", Verdict.PASSED)]
)
def test_the_unjudged_share_is_of_the_first_results_of_scored_queries(limit: str, verdict: Verdict) -> None:
    """Of q0, three results within the first 3 and one unjudged; of q1, one of two; q2 is undefined."""
    run = with_queries(
        run_of({"nDCG@10": [0.5] * 3}),
        {
            "q0": {"results": results(1, None, 0, None)},
            "q1": {"results": results(None, 1)},
            "q2": {"results": results(None, None), "status": "undefined"},
        },
    )
    found = rule(run, f"[gates]\nmax_unjudged = {{ share = {limit}, within = 3 }}")
    assert (found.verdict, found.value, found.n) == (verdict, 0.4, 5)


def test_without_results_the_unjudged_share_could_not_be_measured() -> None:
    assert rule(RUN, "[gates]\nmax_unjudged = 0.5").verdict is Verdict.COULD_NOT_MEASURE


@pytest.mark.parametrize(("most", "verdict"), [("2", Verdict.PASSED), ("1.9", Verdict.BROKEN)])
def test_latency_is_held_against_p95(most: str, verdict: Verdict) -> None:
    found = rule(RUN, f"[gates]\nlatency_p95_ms = {most}")
    assert (found.verdict, found.value) == (verdict, 2.0)


def test_shares_of_batches_are_no_latency() -> None:
    run = msgspec.structs.replace(RUN, latency_ms=Latency(p50=0.1, p95=0.1, of="batch", batch_size=8))
    found = rule(run, "[gates]\nlatency_p95_ms = 200")
    assert (found.verdict, found.value) == (Verdict.COULD_NOT_MEASURE, None)
    assert found.why.endswith("Evaluate with --one-by-one")


def test_a_run_that_was_not_timed_has_no_latency() -> None:
    run = msgspec.structs.replace(RUN, latency_ms=Latency(p50=None, p95=None))
    assert rule(run, "[gates]\nlatency_p95_ms = 200").verdict is Verdict.COULD_NOT_MEASURE


TARGETS = with_queries(
    FAILED,
    {
        "q0": {"targets": [target("a.md", 1), target("b.md", 5)]},
        "q1": {"targets": [target("a.md", 3), target("c.md", None)]},
        "q2": {"targets": [target("d.md", None, relevant=False)]},
        "q7": {"targets": [target("e.md", None)]},
    },
)


def protected(targets: str, within: int) -> str:
    return f"[gates.protected]\ntargets = {targets}\nwithin = {within}"


@pytest.mark.parametrize(
    ("targets", "within", "verdict", "lost"),
    [
        ('["a.md"]', 3, Verdict.PASSED, []),
        ('["a.md"]', 2, Verdict.BROKEN, ["a.md (q1)"]),
        ('["a.md", "b.md"]', 5, Verdict.PASSED, []),
        ('["b.md", "c.md"]', 4, Verdict.BROKEN, ["b.md (q0)", "c.md (q1)"]),
        ('["a.md", "d.md"]', 10, Verdict.COULD_NOT_MEASURE, []),
        ('["a.md", "e.md"]', 2, Verdict.COULD_NOT_MEASURE, ["a.md (q1)"]),
        ('["a.md"]', 101, Verdict.COULD_NOT_MEASURE, []),
    ],
    ids=["found", "one too deep", "at the edge", "lost", "needed by none", "failed", "beyond the depth"],
)
def test_no_protected_target_may_be_lost(
    targets: str, within: int, verdict: Verdict, lost: list[str]
) -> None:
    found = rule(TARGETS, protected(targets, within))
    assert (found.verdict, found.lost) == (verdict, lost)


def test_a_protected_target_that_no_query_needs_suggests_one() -> None:
    found = rule(TARGETS, protected('["aa.md"]', 10))
    assert "no query of the set needs aa.md; did you mean a.md" in found.why
