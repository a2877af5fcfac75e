"""Evaluate a search system on a set of queries with judgments."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Unpack

from rankle.app.evaluation_options import EvaluationOptions, Queries, evaluation_of
from rankle.app.ids import new_stamp
from rankle.app.recording import keeper_of
from rankle.app.wiring.knowledge_base import knowledge_base_systems, open_knowledge_base
from rankle.app.wiring.settings import load_settings
from rankle.app.wiring.systems import open_systems
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.ports import SearchSystem
from rankle.core.redaction import redacted_uri
from rankle.core.run import RunReport
from rankle.core.sync import waited
from rankle.harness.evaluation import Stamp, evaluate_system

if TYPE_CHECKING:
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.search_settings import SearchSettings

_OWN: Final = ("system", "kb", "workspace", "method", "settings", "stamp")


async def aevaluate(
    eval_set: Queries,
    *,
    system: SearchSystem | str | None = None,
    kb: "KnowledgeBase | None" = None,
    workspace: str | None = None,
    method: str | None = None,
    settings: "SearchSettings | None" = None,
    stamp: Stamp | None = None,
    **options: Unpack[EvaluationOptions],
) -> RunReport:
    """Ask a system every query of a set and score its answers.

    eval_set: a set, the path of one, or records in the shape of a file's, such as
        `[{"query": "how do I reset it", "relevant": ["guide/reset.md"]}]`.
    system, kb, workspace: what is measured, one of them; with none, the workspace that the command line
        would use. A system is an object, a URI such as `http://localhost:8080/search`, or the name of
        `[systems.NAME]`. `method` chooses how a knowledge base searches; None takes its best.
    k: where the default measures are cut, 1, 5 and 10 by default. The largest also says how deep a query's
        first hit may stand before it counts as lost.
    depth: how many results a query asks for, 100 by default.
    measures: names such as `nDCG@10`, in one text or several; they replace the default ones, and their
        deepest cut is the largest k.
    level: `document`, `chunk` or `span`; None takes what the labels name.
    collection: searches this one only. max_queries: asks the first so many only.
    concurrency: queries in flight at once, 1 by default.
    one_by_one: asks no batches, so that `latency_ms` is what one search takes.
    coverage: when a chunk covers a labelled passage; by default with half of either.
    relevance: see `Relevance`; not for an `EvalSet`.
    reading: what is said about how that file is read, where its content leaves it open.
    normalise: what makes a label and the id of a document one that differ in their spelling only, such as
        `ids=case,extension`.
    settings: what moves the order of a knowledge base's results, such as
        `rankle.SearchSettings(fusion=rankle.Fusion(vector_weight=0.5))`; None takes the defaults.
    record: where the run leaves its record, for `rankle show` and the like: the path of a store, or True for
        the one that the command line would take. A library call writes no file unasked, so by default there
        is none. What an earlier run of the store asked the same of the same knowledge base is taken from it;
        a `Recording` with `reuse=False` asks all.
    on_progress: called with how many queries are done, and of how many. clock: what times them.
    stamp: id and time of the run; None makes them now.

    Queries on which the system fails are in the record and in no mean: look at `n_failed`, or call
    `check_failures`. Raises InputError on a set, name or setting that cannot be used, CannotMeasureError
    where the labels join nothing.
    """
    asked = evaluation_of(eval_set, options, own=_OWN, name="evaluate")
    if system is not None and (kb, workspace, method, settings) != (None, None, None, None):
        raise InputError(
            "evaluate takes a system of your own, or kb, workspace, method and settings; not both"
        )
    with _measured(system, kb, workspace=workspace, method=method, settings=settings) as measured:
        asked_for = redacted_uri(system) if isinstance(system, str) else method
        with keeper_of(asked.recording, methods=[asked_for]) as keeper:
            return await evaluate_system(
                asked.queries_in(measured),
                measured,
                asked.settings,
                stamp=stamp or new_stamp(),
                clock=asked.clock,
                on_progress=asked.on_progress,
                keeper=keeper,
            )


def check_failures(report: RunReport, *, max_failures: int, who: str = "the system") -> None:
    """Raise CannotMeasureError where the system failed on more queries than are allowed.

    who: what the message calls the system.
    """
    failed = [query for query in report.queries if query.status == "failed"]
    if len(failed) > max_failures:
        shortened = failed[0].query if len(failed[0].query) <= 60 else f"{failed[0].query[:59]}…"
        raise CannotMeasureError(
            f"{who} failed on {len(failed)} of {len(report.queries)} queries, more than {max_failures}. "
            f'The first is "{shortened}": {failed[0].error}. '
            f"Failed queries are in no mean; to accept them: --max-failures {len(failed)}"
        )


@contextmanager
def _measured(
    system: SearchSystem | str | None,
    kb: "KnowledgeBase | None",
    *,
    workspace: str | None,
    method: str | None,
    settings: "SearchSettings | None",
) -> Iterator[SearchSystem]:
    """The system to ask; what is opened here is closed again."""
    if isinstance(system, str):
        with open_systems([system]) as (found,):
            yield found
        return
    if system is not None:
        yield system
        return
    with opened(kb, workspace=workspace) as base:
        (one,) = knowledge_base_systems(base, methods=[method], settings=settings)
        yield one


@contextmanager
def opened(kb: "KnowledgeBase | None", *, workspace: str | None) -> "Iterator[KnowledgeBase]":
    """The knowledge base that is given, or that of a workspace, which is closed again at the end."""
    if kb is not None and workspace is not None:
        raise InputError("evaluate takes an open kb or the name of a workspace, not both")
    if kb is not None:
        yield kb
        return
    with open_knowledge_base(load_settings(workspace=workspace)) as base:
        yield base


evaluate = waited(aevaluate)
"""`aevaluate`, waited for: the same arguments and the same record."""
