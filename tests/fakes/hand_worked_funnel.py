"""A set and a system whose funnel is worked out by hand.

k is 2, the stages are two lists and their fusion.

query  target  fts5  vector  fusion  final  fate
one    a       1     -       1       1      found
one    b       -     2       3       3      fused out
two    a       3     3       3       3      below k
two    c       -     -       -       -      no candidate list
three  gone    -     -       -       -      not indexed
four   (undefined)
five   a       failed
"""

from fakes.scripted_system import ScriptedSystem
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.core.run import FateReport, FunnelReport, StageReport

SET = EvalSet(
    "set",
    (
        EvalQuery("one", "q1", (Label("a"), Label("b"))),
        EvalQuery("two", "q2", (Label("a"), Label("c"), Label("b", grade=0))),
        EvalQuery("three", "q3", (Label("gone"),)),
        EvalQuery("four", "q4", (Label("a", grade=0),)),
        EvalQuery("five", "q5", (Label("a"),)),
    ),
)
NOTHING: dict[str, list[str]] = {"fts5": [], "vector": [], "fusion": []}
SYSTEM = ScriptedSystem(
    answers={
        "q1": ["a", "x", "b"],
        "q2": ["x", "y", "a"],
        "q3": ["x"],
        "q4": ["a"],
        "q5": RuntimeError("boom"),
    },
    documents=["a", "b", "c", "x", "y"],
    stages={
        "q1": {"fts5": ["a", "x"], "vector": ["x", "b"], "fusion": ["a", "x", "b"]},
        "q2": {"fts5": ["x", "y", "a"], "vector": ["y", "x", "a"], "fusion": ["x", "y", "a"]},
        "q3": NOTHING,
        "q4": NOTHING,
    },
)
FUNNEL = FunnelReport(
    k=2,
    n_targets=5,
    n_queries=3,
    n_failed=1,
    n_candidates=3,
    n_candidates_within_k=2,
    stages=[
        StageReport(stage="fts5", n_listed=2, n_within_k=1),
        StageReport(stage="vector", n_listed=2, n_within_k=1),
        StageReport(stage="fusion", n_listed=3, n_within_k=1),
    ],
    fates=[
        FateReport(fate="found", n_targets=1, queries=["one"]),
        FateReport(fate="below k", n_targets=1, queries=["two"]),
        FateReport(fate="fused out", n_targets=1, queries=["one"]),
        FateReport(fate="no candidate list", n_targets=1, queries=["two"]),
        FateReport(fate="not indexed", n_targets=1, queries=["three"]),
    ],
)
