"""`rankle analytics`: the searches of the last days, as people read them."""

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from rich.cells import cell_len

from fakes.command import GUIDE, steady, succeed, write_files
from rankle.app.analytics import analyse
from rankle.app.wiring.settings import load_settings
from rankle.cli.analytics_report import analytics_json, analytics_lines
from rankle.kb.searchlog import LoggedSearch, SearchLog

NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)


@pytest.fixture
def log(tmp_path: Path, home: Path) -> SearchLog:
    succeed("index", write_files(tmp_path / "guide", GUIDE))
    return SearchLog(home / "default")


def _search(
    query: str, *, days_ago: float = 0, n_results: int = 3, coverage: float | None = 1.0, took_ms: float = 2.0
) -> LoggedSearch:
    return LoggedSearch(
        at=NOW - timedelta(days=days_ago),
        query=query,
        method="fts5",
        collection=None,
        n_results=n_results,
        top_score=1.0 if n_results else None,
        coverage=coverage if n_results else None,
        took_ms=took_ms,
    )


def _report(*, days: int = 30, top: int = 10) -> str:
    found = analyse(load_settings(), now=NOW, days=days, top=top)
    return "\n".join(analytics_lines(found, width=80))


def test_the_report_of_some_days(log: SearchLog) -> None:
    for search in (
        _search("old", days_ago=40),
        _search("Reset  the pump", days_ago=3, took_ms=9.0),
        _search("reset the pump", days_ago=3),
        _search("reset the PUMP "),
        _search("zebra", n_results=0),
        _search("four words, one found", coverage=0.25),
        _search("exactly half", coverage=0.5),
    ):
        log.append(search)
    assert (
        _report()
        == """\
Searches in workspace default, 2026-11-01 to 2026-11-30

Searches:          6 (4 different queries)
Without results:   1 (16.7%)
With weak results: 1 (16.7%)
Latency:           p50 2.0 ms, p95 9.0 ms

Popular:
       3  reset the PUMP
       1  exactly half
       1  four words, one found
       1  zebra

Without results:
       1  zebra

With weak results (first result holds under half of the terms):
       1  four words, one found

Per day:
  2026-11-27  ████████████████████ 2
  2026-11-28  0
  2026-11-29  0
  2026-11-30  ████████████████████████████████████████ 4, 1 without results"""
    )


def test_lists_are_cut_to_the_top_with_the_latest_first_among_equals(log: SearchLog) -> None:
    for n in range(5):
        log.append(_search(f"query {n}", days_ago=5 - n))
    popular = analyse(load_settings(), now=NOW, days=30, top=2).statistics.popular
    assert [count.query for count in popular] == ["query 4", "query 3"]


def test_days_are_those_of_the_reader(log: SearchLog) -> None:
    log.append(_search("late", days_ago=16 / 24))  # the day before at 23:00 UTC
    east = NOW.astimezone(tz=timezone(timedelta(hours=2)))
    (in_utc, _) = analyse(load_settings(), now=NOW, days=30, top=1).statistics.trend
    (in_east,) = analyse(load_settings(), now=east, days=30, top=1).statistics.trend
    assert (in_utc.day.day, in_east.day.day) == (29, 30)


def test_one_day_is_today(log: SearchLog) -> None:
    log.append(_search("today", days_ago=14.9 / 24))
    log.append(_search("yesterday", days_ago=15.1 / 24))
    assert analyse(load_settings(), now=NOW, days=1, top=1).statistics.n_searches == 1


@pytest.mark.parametrize(
    ("days", "noun"), [(30, "day"), (31, "week"), (300, "four weeks"), (5_000, "four weeks")]
)
def test_a_long_time_is_drawn_by_weeks(log: SearchLog, days: int, noun: str) -> None:
    log.append(_search("first", days_ago=days))
    log.append(_search("last"))
    assert f"Per {noun}:\n" in _report(days=10_000)


def test_an_empty_log_says_what_to_do(log: SearchLog) -> None:
    assert _report().endswith('No searches yet. Every rankle search "…" without --no-log is counted here.')
    log.append(_search("old", days_ago=40))
    assert _report().endswith("None within these days; 1 before. Look further back with --days N.")
    assert "Look further back" in succeed("analytics", "--days", "1")


def test_searches_are_counted_and_those_without_log_are_not(log: SearchLog) -> None:
    succeed("search", "voltage", "-k", "1")
    succeed("search", "Voltage ")
    succeed("search", "zebra")
    succeed("search", "secret", "--no-log")
    value = json.loads(succeed("analytics", "--json"))
    assert value["schema"] == "rankle.analytics/1"
    assert (value["n_searches"], value["n_queries"], value["n_without_results"]) == (3, 2, 1)
    assert [(each["query"], each["n"]) for each in value["popular"]] == [("Voltage", 2), ("zebra", 1)]
    assert [each["query"] for each in value["without_results"]] == ["zebra"]
    assert sum(day["n_searches"] for day in value["trend"]) == 3
    assert value["latency_ms"]["p50"] <= value["latency_ms"]["p95"]
    printed = steady(succeed("analytics"))
    assert re.search(r"Latency: +p50 _ ms, p95 _ ms", printed)


def test_no_line_is_wider_than_the_screen(log: SearchLog) -> None:
    for n in range(180):
        log.append(_search(f"a query of many {'words ' * 20}{n % 9}", n_results=0))
    found = analyse(load_settings(), now=NOW, days=30, top=10)
    for width in (60, 80, 100):
        assert max(map(cell_len, analytics_lines(found, width=width))) == width
    queries = [query["query"] for query in analytics_json(found)["popular"]]
    assert all(query.startswith("a query of many") and query[-1].isdigit() for query in queries)
    assert len({line for line in analytics_lines(found, width=60) if "…" in line}) == 9
