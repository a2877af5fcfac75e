"""What systems of any kind find for the queries of a set, put together to be judged."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from rankle.app.evaluate_systems import checked_systems, opened_systems
from rankle.app.pool_request import PoolRequest, Progress, still_open
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Level
from rankle.core.judgment import Judgment
from rankle.core.outcome import Outcome
from rankle.core.ports import SearchSystem
from rankle.core.product import NAME
from rankle.core.redaction import redacted_uri
from rankle.core.search import Hit, Passage
from rankle.core.sync import waited
from rankle.formats.eval_set import read_eval_set
from rankle.formats.judgments import read_judgments
from rankle.formats.kinds import ReadOptions
from rankle.harness.plan import Item, plan_items
from rankle.harness.runner import run_plan
from rankle.harness.running import running
from rankle.labels.pooling import Pooled, pool

_PASSAGES: Final = (Level.CHUNK, Level.SPAN)


class SystemPool:
    """A set, and what systems found for all its queries before the first is judged.

    Documents are judged: ids are all that a system of any kind gives for sure. So what is shown may be a
    text, where the system gives one, or the id alone.
    """

    by_document: Final = True
    has_lines: Final = False

    def __init__(self, asked: PoolRequest, *, on_progress: Progress) -> None:
        """Asks every system every query that should find something.

        Raises BadLinesError and InputError where the set cannot be read, labels passages, or a system cannot
        be opened or is named twice, CannotMeasureError where one cannot be asked or fails on a query.
        """
        reading = ReadOptions(empty_means_nothing=asked.empty_means_nothing)
        self._set: EvalSet = read_eval_set(asked.set_file, options=reading)
        _check_labels(self._set)
        self.judgments: Sequence[Judgment] = read_judgments(asked.set_file)
        self.queries: Sequence[EvalQuery] = [query for query in self._set.queries if query.answerable]
        self._found: Mapping[str, list[list[Hit]]] = _ask(
            self._set, self.queries, asked, on_progress=on_progress
        )
        self.methods: tuple[str, ...] = tuple(self._found)

    def pooled(self, query: EvalQuery) -> list[Pooled]:
        """What the systems found, each document once."""
        place = self.queries.index(query)
        return pool(query, {name: found[place] for name, found in self._found.items()})

    def unjudged(
        self, query: EvalQuery, pooled: Sequence[Pooled], *, judge: str | None = None
    ) -> list[Pooled]:
        """As `app.pool_request.Pool` has it; labels are about what they name, letter by letter."""
        named = {label.name for label in query.labels}
        return still_open(
            query,
            pooled,
            judgments=self.judgments,
            judge=judge,
            is_labelled=lambda item: item.target in named,
        )

    def text_around(self, item: Pooled, *, n_characters: int) -> tuple[str, str]:  # noqa: ARG002 - the port
        """Nothing: what stands around a text, its system alone knows."""
        return "", ""


def _check_labels(eval_set: EvalSet) -> None:
    kinds = {label.level for query in eval_set.queries for label in query.labels}
    if kinds.intersection(_PASSAGES):
        raise InputError(
            f"{eval_set.name} labels passages, and of a system documents are judged; judge passages in a "
            f"workspace: {NAME} eval label SET without --system, or name a set that labels documents"
        )


def _ask(
    eval_set: EvalSet, queries: Sequence[EvalQuery], asked: PoolRequest, *, on_progress: Progress
) -> Mapping[str, list[list[Hit]]]:
    """The first results of every query, in their order, by the names of the systems."""
    found: list[list[list[Hit]]] = []
    n_all = len(queries) * len(asked.systems)
    asked_set = replace(eval_set, queries=tuple(queries))

    def told(done: int, _of_this_system: int) -> None:
        on_progress(len(found) * len(queries) + done, n_all)

    async def ask_all(systems: Sequence[SearchSystem]) -> None:
        async with running(systems):
            for system in systems:
                items = plan_items(asked_set, collection=None, catalog=system.catalog())
                outcomes = await run_plan(
                    system,
                    items,
                    depth=asked.depth,
                    level=Level.DOCUMENT,
                    concurrency=1,
                    clock=time.perf_counter,
                    on_progress=told,
                )
                found.append(_first(system, items, outcomes, depth=asked.depth))

    with opened_systems(checked_systems(asked.systems), texts=True) as opened:
        waited(ask_all)(opened)
        return dict(zip(_names(opened, asked.systems), found, strict=True))


def _names(systems: Sequence[SearchSystem], asked: Sequence[str]) -> list[str]:
    """What reports call the systems; as they were asked for, where two are called alike."""
    names = [system.describe().method for system in systems]
    return names if len(set(names)) == len(names) else [redacted_uri(name) for name in asked]


def _first(
    system: SearchSystem, items: Sequence[Item], outcomes: Sequence[Outcome], *, depth: int
) -> list[list[Hit]]:
    failed = [
        (item.query, outcome.error) for item, outcome in zip(items, outcomes, strict=True) if outcome.error
    ]
    if failed:
        raise CannotMeasureError(
            f"{system.describe().method} failed on {len(failed)} of {len(items)} queries, and what it finds "
            f'cannot be judged. The first is "{failed[0][0]}": {failed[0][1]}'
        )
    answers = [outcome.answer for outcome in outcomes if outcome.answer is not None]
    return [[_shown(hit) for hit in answer.hits[:depth]] for answer in answers]


def _shown(hit: Hit) -> Hit:
    """With a passage in any case: an empty one where the system gives no text."""
    if hit.passage is not None:
        return hit
    return replace(hit, passage=Passage(hit.id, hit.document, (), "", 0, 0, line_start=1, line_end=1))
