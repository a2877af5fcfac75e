"""What people searched for in a workspace, what they found, and how long they waited."""

from dataclasses import dataclass
from datetime import datetime

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.run import Latency
from rankle.kb.analytics import SearchStatistics, search_statistics, window_start
from rankle.stats.latency import latency_percentiles


@dataclass(frozen=True, slots=True)
class Analytics:
    """The searches of some days."""

    workspace: str
    since: datetime
    until: datetime
    days: int
    statistics: SearchStatistics
    latency_ms: Latency
    """Both None where nothing was searched for."""
    n_before: int
    """Searches in the log that are older."""


def analyse(settings: Settings, *, now: datetime, days: int, top: int) -> Analytics:
    """The last `days` days of the search log, today included, in the zone of `now`."""
    since = window_start(now, days=days)
    with open_knowledge_base(settings) as kb:
        searches = kb.log.read(since=since)
        n_logged = kb.log.count()
    return Analytics(
        workspace=settings.workspace,
        since=since,
        until=now,
        days=days,
        statistics=search_statistics(searches, now=now, top=top),
        latency_ms=latency_percentiles([search.took_ms for search in searches]),
        n_before=n_logged - len(searches),
    )
