"""Evaluate systems of any kind on the same queries: named by URIs or in the project file, or objects."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Unpack

from rankle.app.evaluation_options import EvaluationOptions, Queries, evaluation_of
from rankle.app.ids import new_stamp
from rankle.app.recording import keeper_of
from rankle.app.wiring.systems import open_systems
from rankle.core.errors import InputError
from rankle.core.ports import SearchSystem
from rankle.core.redaction import redacted_uri
from rankle.core.run import RunReport
from rankle.core.sync import waited
from rankle.harness.evaluation import Stamp
from rankle.harness.evaluation import evaluate_systems as run_systems

_OWN: Final = ("systems", "stamp")


async def aevaluate_systems(
    eval_set: Queries,
    *,
    systems: Iterable[str | SearchSystem],
    stamp: Callable[[], Stamp] = new_stamp,
    **options: Unpack[EvaluationOptions],
) -> tuple[RunReport, ...]:
    """Ask every system every query of a set, one system after another; one record each, in their order.

    systems: URIs such as `http://localhost:8080/search`, names of `[systems.NAME]` in the project file, or
        objects that implement `rankle.core.ports.SearchSystem`; each once.
    The other arguments are those of `evaluate`. The set is read once; its labels are joined to each system,
    since they may hold different documents.

    Raises InputError where none is named, one is named twice or cannot be opened, CannotMeasureError where
    one cannot be asked; then no query was asked of any.
    """
    named = checked_systems(systems)
    asked = evaluation_of(eval_set, options, own=_OWN, name="evaluate_systems")
    with opened_systems(named) as opened, keeper_of(asked.recording, methods=_names(named)) as keeper:
        return await run_systems(
            asked.queries_in(opened[0]),
            opened,
            asked.settings,
            stamp=stamp,
            clock=asked.clock,
            on_progress=asked.on_progress,
            keeper=keeper,
            one_catalog=False,
        )


@contextmanager
def opened_systems(
    named: Sequence[str | SearchSystem], *, texts: bool = False
) -> Iterator[tuple[SearchSystem, ...]]:
    """Objects as they are, the others opened, in their order. texts: see `open_systems`."""
    with open_systems([each for each in named if isinstance(each, str)], texts=texts) as opened:
        rest = iter(opened)
        yield tuple(next(rest) if isinstance(each, str) else each for each in named)


def _names(named: Sequence[str | SearchSystem]) -> list[str]:
    return [redacted_uri(each) if isinstance(each, str) else each.describe().name for each in named]


def checked_systems(systems: Iterable[str | SearchSystem]) -> tuple[str | SearchSystem, ...]:
    """Raises InputError where none is named, or one twice."""
    if isinstance(systems, str):
        raise InputError(f'systems are a list, such as ["{redacted_uri(systems)}"]; got one text')
    named = tuple(systems)
    texts = [each for each in named if isinstance(each, str)]
    twice = next((each for each in texts if texts.count(each) > 1), None)
    if twice is not None:
        raise InputError(
            f'the system "{redacted_uri(twice)}" is named twice; a system is compared with others'
        )
    if not named:
        raise InputError('no system is named; systems are a list such as ["http://localhost:8080/search"]')
    return named


evaluate_systems = waited(aevaluate_systems)
"""`aevaluate_systems`, waited for: the same arguments and the same records."""
