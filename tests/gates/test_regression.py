"""No regression, worked out by hand: p-values are counts of flips, 2 in 2^n where all queries drop alike."""

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.gates import rule, rules, run_of
from rankle.core.gate import Baseline, Regression, Verdict
from rankle.core.run import RunReport
from rankle.gates.baselines import baseline_of
from rankle.gates.regression import fewest_queries
from rankle.stats.power_analysis import queries_needed, smallest_detectable

RULE = '[gates]\nbaseline = "main"\n[gates.no_regression]\n"nDCG@10" = '
MIXED = [-0.4, 0.2, -0.3, 0.1, -0.2, 0.1, -0.1, 0.0]  # mean -0.075


def held(before: Sequence[float | None]) -> Baseline:
    return baseline_of(run_of({"nDCG@10": before}), name="main")


def moved(differences: Sequence[float]) -> RunReport:
    return run_of({"nDCG@10": [0.5 + difference for difference in differences]})


def judged(differences: Sequence[float], tolerance: float) -> tuple[Verdict, Regression]:
    found = rule(moved(differences), f"{RULE}{tolerance}", baseline=held([0.5] * len(differences)))
    assert found.regression is not None
    return found.verdict, found.regression


def test_a_drop_beyond_the_tolerance_that_is_significant_is_broken() -> None:
    verdict, found = judged([-0.1] * 8, 0.05)
    assert verdict is Verdict.BROKEN
    assert found.difference == pytest.approx(-0.1)
    assert (found.p_value, found.p_holm) == (2 / 256, 2 / 256)
    assert (found.wins, found.ties, found.losses, found.n) == (0, 0, 8, 8)


def test_a_drop_at_the_tolerance_passed_however_significant() -> None:
    verdict, found = judged([-0.1] * 8, 0.1)
    assert (verdict, found.p_value) == (Verdict.PASSED, 2 / 256)


def test_a_drop_beyond_the_tolerance_that_may_be_chance_says_how_many_queries_would_tell() -> None:
    verdict, found = judged(MIXED, 0.02)
    assert verdict is Verdict.COULD_NOT_MEASURE
    assert found.difference == pytest.approx(-0.075)
    assert found.p_value > 0.05
    assert found.queries_needed == queries_needed(MIXED, effect=0.075).n
    assert found.queries_needed > 8


def test_a_drop_within_the_tolerance_passed_and_says_what_would_have_shown() -> None:
    verdict, found = judged(MIXED, 0.1)
    assert (verdict, found.queries_needed) == (Verdict.PASSED, None)
    assert found.smallest_detectable == pytest.approx(smallest_detectable(MIXED).effect)


def test_a_rise_passed() -> None:
    assert judged([0.3] * 8, 0.0)[0] is Verdict.PASSED


def test_scores_that_did_not_move_passed() -> None:
    verdict, found = judged([0.0] * 8, 0.0)
    assert (verdict, found.p_value, found.smallest_detectable) == (Verdict.PASSED, 1.0, None)


def test_the_rules_of_a_gate_are_one_family() -> None:
    """Seven drops and a tie: p is 4 in 256, and 16 in 256 as one of four rules."""
    names = ["nDCG@10", "R@10", "P@10", "RR@10"]
    drops = [-0.1] * 7 + [0.0]
    baseline = baseline_of(run_of({name: [0.5] * 8 for name in names}), name="main")
    run = run_of({name: [0.5 + drop for drop in drops] for name in names})
    text = "[gates.no_regression]\n" + "".join(f'"{name}" = 0.02\n' for name in names)
    alone = rule(run, text.split("\n", 2)[0] + '\n"nDCG@10" = 0.02', baseline=baseline)
    assert alone.verdict is Verdict.BROKEN
    four = rules(run, text, baseline=baseline)
    assert [one.verdict for one in four] == [Verdict.COULD_NOT_MEASURE] * 4
    assert four[0].regression is not None
    assert four[0].regression.p_holm == 4 * 4 / 256
    lacking = run_of({"nDCG@10": [0.5 + drop for drop in drops]})
    first, *others = rules(lacking, text, baseline=baseline)
    assert first.regression == four[0].regression
    assert [one.regression for one in others] == [None] * 3


@pytest.mark.parametrize("n", [1, 5])
def test_too_few_queries_never_pass(n: int) -> None:
    text = '[gates]\nmin_queries = 1\n[gates.no_regression]\n"nDCG@10" = 0.02'
    found = rule(moved([0.1] * n), text, baseline=held([0.5] * n))
    assert found.verdict is Verdict.COULD_NOT_MEASURE
    assert "it takes 6 to tell anything" in found.why


def test_how_few_queries_can_be_significant_at_all() -> None:
    assert [fewest_queries(alpha=0.05 / n) for n in (1, 2, 4)] == [6, 7, 8]


def test_queries_that_one_of_them_failed_on_are_left_out_and_it_says_so() -> None:
    found = rule(run_of({"nDCG@10": [None, *[0.4] * 8]}), f"{RULE}0.05", baseline=held([*[0.5] * 8, None]))
    assert found.regression is not None
    assert (found.regression.n, found.verdict) == (7, Verdict.BROKEN)
    assert "over the 7 queries that both scored" in found.why


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[gates.no_regression]\n"AP" = 0.1', "no baseline is named: --baseline NAME"),
        (RULE + "0.1", "there is no baseline main yet; set one: rankle baseline set RUN main"),
    ],
)
def test_without_a_baseline_it_could_not_be_measured(text: str, words: str) -> None:
    found = rule(moved(MIXED), text)
    assert found.verdict is Verdict.COULD_NOT_MEASURE
    assert found.why.startswith(words)


def incomparable(**changed: object) -> str:
    baseline = msgspec.structs.replace(held([0.5] * 8), **changed)
    found = rule(moved(MIXED), f"{RULE}0.1", baseline=baseline)
    assert found.verdict is Verdict.COULD_NOT_MEASURE
    return found.why


def test_what_is_not_comparable_is_named_with_its_fingerprints() -> None:
    assert "has another depth (50, now 100). Set it anew" in incomparable(depth=50)
    assert "another level (chunk, now document)" in incomparable(level="chunk")
    assert "another order of ties (trec, now system)" in incomparable(ties="trec")
    other_set = msgspec.structs.replace(held([0.5]).set, fingerprint="1" * 64)
    why = incomparable(set=other_set, queries_fingerprint="a" * 64, judgments_fingerprint="b" * 64)
    assert "other queries (fingerprint aaaaaaaaaaaa, now " in why
    assert "other judgments (fingerprint bbbbbbbbbbbb, now " in why


def test_a_set_in_which_only_notes_changed_stays_comparable() -> None:
    baseline = held([0.5] * 8)
    other = msgspec.structs.replace(baseline.set, fingerprint="1" * 64)
    found = rule(moved(MIXED), f"{RULE}0.1", baseline=msgspec.structs.replace(baseline, set=other))
    assert found.verdict is Verdict.PASSED


def test_a_set_in_another_order_stays_comparable() -> None:
    run = moved(MIXED)
    other = msgspec.structs.replace(run.set, fingerprint="1" * 64)
    shuffled = msgspec.structs.replace(run, set=other, queries=run.queries[::-1])
    assert rule(shuffled, f"{RULE}0.1", baseline=held([0.5] * 8)).verdict is Verdict.PASSED


def test_the_order_of_queries_does_not_change_p() -> None:
    """With more than 20 queries, p is of random flips."""
    run = run_of({"nDCG@10": [0.5 + (place * 7 % 30) / 100 for place in range(30)]})
    baseline = held([0.62] * 30)
    turned = msgspec.structs.replace(run, queries=run.queries[::-1])
    first, second = (rule(one, f"{RULE}0.1", baseline=baseline).regression for one in (run, turned))
    assert first is not None
    assert 0 < first.p_value < 1
    assert first == second


def test_a_baseline_without_the_measure_could_not_be_measured() -> None:
    baseline = baseline_of(run_of({"R@10": [0.5] * 8}), name="main")
    found = rule(moved(MIXED), f"{RULE}0.1", baseline=baseline)
    assert (found.verdict, found.why) == (
        Verdict.COULD_NOT_MEASURE, "the baseline main has no nDCG@10, only R@10; set it anew",
    )  # fmt: skip


scores = st.lists(st.integers(0, 4).map(lambda step: step / 4), min_size=6, max_size=12)


@given(scores, st.sampled_from([0.0, 0.05, 0.2]), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_verdict_is_what_the_drop_and_its_test_say(
    before: list[float], tolerance: float, random: object
) -> None:
    now = list(before)
    random.shuffle(now)  # type: ignore[attr-defined]
    now[0] = 0.0
    found = rule(run_of({"nDCG@10": now}), f"{RULE}{tolerance}", baseline=held(before))
    regression = found.regression
    assert regression is not None
    drop = (sum(before) - sum(now)) / len(before)
    if drop <= tolerance + 1e-9:
        assert found.verdict is Verdict.PASSED
    else:
        is_real = regression.p_value <= 0.05
        assert found.verdict is (Verdict.BROKEN if is_real else Verdict.COULD_NOT_MEASURE)
        assert is_real or (regression.queries_needed or 10**9) > len(before)
