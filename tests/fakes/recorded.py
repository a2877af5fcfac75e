"""Runs as a record store is given them, made up with a seed: outcomes, and the report that they came to."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from fakes.runs import run_report
from rankle.core.outcome import Answer, Outcome
from rankle.core.run import QueryReport, ResultReport, RunReport, TargetReport
from rankle.core.search import Hit, Stage, StageRank
from rankle.records.run_info import RunFacts
from rankle.records.store import Store

CREATED = "2026-11-30T09:00:00Z"
FINISHED = "2026-11-30T09:00:07Z"
PLAN = b"what the cases were made from"


@dataclass(frozen=True)
class MadeUp:
    """A run that is ready to be recorded."""

    facts: RunFacts
    report: RunReport
    outcomes: dict[int, tuple[str, Outcome]]


def made_up(
    run: str = "0123456789ab", *, n_queries: int = 4, n_results: int = 5, seed: int = 1, **facts: Any
) -> MadeUp:
    """The last query failed, if there are several; the others have results, half of them judged."""
    rng = random.Random(seed)
    report = run_report("hybrid", {"nDCG@10": [rng.random() for _ in range(n_queries - 1)] + [None]}, id=run)
    outcomes = {
        place: (query.id, _outcome(rng, n_results) if query.status == "scored" else _FAILED)
        for place, query in enumerate(report.queries)
    }
    queries = [_reported(query, outcomes[place][1]) for place, query in enumerate(report.queries)]
    report = msgspec.structs.replace(
        report, queries=queries, created=facts.get("created", CREATED), notices=["a notice — 検索"]
    )
    return MadeUp(_facts(report, **facts), report, outcomes)


def record(store: Store, run: MadeUp) -> None:
    """Record it to its end."""
    writer = store.begin(run.facts, plan=PLAN)
    try:
        writer.keep(run.outcomes)
        writer.finish(run.report, at=FINISHED)
    finally:
        writer.close()


def record_part(store: Store, run: MadeUp, *, n_cases: int) -> None:
    """Record its first cases, as one that was interrupted."""
    writer = store.begin(run.facts, plan=PLAN)
    writer.keep({place: run.outcomes[place] for place in range(n_cases)})
    writer.close()


def fill(path: str, ids: list[str]) -> None:
    """Record runs of these ids, one case at a time; what a process of its own does."""
    from rankle.records.store import open_store

    with open_store(Path(path), create=True) as store:
        for run in ids:
            made = made_up(run)
            writer = store.begin(made.facts, plan=PLAN)
            for place, case in made.outcomes.items():
                writer.keep({place: case})
            writer.finish(made.report, at=FINISHED)
            writer.close()


_FAILED = Outcome(None, "RuntimeError: boom", None, None, "the batch crashed")


def _outcome(rng: random.Random, n_results: int) -> Outcome:
    names = [f"docs/{number:05}.md" for number in rng.sample(range(5000), n_results + 3)]
    hits = tuple(
        Hit(name, name, rng.gauss(0, 20), rank, (f"chunk-{rng.getrandbits(48):012x}",))
        for rank, name in enumerate(names[:n_results], start=1)
    )
    lists = {"fts5": names, "vector": rng.sample(names, len(names)), "fusion": names[:n_results]}
    stages = tuple(
        Stage(
            stage, rng.random(), {name: StageRank(rank, 1 / rank) for rank, name in enumerate(ids, start=1)}
        )
        for stage, ids in lists.items()
    )
    return Outcome(Answer(hits, stages, 1, ("a remark",)), None, rng.random(), 4)


def _reported(query: QueryReport, outcome: Outcome) -> QueryReport:
    hits = outcome.answer.hits if outcome.answer else ()
    results = [
        ResultReport(
            rank=rank,
            id=hit.id,
            document=hit.document,
            score=hit.score,
            grade=rank % 3 if rank % 2 else None,
            chunks=list(hit.chunks),
        )
        for rank, hit in enumerate(hits, start=1)
    ]
    targets = [
        TargetReport(
            id=result.id,
            grade=result.grade,
            relevant=result.grade > 0,
            rank=result.rank,
            rank_at={"fts5": result.rank},
            lost_at=None,
        )
        for result in results
        if result.grade is not None
    ]
    return msgspec.structs.replace(query, results=results, targets=targets)


def _facts(report: RunReport, **changed: Any) -> RunFacts:
    known: dict[str, Any] = {
        "id": report.id,
        "created": report.created,
        "set_name": report.set.name,
        "set_fingerprint": report.set.fingerprint,
        "n_queries": report.set.n_queries,
        "level": report.level,
        "depth": report.depth,
        "seed": report.seed,
        "system_name": report.system.name,
        "method": report.system.method,
        "system_fingerprint": report.system.fingerprint,
        "rankle_version": report.rankle_version,
        "parts": {"index": "f" * 64},
        "settings": {"depth": report.depth},
        "git_revision": "a" * 40,
        "git_dirty": True,
    }
    return RunFacts(**(known | changed))
