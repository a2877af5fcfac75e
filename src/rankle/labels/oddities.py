"""What in a set is probably not meant, though every label of it can be read."""

from collections.abc import Iterator
from typing import Final

from rankle.core.errors import Fault
from rankle.core.evalset import EvalQuery, EvalSet

_LINES: Final = 5
"""That a remark lists."""
_GRADE: Final = 10
"""Graded judgments seldom go beyond 4; beyond this a number is rather a score, a count or an id."""


def oddities(eval_set: EvalSet) -> tuple[Fault, ...]:
    """Queries with the same text and other labels, queries without a relevant label, and grades that look
    like something else, by line."""
    found = [*_contradictions(eval_set), *_without_target(eval_set), *_high_grades(eval_set)]
    return tuple(sorted(found, key=lambda fault: fault.line or 0))


def _contradictions(eval_set: EvalSet) -> Iterator[Fault]:
    by_text: dict[tuple[str, str | None], list[EvalQuery]] = {}
    for query in eval_set.queries:
        by_text.setdefault((" ".join(query.text.casefold().split()), query.collection), []).append(query)
    for queries in by_text.values():
        if len({frozenset((label.target, label.grade) for label in query.labels) for query in queries}) < 2:
            continue
        first, *rest = queries
        where = [f"line {query.line}" if query.line else f'"{query.id}"' for query in rest[:_LINES]]
        more = ", …" if len(rest) > _LINES else ""
        yield Fault(first.line, f"has the text of {', '.join(where)}{more}, with other labels; merge them")


def _without_target(eval_set: EvalSet) -> Iterator[Fault]:
    for query in eval_set.queries:
        if not query.answerable:
            continue
        if not query.labels:
            yield Fault(
                query.line, 'has no label; name its targets, or say "answerable": false if nothing is right'
            )
        elif not any(label.grade > 0 or label.relevant for label in query.labels):
            yield Fault(query.line, "has no relevant label, only grades of 0; it has no recall and no nDCG")


def _high_grades(eval_set: EvalSet) -> Iterator[Fault]:
    high = [query for query in eval_set.queries if any(label.grade > _GRADE for label in query.labels)]
    if not high:
        return
    grades = [label.grade for query in high for label in query.labels if label.grade > _GRADE]
    more = f", as in {len(high) - 1} further {'query' if len(high) == 2 else 'queries'}" if high[1:] else ""
    highest = f"; the highest is {max(grades)}" if max(grades) != grades[0] else ""
    yield Fault(
        high[0].line,
        f"has a relevance of {grades[0]}{more}{highest}. Grades beyond {_GRADE} are "
        f"rather scores or ids, and outweigh all others in nDCG; map them: --gain {grades[0]}=2",
    )
