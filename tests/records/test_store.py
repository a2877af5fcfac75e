"""A store gives back what it was given, whoever writes beside it and whatever ends the writer."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from fakes.recorded import CREATED, FINISHED, PLAN, made_up, record, record_part
from rankle.core.errors import CannotMeasureError, RecordError
from rankle.records.fingerprints import judgments_fingerprint, queries_fingerprint
from rankle.records.run_info import RunState
from rankle.records.store import Store, open_store

IDS = ["0123456789ab", "0123fedcba98", "beef00000001"]


def test_a_report_is_read_as_it_was_recorded_to_the_byte(store: Store, place: Path) -> None:
    runs = [made_up(run, seed=seed) for seed, run in enumerate(IDS)]
    for run in runs:
        record(store, run)
    with open_store(place) as again:
        for run in runs:
            assert msgspec.json.encode(again.load(run.report.id)) == msgspec.json.encode(run.report)


def test_all_that_is_known_of_a_run_is_listed(store: Store) -> None:
    run = made_up(name="bigger chunks")
    record(store, run)
    store.tag("latest", "main")
    store.pin("main", "baseline ci.json")
    (info,) = store.runs()
    assert all(
        getattr(info, name) == getattr(run.facts, name) for name in run.facts.__slots__ if name != "family"
    )
    assert (info.family, info.state, info.finished) == (info.id, RunState.COMPLETE, FINISHED)
    assert (info.n_done, info.n_queries, info.n_failed) == (4, 4, 1)
    assert info.measures == {"nDCG@10": run.report.measures["nDCG@10"].mean}
    assert (info.tags, info.pinned_for) == (("main",), "baseline ci.json")
    assert info.queries_fingerprint == queries_fingerprint(run.report)
    assert info.judgments_fingerprint == judgments_fingerprint(run.report)


def test_runs_are_listed_newest_first(store: Store) -> None:
    for run in IDS:
        record(store, made_up(run))
    assert [info.id for info in store.runs()] == IDS[::-1]


def test_an_interrupted_run_keeps_its_cases_and_can_be_gone_on_with(store: Store) -> None:
    run = made_up()
    record_part(store, run, n_cases=2)
    kept = store.read(run.report.id)
    assert (kept.info.state, kept.info.n_done, kept.plan) == (RunState.INTERRUPTED, 2, PLAN)
    assert [repr(kept.outcomes[place]).count("Hit(") for place in (0, 1)] == [5, 5]
    writer = store.go_on(run.report.id)
    assert store.info(run.report.id).state is RunState.RUNNING
    writer.keep({place: case for place, case in run.outcomes.items() if place >= 2})
    writer.finish(run.report, at=FINISHED)
    writer.close()
    assert msgspec.json.encode(store.load("latest")) == msgspec.json.encode(run.report)


def test_a_run_without_its_last_case_is_never_complete(store: Store) -> None:
    run = made_up()
    writer = store.begin(run.facts, plan=PLAN)
    writer.keep({0: run.outcomes[0]})
    with pytest.raises(RecordError, match="holds 1 cases of 4"):
        writer.finish(run.report, at=FINISHED)
    writer.close()
    with pytest.raises(CannotMeasureError, match=r"interrupted at 1 of 4 queries.*--resume"):
        store.load(run.report.id)


def test_a_run_that_is_being_filled_is_read_as_running_and_filled_by_nobody_else(store: Store) -> None:
    run = made_up()
    writer = store.begin(run.facts, plan=PLAN)
    with pytest.raises(CannotMeasureError, match="still running, at 0 of 4"):
        store.load(run.report.id)
    with pytest.raises(RecordError, match="filled by another process"):
        store.go_on(run.report.id)
    writer.close()
    store.go_on(run.report.id).close()


def test_what_a_killed_process_had_kept_is_there_and_its_run_reads_as_interrupted(place: Path) -> None:
    program = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from fakes.recorded import PLAN, made_up\n"
        "from rankle.records.store import open_store\n"
        f"store = open_store(Path({str(place)!r}), create=True)\n"
        "run = made_up()\n"
        "writer = store.begin(run.facts, plan=PLAN)\n"
        "writer.keep({0: run.outcomes[0]})\n"
        "writer.keep({1: run.outcomes[1], 2: run.outcomes[2]})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert _start(program).wait() == -9
    with open_store(place) as store:
        info = store.info("0123")
        assert (info.state, info.n_done, sorted(store.read("0123").outcomes)) == (
            RunState.INTERRUPTED, 3, [0, 1, 2],
        )  # fmt: skip
        store.go_on(info.id).close()
    assert list(place.parent.glob("*.lock")) == []


def test_processes_that_write_at_once_lose_nothing(place: Path) -> None:
    ids = [[f"{process}{number:011x}" for number in range(8)] for process in "abc"]
    writers = [_start(f"from fakes.recorded import fill\nfill({str(place)!r}, {own!r})") for own in ids]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    with open_store(place) as store:
        assert sorted(info.id for info in store.runs()) == sorted(run for own in ids for run in own)
        for own in ids:
            for run in own:
                assert msgspec.json.encode(store.load(run)) == msgspec.json.encode(made_up(run).report)


def test_a_thousand_queries_with_a_hundred_results_are_few_megabytes(store: Store, place: Path) -> None:
    record(store, made_up(n_queries=1000, n_results=100))
    store.close()
    assert place.stat().st_size < 4_000_000


def test_a_deleted_run_leaves_nothing_and_gives_its_space_back(store: Store, place: Path) -> None:
    record(store, made_up(IDS[0]))
    store.delete([])  # writes all to the file itself
    size = place.stat().st_size
    record(store, made_up(IDS[1], n_queries=200, n_results=100))
    assert store.delete([IDS[1]]) == 1
    assert [info.id for info in store.runs()] == [IDS[0]]
    assert place.stat().st_size == size


@pytest.mark.parametrize("protection", ["tag", "pin"])
def test_a_protected_run_is_not_deleted(store: Store, protection: str) -> None:
    record(store, made_up())
    getattr(store, protection)("latest", "kept")
    assert store.delete([store.info("latest").id]) == 0
    assert len(store.runs()) == 1


def test_a_run_that_is_being_filled_is_not_deleted(store: Store) -> None:
    writer = store.begin(made_up().facts, plan=PLAN)
    assert store.delete(["0123456789ab"]) == 0
    writer.close()
    assert store.delete(["0123456789ab"]) == 1


def test_a_pin_can_be_taken_out(store: Store) -> None:
    record(store, made_up())
    store.pin("latest", "a baseline")
    store.pin("latest", None)
    assert store.delete([store.info("latest").id]) == 1


def test_the_folder_keeps_itself_out_of_version_control(store: Store, place: Path) -> None:
    assert (place.parent / ".gitignore").read_text(encoding="utf-8").endswith("\n*\n")


def test_another_folder_gets_no_file_beside_the_store(tmp_path: Path) -> None:
    open_store(tmp_path / "kept" / "runs.db", create=True).close()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["runs.db"]


def test_moments_are_written_as_they_were_given(store: Store) -> None:
    record(store, made_up())
    assert store.info("latest").created == CREATED


def _start(program: str) -> "subprocess.Popen[bytes]":
    tests = Path(__file__).parents[1]
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tests)!r})\n{program}"]
    )
