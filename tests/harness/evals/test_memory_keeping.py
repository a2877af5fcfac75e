"""What evals come to is kept in memory as a record would keep it."""

from fakes.recorded_evals import done, fill, plan
from rankle.core.trials import TrialReport
from rankle.harness.evals.keeping import EvalKeeper
from rankle.harness.evals.memory_keeping import MemoryEval, MemoryKeeper


def test_trials_are_given_back_whole_by_case_and_trial() -> None:
    kept = MemoryEval("0123456789ab", created="2026-11-30T09:00:00Z")
    trials = {
        (case, trial): done(trial, output=f"{case} 🔎" * 1000) for case in (2, 0, 1) for trial in (1, 0)
    }
    for place, trial in trials.items():
        kept.keep(place, trial)
    for _ in range(2):
        assert list(kept.trials()) == sorted(trials.items(), key=lambda one: one[0])


def test_nothing_is_known_before_and_each_eval_stands_alone() -> None:
    ids = iter(["0123456789ab", "ba9876543210"])
    keeper: EvalKeeper = MemoryKeeper(new_id=lambda: next(ids), created="2026-11-30T09:00:00Z")
    with keeper.begin(plan(2)) as first, keeper.begin(plan(3)) as second:
        assert (first.known, first.id, second.id) == ({}, "0123456789ab", "ba9876543210")
        assert second.created == "2026-11-30T09:00:00Z"
        fill(first, plan(2))
        fill(second, plan(3))
        assert [len(list(kept.trials())) for kept in (first, second)] == [2, 3]


def test_half_a_surrogate_pair_costs_no_trial() -> None:
    kept = MemoryEval("0123456789ab", created="")
    kept.keep((0, 0), TrialReport(trial=0, status="done", output="a\ud83d", took_ms=1.0))
    ((_, trial),) = kept.trials()
    assert trial.output == "a\\ud83d"
