"""Equality with trec_eval's own code (pytrec_eval-terrier) and ir_measures, on random runs."""

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.metrics.engine import compute
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import parse_measure

TREC_EVAL = {
    "map": "AP", "map_cut_3": "AP@3", "P_5": "P@5", "recall_5": "R@5", "ndcg": "nDCG", "ndcg_cut_3": "nDCG@3",
    "recip_rank": "RR", "Rprec": "Rprec", "bpref": "Bpref", "infAP": "infAP", "success_5": "Hit@5",
    "set_P": "SetP", "set_recall": "SetR", "set_F": "F1",
}  # fmt: skip
LEVELED = {"map": "AP", "P_5": "P", "recall_5": "R", "recip_rank": "RR", "Rprec": "Rprec", "bpref": "Bpref"}

names = st.sampled_from([f"d{i}" for i in range(15)] + ["é", "日本", "d10x"])
scores = st.integers(-3, 3).map(lambda n: n / 4) | st.floats(-1e3, 1e3, width=32)
Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]
# trec_eval's code refuses a query whose judgments are all negative, and one without any
qrels_of = st.dictionaries(
    st.sampled_from(["1", "2", "10", "q"]),
    st.dictionaries(names, st.integers(-2, 4), min_size=1).filter(lambda grades: max(grades.values()) >= 0),
    min_size=1,
)
runs_of = st.dictionaries(
    st.sampled_from(["1", "2", "10", "q", "extra"]), st.dictionaries(names, scores, min_size=1), min_size=1
)


def trec_order(found: dict[str, float]) -> list[str]:
    """Score descending, then id descending by bytes."""
    return sorted(found, key=lambda target: (found[target], target.encode()), reverse=True)


def ours(qrels: Grades, run: Scores, names: list[str]) -> dict[str, dict[str, float]]:
    judged = JudgedRanks.from_lists([trec_order(run.get(q, {})) for q in qrels], list(qrels.values()))
    columns = compute(judged, [parse_measure(name) for name in names], undefined="zero")
    return {
        query: {name: float(column[i]) for name, column in zip(names, columns.values(), strict=True)}
        for i, query in enumerate(qrels)
    }


@settings(max_examples=200, deadline=None)
@given(qrels=qrels_of, run=runs_of)
def test_every_measure_of_trec_eval_is_equal_on_random_runs(qrels: Grades, run: Scores) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels,
        {"map", "map_cut.3", "P.5", "recall.5", "ndcg", "ndcg_cut.3", "recip_rank", "Rprec", "bpref", "infAP"}
        | {"success.5", "set_P", "set_recall", "set_F"},
    )
    expected = evaluator.evaluate(run)
    found = ours(qrels, run, list(TREC_EVAL.values()))
    for query in expected:
        for theirs, name in TREC_EVAL.items():
            assert found[query][name] == pytest.approx(expected[query][theirs], rel=1e-12, abs=1e-15), (
                query,
                name,
            )
    for query in qrels.keys() - expected.keys():
        assert set(found[query].values()) == {0.0}  # a query missing from the run


def test_inferred_ap_falls_as_trec_evals_where_a_relevant_result_passes_a_pooled_but_unjudged_one() -> None:
    qrels: Grades = {"q": {"d1": -1, "d2": 1, "d3": 1}}  # d0 was not pooled
    values = []
    for ranking in (["d0", "d3", "d1", "d2"], ["d0", "d3", "d2", "d1"]):
        run = {"q": {target: -float(place) for place, target in enumerate(ranking)}}
        expected = pytrec_eval.RelevanceEvaluator(qrels, {"infAP"}).evaluate(run)["q"]["infAP"]
        values.append(ours(qrels, run, ["infAP"])["q"]["infAP"])
        assert values[-1] == pytest.approx(expected, rel=1e-12)
    assert values[1] < values[0]  # the exception that the laws state


@settings(max_examples=100, deadline=None)
@given(qrels=qrels_of, run=runs_of, level=st.integers(1, 4))
def test_a_level_of_relevance_is_trec_evals(qrels: Grades, run: Scores, level: int) -> None:
    measures = {"map", "P.5", "recall.5", "recip_rank", "Rprec", "bpref"}
    expected = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=level).evaluate(run)
    mine = {
        theirs: f"{name}(rel={level})" + ("@5" if theirs.endswith("_5") else "")
        for theirs, name in LEVELED.items()
    }
    found = ours(qrels, run, list(mine.values()))
    for query, values in expected.items():
        for theirs, name in mine.items():
            assert found[query][name] == pytest.approx(values[theirs], rel=1e-12, abs=1e-15), (query, name)


@settings(max_examples=100, deadline=None)
@given(qrels=qrels_of, run=runs_of)
def test_what_only_ir_measures_cuts_is_equal_on_random_runs(qrels: Grades, run: Scores) -> None:
    """Without ties: its RR@k orders those by id ascending, its RR as trec_eval does."""
    run = {query: {d: float(i) for i, d in enumerate(trec_order(found))} for query, found in run.items()}
    for metric in ir_measures.iter_calc([ir_measures.parse_measure("RR@3")], qrels, run):
        if metric.query_id in run:
            assert ours(qrels, run, ["RR@3"])[metric.query_id]["RR@3"] == pytest.approx(
                metric.value, rel=1e-12
            )


def test_scores_that_differ_only_in_float64_are_no_tie() -> None:
    """trec_eval's file format knows them as different; pytrec_eval ties them, since it keeps float32."""
    run = {"q": {"a": 0.92226214, "z": 0.92226213999}}
    qrels = {"q": {"a": 1}}
    assert ours(qrels, run, ["RR"])["q"]["RR"] == 1.0
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert theirs["q"]["recip_rank"] == 0.5


def test_three_tied_results_stand_in_trec_evals_order() -> None:
    run = {"q": {"b": 1.0, "a": 1.0, "c": 1.0}}
    assert ours({"q": {"c": 1}}, run, ["RR"])["q"]["RR"] == 1.0
    assert (
        pytrec_eval.RelevanceEvaluator({"q": {"c": 1}}, {"recip_rank"}).evaluate(run)["q"]["recip_rank"]
        == 1.0
    )


def test_judged_at_k_divides_by_k_where_ir_measures_divides_by_what_came_back() -> None:
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    theirs = next(iter(ir_measures.iter_calc([ir_measures.parse_measure("Judged@10")], qrels, run))).value
    assert ours(qrels, run, ["Judged@10"])["q"]["Judged@10"] == 2 / 10
    assert theirs == pytest.approx(2 / 3)
