"""Makes tiny.qrels, tiny.run and expected.json anew: `python tests/metrics/goldens/make.py` (needs perl).

The expected figures are those of trec_eval's own code (pytrec_eval-terrier), and of gdeval.pl (through
ir_measures) for ERR and nDCG with gain 2^grade - 1, which trec_eval does not have.
"""

import json
import random
from pathlib import Path

import ir_measures
import pytrec_eval

FOLDER = Path(__file__).parent
TREC_EVAL = {
    "map": "AP", "map_cut_10": "AP@10", "P_5": "P@5", "P_10": "P@10", "recall_10": "R@10",
    "recall_100": "R@100",
    "ndcg": "nDCG", "ndcg_cut_5": "nDCG@5", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "Rprec": "Rprec",
    "bpref": "Bpref", "infAP": "infAP", "success_1": "Hit@1", "success_5": "Hit@5", "set_P": "SetP",
    "set_recall": "SetR", "set_F": "F1",
}  # fmt: skip
ASKED = {
    "map", "map_cut.10", "P.5,10", "recall.10,100", "ndcg", "ndcg_cut.5,10", "recip_rank", "Rprec", "bpref",
    "infAP", "success.1,5", "set_P", "set_recall", "set_F",
}  # fmt: skip
GDEVAL = {"ERR@20": "ERR@20", "nDCG(dcg='exp-log2')@10": "nDCG(gain=exp2)@10"}


def make_data() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Queries with ties, unjudged and pooled but unjudged results; 104 is missing from the run."""
    rng = random.Random(3)
    qrels, run = {}, {}
    for query in ("101", "102", "103", "104", "105"):
        targets = [f"DOC-{n:03d}" for n in rng.sample(range(200), 60)]
        top = 0 if query == "105" else 4  # nothing is relevant for 105
        qrels[query] = {t: min(top, rng.choice([-1, 0, 0, 0, 1, 1, 2, 3, 4])) for t in targets[:25]}
        if query != "104":
            run[query] = {t: rng.randrange(40) / 8 for t in rng.sample(targets, 40)}
    return qrels, run


def expected(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> dict[str, dict[str, float]]:
    found = pytrec_eval.RelevanceEvaluator(qrels, ASKED).evaluate(run)
    values = {
        query: {name: found[query][theirs] for theirs, name in TREC_EVAL.items()} for query in sorted(found)
    }
    judged = {q: {t: grade for t, grade in grades.items() if grade >= 0} for q, grades in qrels.items()}
    for theirs, name in GDEVAL.items():
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(theirs)], judged, run):
            if metric.query_id in values and metric.query_id != "105":  # gdeval leaves such a query out
                values[metric.query_id][name] = metric.value
    return values


def main() -> None:
    qrels, run = make_data()
    lines = [f"{q} 0 {t} {grade}\n" for q, grades in qrels.items() for t, grade in grades.items()]
    (FOLDER / "tiny.qrels").write_text("".join(lines))
    lines = [f"{q} Q0 {t} 1 {score} tiny\n" for q, found in run.items() for t, score in found.items()]
    (FOLDER / "tiny.run").write_text("".join(lines))
    (FOLDER / "expected.json").write_text(json.dumps(expected(qrels, run), indent=1) + "\n")


if __name__ == "__main__":
    main()
