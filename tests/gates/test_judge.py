"""What else a run was measured by changes no verdict."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.gates import gate_of, run_of
from rankle.core.gate import Verdict
from rankle.gates.baselines import baseline_of
from rankle.gates.judge import judge

TEXT = """
[gates]
baseline = "main"
phase = "mvp"
[gates.floors]
"nDCG@10" = 0.5
"R@10" = { at_least = 0.4, on = "low" }
[gates.no_regression]
"nDCG@10" = 0.01
"R@10" = 0.01
"""
NAMES = ("nDCG@10", "R@10", "Hit@10")
FURTHER = ("AP", "P@5", "RR@10", "nDCG@100", "Hit@1", "R@100", "Judged@10")
column = st.lists(st.floats(0, 1), min_size=8, max_size=8)


@given(
    before=st.fixed_dictionaries(dict.fromkeys(NAMES, column)),
    now=st.fixed_dictionaries(dict.fromkeys(NAMES, column)),
    further=st.dictionaries(st.sampled_from(FURTHER), column, min_size=1),
    first=st.booleans(),
)
@settings(max_examples=50, deadline=None)
def test_adding_measures_to_the_report_never_changes_a_verdict(
    before: dict[str, list[float]],
    now: dict[str, list[float]],
    further: dict[str, list[float]],
    first: bool,
) -> None:
    gate = gate_of(TEXT)
    lean = judge(run_of(now), gate, baseline=baseline_of(run_of(before), name="main"))
    more_now = {**further, **now} if first else {**now, **further}
    rich = judge(run_of(more_now), gate, baseline=baseline_of(run_of({**before, **further}), name="main"))
    assert rich.rules == lean.rules
    assert (rich.verdict, rich.exit_code) == (lean.verdict, lean.exit_code)


def test_the_report_says_what_was_judged_and_against_what() -> None:
    run = run_of({name: [0.9] * 8 for name in NAMES})
    baseline = baseline_of(msgspec.structs.replace(run, id="f" * 12), name="main")
    report = judge(run, gate_of(TEXT), baseline=baseline)
    assert report.verdict is Verdict.PASSED
    assert (report.gate, report.run.id, report.run.set.n_queries) == ("rankle.toml", run.id, 8)
    assert report.baseline is not None
    assert (report.baseline.name, report.baseline.run) == ("main", "f" * 12)
    assert [rule.kind for rule in report.rules] == [
        "failures", "stale labels", "floor", "floor", "floor", "no regression", "no regression",
    ]  # fmt: skip


def test_a_baseline_that_no_rule_needs_is_not_named() -> None:
    run = run_of({"nDCG@10": [0.9] * 8})
    report = judge(run, gate_of('[gates.floors]\n"nDCG@10" = 0.5'), baseline=baseline_of(run, name="main"))
    assert report.baseline is None
