"""What runs are called side by side."""

import msgspec

from fakes.runs import run_report
from rankle.core.run import RunReport, SystemInfo
from rankle.reports.run_names import run_names


def named(name: str, method: str, **more: str) -> RunReport:
    run = run_report(method, {"AP": [1.0]})
    system = SystemInfo(name=name, method=method, fingerprint="", stages=[], **more)  # type: ignore[arg-type]
    return msgspec.structs.replace(run, system=system)


def test_runs_are_named_by_method() -> None:
    assert run_names([named("kb", "fts5"), named("kb", "hybrid")]) == ("fts5", "hybrid")


def test_a_recorded_run_is_named_by_its_own_name() -> None:
    assert run_names([named("bm25", "recorded", path="bm25.run")]) == ("bm25",)


def test_the_system_tells_apart_what_has_one_method() -> None:
    assert run_names([named("old", "fts5"), named("new", "fts5")]) == ("old fts5", "new fts5")


def test_what_is_still_alike_is_numbered() -> None:
    assert run_names([named("kb", "fts5"), named("kb", "fts5")]) == ("1: kb fts5", "2: kb fts5")
