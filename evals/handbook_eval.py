"""The project's own evals: search in examples/handbook, by full text and by the best that the workspace has.

rankle index examples/handbook
rankle run evals
"""

import rankle
from rankle.scorers import hit_rate, latency_budget, ndcg, recall

kb = rankle.open()


def top(view):
    """What the worst cases show."""
    return {"Query": view.input["query"], "Found": view.output[:3]}


@rankle.eval(
    "Handbook",
    data="../examples/handbook.jsonl",
    scorers=[recall(10), ndcg(10), hit_rate(10), latency_budget(2000, weight=0)],
    columns=top,
).each([{"name": "fts5", "input": "fts5"}, {"name": "best", "input": None}])
async def handbook(input, variant):
    """The documents of the first ten results."""
    hits = await kb.asearch(input["query"], method=variant, k=10, group="document")
    return [hit.document for hit in hits]
