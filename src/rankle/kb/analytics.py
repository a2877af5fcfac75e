"""What the search log tells: which queries are frequent, which find nothing or little, and the trend."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from rankle.kb.searchlog import LoggedSearch

WEAK_COVERAGE: Final = 0.5
"""A first result that holds a smaller share of the query's terms is a weak one."""


@dataclass(frozen=True, slots=True)
class QueryCount:
    """One query, however it was spelled."""

    query: str
    """As it was last written, white space normalised."""
    n: int
    """How often."""
    last: datetime


@dataclass(frozen=True, slots=True)
class DayCount:
    """The searches of one day."""

    day: date
    n_searches: int
    n_without_results: int
    n_weak: int


@dataclass(frozen=True, slots=True)
class SearchStatistics:
    """What people searched for within some days."""

    n_searches: int
    n_queries: int
    """Distinct, case and white space ignored."""
    n_without_results: int
    n_weak: int
    popular: tuple[QueryCount, ...]
    without_results: tuple[QueryCount, ...]
    weak: tuple[QueryCount, ...]
    trend: tuple[DayCount, ...]
    """Every day from the first search to the last day, those without a search too."""


def window_start(now: datetime, *, days: int) -> datetime:
    """The beginning of the first of `days` days, of which today is the last, in the zone of `now`."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=days - 1)


def search_statistics(searches: Sequence[LoggedSearch], *, now: datetime, top: int) -> SearchStatistics:
    """Statistics of the given searches; days are those of the zone of `now`.

    top: how many queries each list holds, the most frequent first, then the latest.
    """
    without = [search for search in searches if is_without_results(search)]
    weak = [search for search in searches if is_weak(search)]
    return SearchStatistics(
        n_searches=len(searches),
        n_queries=len({_key(search.query) for search in searches}),
        n_without_results=len(without),
        n_weak=len(weak),
        popular=_most_frequent(searches, top),
        without_results=_most_frequent(without, top),
        weak=_most_frequent(weak, top),
        trend=_trend(searches, now),
    )


def is_without_results(search: LoggedSearch) -> bool:
    return search.n_results == 0


def is_weak(search: LoggedSearch) -> bool:
    """Whether the first result holds fewer than half of the query's terms."""
    return search.n_results > 0 and search.coverage is not None and search.coverage < WEAK_COVERAGE


def _key(query: str) -> str:
    return " ".join(query.casefold().split())


def _most_frequent(searches: Iterable[LoggedSearch], top: int) -> tuple[QueryCount, ...]:
    grouped: dict[str, list[LoggedSearch]] = defaultdict(list)
    for search in searches:
        grouped[_key(search.query)].append(search)
    counts = []
    for group in grouped.values():
        last = max(group, key=lambda search: search.at)
        counts.append(QueryCount(" ".join(last.query.split()), len(group), last.at))
    counts.sort(key=lambda count: (-count.n, -count.last.timestamp(), count.query))
    return tuple(counts[:top])


def _trend(searches: Sequence[LoggedSearch], now: datetime) -> tuple[DayCount, ...]:
    if not searches:
        return ()
    every = _per_day(searches, now, lambda _search: True)
    without = _per_day(searches, now, is_without_results)
    weak = _per_day(searches, now, is_weak)
    first, last = min(every), max(now.date(), *every)
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return tuple(DayCount(day, every[day], without[day], weak[day]) for day in days)


def _per_day(
    searches: Sequence[LoggedSearch], now: datetime, counts: Callable[[LoggedSearch], bool]
) -> Counter[date]:
    return Counter(search.at.astimezone(now.tzinfo).date() for search in searches if counts(search))
