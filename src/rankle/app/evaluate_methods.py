"""Evaluate several methods of one knowledge base on the same queries."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, Unpack

from rankle.app.evaluate import opened
from rankle.app.evaluation_options import EvaluationOptions, Queries, evaluation_of
from rankle.app.ids import new_stamp
from rankle.app.recording import keeper_of
from rankle.app.wiring.knowledge_base import knowledge_base_systems
from rankle.core.errors import InputError
from rankle.core.run import RunReport
from rankle.core.sync import waited
from rankle.harness.evaluation import Stamp, evaluate_systems

if TYPE_CHECKING:
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.search_settings import SearchSettings


_OWN: Final = ("methods", "kb", "workspace", "settings", "stamp")


async def aevaluate_methods(
    eval_set: Queries,
    *,
    methods: Iterable[str],
    kb: "KnowledgeBase | None" = None,
    workspace: str | None = None,
    settings: "SearchSettings | None" = None,
    stamp: Callable[[], Stamp] = new_stamp,
    **options: Unpack[EvaluationOptions],
) -> tuple[RunReport, ...]:
    """Ask a knowledge base every query of a set by each method; one record a method, in their order.

    methods: names such as `["fts5", "vector", "hybrid"]`, each once.
    on_progress: counts queries over all methods.
    stamp: makes the id and time of each run.
    settings: those of `evaluate`, for every method that looks at them; the fusion concerns `hybrid` alone.
    The other arguments are those of `evaluate`. The set is read and its labels are joined once.

    Raises InputError where no method is named, or one twice, and what a method raises that the workspace
    cannot do; then no query was asked by any.
    """
    names = _checked(methods)
    asked = evaluation_of(eval_set, options, own=_OWN, name="evaluate_methods")
    with opened(kb, workspace=workspace) as base:
        systems = knowledge_base_systems(base, methods=names, settings=settings)
        with keeper_of(asked.recording, methods=names) as keeper:
            return await evaluate_systems(
                asked.queries_in(systems[0]),
                systems,
                asked.settings,
                stamp=stamp,
                clock=asked.clock,
                on_progress=asked.on_progress,
                keeper=keeper,
            )


def _checked(methods: Iterable[str]) -> tuple[str, ...]:
    if isinstance(methods, str):
        raise InputError(f'methods are a list of names, such as ["fts5", "hybrid"]; got "{methods}"')
    names = tuple(methods)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f'method "{twice}" is named twice; a method is compared with others')
    if not names:
        raise InputError('no method is named; methods are a list such as ["fts5", "hybrid"]')
    return names


evaluate_methods = waited(aevaluate_methods)
"""`aevaluate_methods`, waited for: the same arguments and the same records."""
