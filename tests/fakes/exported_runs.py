"""Two runs over one set, with what breaks reports: markup, formulas, control characters, a failure.

Query   fts5                       hybrid
q1      found at rank 1            found at rank 1
=2      a target lost below k      found at rank 2
q<3>    failed                     nothing found, not indexed
four    undefined in both
"""

from collections.abc import Mapping

import msgspec

from fakes.runs import run_report
from rankle.core.run import (
    DocumentReport,
    QueryReport,
    ResultReport,
    RunReport,
    SetInfo,
    SystemInfo,
    TargetReport,
)

MARKUP = "<script>alert(1)</script> & [link](http://example.org) | `code` *bold* </script>"
FORMULA = '=HYPERLINK("http://example.org")'
CONTROL = "bell \x07, escape \x1b[31m and \ufffe end"
LATE = TargetReport(
    id="b.md",
    grade=2,
    relevant=True,
    rank=12,
    rank_at={"fts5": 12, "vector": 3},
    lost_at="below k",
)
FOUND = TargetReport(
    id="a.md", grade=1, relevant=True, rank=1, rank_at={"fts5": 1, "vector": 2}, lost_at=None
)
GONE = TargetReport(id="<b>gone</b>.md", grade=1, relevant=True, rank=None, rank_at={}, lost_at="not indexed")


def two_runs() -> tuple[RunReport, RunReport]:
    return _run(
        "fts5",
        {"nDCG@10": [1.0, 0.2890648263178879, None], "Hit@10": [1.0, 0.0, None]},
        [[FOUND], [LATE], [GONE]],
    ), _run(
        "hybrid",
        {"nDCG@10": [1.0, 0.6309297535714575, 0.0], "Hit@10": [1.0, 1.0, 0.0]},
        [[FOUND], [msgspec.structs.replace(LATE, rank=2, lost_at=None)], [GONE]],
    )


def _run(
    method: str, scores: Mapping[str, list[float | None]], targets: list[list[TargetReport]]
) -> RunReport:
    run = run_report(method, scores, error=f"RuntimeError: {MARKUP} {CONTROL}")
    named = zip(("q1", "=2", "q<3>"), ("the first", FORMULA, MARKUP), run.queries, targets, strict=True)
    queries = [_query(name, text, query, needed) for name, text, query, needed in named]
    queries.append(
        QueryReport(
            id="four", query=CONTROL, status="undefined", scores={}, first_relevant_rank=None, targets=[],
            results=[], took_ms=2.5,
        )
    )  # fmt: skip
    return msgspec.structs.replace(
        run,
        set=SetInfo(name="set <i>.jsonl", fingerprint="0" * 64, n_queries=4, n_in_file=5),
        system=SystemInfo(
            name="kb:default", method=method, fingerprint="1" * 64, stages=["fts5", "vector", "fusion"]
        ),
        documents=[DocumentReport(id="b.md", n_queries=1, n_found=0, hit_rate=0.0)],
        notices=[f"labels that name nothing in the index: 1 of 3: {MARKUP}"],
        queries=queries,
    )


def _query(name: str, text: str, query: QueryReport, targets: list[TargetReport]) -> QueryReport:
    if query.status == "failed":
        return msgspec.structs.replace(query, id=name, query=text, targets=targets)
    ids = [target.id for target in targets if target.rank is not None and target.rank <= 10]
    listed = [*ids, "other.md", MARKUP] if targets[0].rank == 1 else ["other.md", *ids, MARKUP]
    results = [
        ResultReport(
            rank=rank,
            id=found,
            document=found,
            score=1.0 / rank,
            grade=next((target.grade for target in targets if target.id == found), None),
            chunks=[f"chunk-{rank:012x}"],
        )
        for rank, found in enumerate(listed, start=1)
    ]
    ranks = [target.rank for target in targets if target.rank is not None]
    return msgspec.structs.replace(
        query,
        id=name,
        query=text,
        targets=targets,
        results=results,
        first_relevant_rank=min(ranks, default=None),
        tags=["a", "b"],
    )
