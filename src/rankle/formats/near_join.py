"""How ids that do not join would, if they were normalised."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rankle.formats.normalise import PLAIN, Step, normalise

_SAMPLE: Final = 100
_LONGEST: Final = 40
"""Of a prefix or suffix, in characters."""
_MOST_IDS: Final = 200_000
_MOST_PLAIN: Final = 2
_AFFIXES: Final = 3


@dataclass(frozen=True, slots=True)
class NearJoin:
    """A normalisation that joins more ids."""

    steps: tuple[Step, ...]
    n_joined: int
    """Of the ids asked about, how many have a counterpart once both sides are normalised."""


def find_near_join(ids: Collection[str], others: Collection[str]) -> NearJoin | None:
    """The fewest normalisations that join the most of `ids` to `others`; None where none joins more.

    A normalisation that would make one of two different ids of a side is none. Nothing is looked for
    among more than 200,000 ids, which would take minutes.
    """
    mine, theirs = set(ids), set(others)
    if len(mine) + len(theirs) > _MOST_IDS or not mine - theirs:
        return None
    changing = [
        Step(name) for name, change in PLAIN.items() if any(change(one) != one for one in mine | theirs)
    ]
    best = NearJoin((), len(mine & theirs))
    for n_plain in range(_MOST_PLAIN + 1):
        for plain in combinations(changing, n_plain):
            for steps in (plain, *_affixed(mine, theirs, plain)):
                best = max(best, NearJoin(steps, _n_joined(mine, theirs, steps)), key=_merit)
        if best.n_joined == len(mine) and len(best.steps) <= n_plain:
            break  # further ones have more steps
    return best if best.steps else None


def _merit(near: NearJoin) -> tuple[int, int, int]:
    """The most joined, then the fewest steps, then the fewest that drop a part of the id; first wins."""
    n_dropping = sum(bool(step.text) or step.name == "folder" for step in near.steps)
    return near.n_joined, -len(near.steps), -n_dropping


def _n_joined(mine: set[str], theirs: set[str], steps: tuple[Step, ...]) -> int:
    """How many of `mine` join; 0 where ids of a side fall together."""
    mine_new, theirs_new = set(normalise(list(mine), steps)), set(normalise(list(theirs), steps))
    if len(mine_new) < len(mine) or len(theirs_new) < len(theirs):
        return 0
    return len(mine_new & theirs_new)


def _affixed(mine: set[str], theirs: set[str], steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """The normalisations, and behind them a prefix or suffix to drop, as the ids themselves suggest."""
    ours, others = set(normalise(list(mine), steps)), set(normalise(list(theirs), steps))
    found = _affixes(ours, others) + _affixes(others, ours)
    for (prefix, suffix), count in found.most_common(_AFFIXES):
        if "," not in prefix + suffix and (count > 1 or min(len(mine), len(theirs)) == 1):
            drops = [Step("prefix", prefix)] if prefix else []
            yield (*steps, *drops, *([Step("suffix", suffix)] if suffix else []))


def _affixes(ids: set[str], others: set[str]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for name in sorted(ids - others)[:_SAMPLE]:
        for start in range(min(len(name), _LONGEST)):
            for end in range(len(name), max(start, len(name) - _LONGEST), -1):
                if name[start:end] in others and _apart(name, start) and _apart(name, end):
                    found[name[:start], name[end:]] += 1
    return found


def _apart(name: str, place: int) -> bool:
    """Whether a name may be cut here: not within a number, nor within a word."""
    if place in (0, len(name)):
        return True
    before, after = name[place - 1], name[place]
    return not (before.isalpha() and after.isalpha()) and not (before.isdigit() and after.isdigit())
