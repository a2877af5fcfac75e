"""How much of the passages the first so many tokens of the results hold: what compares chunkers fairly.

Equal k is not equal context: ten long chunks hold more than ten short ones. So results are taken in their
order until a budget of tokens is spent, the last of them cut where it ends.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rankle.core.errors import InputError
from rankle.core.text_range import Range


class Tokens(Protocol):
    """Counts the tokens of stored texts."""

    def count(self, part: Range) -> int:
        """Tokens of a range."""
        ...

    def longest(self, part: Range, tokens: int) -> int:
        """The end of the longest beginning of a range that has at most so many tokens; its start if even
        the first unit has more."""
        ...


@dataclass(frozen=True, slots=True)
class ContextScores:
    """What a context holds of the passages of one query."""

    recall: float
    """Share of the passages' characters that are in the context, in [0, 1]."""
    precision: float
    """Share of the context's characters that are of a passage, in [0, 1]; what stands there twice helps once.
    0 for an empty context."""
    found: float
    """Share of the passages of which at least half is in the context, in [0, 1]."""


def first_tokens(results: Iterable[Range], *, budget: int, tokens: Tokens) -> tuple[Range, ...]:
    """The results, best first, up to a budget of tokens; the last one is cut where the budget ends.

    Raises InputError for a budget below 1.
    """
    if budget < 1:
        raise InputError(f"a budget must be 1 token or more, got {budget}")
    return tuple(_until(results, budget, tokens))


def _until(results: Iterable[Range], budget: int, tokens: Tokens) -> Iterator[Range]:
    left = budget
    for result in results:
        needed = tokens.count(result)
        if needed > left:
            end = tokens.longest(result, left)
            if end > result.start:
                yield Range(result.document, result.start, end)
            return
        yield result
        left -= needed


def score_context(context: Sequence[Range], spans: Sequence[Range]) -> ContextScores:
    """Compares a context to the passages of a query. Raises ValueError where there is no passage."""
    if not spans:
        raise ValueError("a query without a passage has no recall")
    held, wanted = _merged(context), _merged(spans)
    both = _overlap(held, wanted)
    n_context = sum(part.length for part in context)
    found = sum(2 * _overlap(held, {span.document: [span]}) >= span.length for span in spans)
    return ContextScores(
        recall=both / sum(part.length for parts in wanted.values() for part in parts),
        precision=both / n_context if n_context else 0.0,
        found=found / len(spans),
    )


def _merged(ranges: Sequence[Range]) -> dict[str, list[Range]]:
    """Ranges by document, ascending, those that overlap or touch made one."""
    merged: dict[str, list[Range]] = {}
    for part in sorted(ranges, key=lambda each: (each.document, each.start, each.end)):
        parts = merged.setdefault(part.document, [])
        if parts and part.start <= parts[-1].end:
            last = parts.pop()
            part = Range(part.document, last.start, max(last.end, part.end))
        parts.append(part)
    return merged


def _overlap(one: dict[str, list[Range]], other: dict[str, list[Range]]) -> int:
    """Characters that both have. Of a query there are few ranges, so each is held against each."""
    return sum(
        part.overlap(against)
        for document, parts in one.items()
        for part in parts
        for against in other.get(document, ())
    )
