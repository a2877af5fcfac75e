"""Evals are recorded trial by trial, go on after an interruption, and are read back as they were reported."""

import random
import sqlite3
import subprocess
import sys
import tracemalloc
from base64 import b64encode
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.evals_runs import eval_summary
from fakes.recorded_evals import (
    KEY,
    SECOND,
    as_json,
    cases,
    done,
    fill,
    finish,
    interrupt_evals,
    keeper_at,
    plan,
    record_evals,
    reports,
    whole_summary,
)
from rankle.app.eval_recording import eval_keeper
from rankle.app.revision import Revision
from rankle.core.errors import CannotMeasureError, InputError, RecordError
from rankle.core.trials import ErrorReport, SpanReport, TrialReport
from rankle.harness.evals.keeping import Place
from rankle.records.run_info import RunState
from rankle.records.store import open_store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "records.db"


def test_a_recorded_run_is_read_as_it_was_reported(place: Path) -> None:
    asked = plan(3, trials=2)
    with keeper_at(place) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked)
        summary = finish(kept, asked)
        told = as_json(reports(kept, asked))
        whole = whole_summary(keeper)
        keeper.finish(whole, [summary])
    with open_store(place) as store:
        run = store.load_evals("latest")
    assert (run.summary, run.evals) == (whole, (summary,))
    assert as_json(run.read_cases(summary.id)) == told
    assert as_json(run.read_cases(summary.id)) == told, "it can be read again"
    assert run.by_place is not None
    assert run.by_place.scores(summary.id) == {
        place: case.score for place, case in enumerate(run.read_cases(summary.id))
    }
    cases = list(run.read_cases(summary.id))
    assert list(run.by_place.read(summary.id, [2, 0])) == [cases[0], cases[2]]


def test_trials_of_some_cases_are_read_alone(place: Path) -> None:
    asked = plan(4, trials=2)
    with keeper_at(place) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked)
        wanted = [one for one in kept.trials() if one[0][0] in (1, 3)]
        assert len(wanted) == 4
        assert list(kept.trials([3, 1])) == wanted
    with eval_keeper(None, settings={}, root=place.parent) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked)
        assert list(kept.trials([3, 1])) == wanted


def test_all_that_a_trial_came_to_is_kept(place: Path) -> None:
    error = ErrorReport(type="ValueError", message="half \ud83d and whole 🔎", traceback="line 1")
    trial = TrialReport(
        trial=0,
        status="failed",
        output={"text": "🔎", "big": 2**70},
        error=error,
        took_ms=1.5,
        trace=[SpanReport(name="bm25", parent=None, start_ms=0.5, took_ms=1, input=[1], error=error)],
        n_steps_left_out=3,
    )
    asked = plan(1)
    with keeper_at(place) as keeper, keeper.begin(asked) as kept:
        kept.keep((0, 0), trial)
        ((where, found),) = kept.trials()
    escaped = msgspec.structs.replace(error, message="half \\ud83d and whole 🔎")
    assert (where, found.output, found.error) == ((0, 0), trial.output, escaped)
    assert found.trace[0].error == escaped
    assert found.n_steps_left_out == 3


def test_an_eval_that_could_not_be_run_is_part_of_the_run(place: Path) -> None:
    asked = plan(2)
    with keeper_at(place) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked)
        summary = finish(kept, asked)
        broken = eval_summary("Broken", [], error=ErrorReport(type="InputError", message="no data"), id="")
        keeper.finish(whole_summary(keeper, exit_code=2), [broken, summary])
    with open_store(place) as store:
        run = store.load_evals("latest")
        assert run.evals == (broken, summary)
        assert list(run.read_cases(broken.id)) == []
        assert store.load("latest").id == summary.id
        assert store.load_evals("latest#Vector search").evals == (summary,)


def test_an_interrupted_run_goes_on(place: Path) -> None:
    family = interrupt_evals(place, plan(4))
    with open_store(place) as store:
        (info,) = store.runs()
        assert (info.state, info.family_state, info.n_done) == (
            RunState.INTERRUPTED, RunState.INTERRUPTED, 2,
        )  # fmt: skip
        with pytest.raises(CannotMeasureError, match=r"interrupted at 2 of 4 cases.*`rankle run` .*--resume"):
            store.load_evals(family)
    asked = plan(4)
    with keeper_at(place, resume=True) as keeper, keeper.begin(asked) as kept:
        assert kept.known == {(0, 0): _bare(done()), (1, 0): _bare(done())}
        assert fill(kept, asked) == [(2, 0), (3, 0)]
        summary = finish(kept, asked)
        keeper.finish(whole_summary(keeper), [summary])
        assert (keeper.id, kept.id) == (family, info.id)
    with open_store(place) as store:
        run = store.load_evals(family)
        assert [case.trials[0].output for case in run.read_cases(summary.id)] == ["an answer"] * 4
        assert store.info(family).state is RunState.COMPLETE


def test_evals_that_were_complete_are_not_run_again_and_those_not_begun_are(place: Path) -> None:
    third = plan(2, key="evals/third_eval.py::Third")
    family = interrupt_evals(place, plan(3), plan(4, key=SECOND))
    ran = {}
    with keeper_at(place, resume=True) as keeper:
        summaries = []
        for asked in (plan(3), plan(4, key=SECOND), third):
            with keeper.begin(asked) as kept:
                ran[asked.key] = len(fill(kept, asked))
                summaries.append(finish(kept, asked))
        keeper.finish(whole_summary(keeper), summaries)
        assert keeper.id == family
    assert ran == {KEY: 0, SECOND: 2, third.key: 2}
    with open_store(place) as store:
        assert list(store.load_evals(family).evals) == summaries


def test_a_process_that_dies_within_a_task_leaves_a_record_that_goes_on(place: Path) -> None:
    program = (
        "import os, time\n"
        "from pathlib import Path\n"
        "from fakes.recorded_evals import done, keeper_at, plan\n"
        f"with keeper_at(Path({str(place)!r})) as keeper, keeper.begin(plan(4)) as kept:\n"
        "    for case in range(3):\n"
        "        kept.keep((case, 0), done())\n"
        "    list(kept.trials())\n"
        "    kept.keep((3, 0), done(output='x' * 50_000_000))\n"
        "    os._exit(7)\n"
    )
    assert _start(program).wait() == 7
    with open_store(place) as store:
        (info,) = store.runs()
        assert info.state is RunState.INTERRUPTED
        assert info.n_done >= 3
    asked = plan(4)
    with keeper_at(place, resume=True) as keeper, keeper.begin(asked) as kept:
        assert len(fill(kept, asked)) == 4 - info.n_done
        summary = finish(kept, asked)
        keeper.finish(whole_summary(keeper), [summary])
    assert list(place.parent.glob("*.lock")) == []


def test_processes_that_run_at_once_keep_apart(place: Path) -> None:
    program = (
        "from pathlib import Path\n"
        "from fakes.recorded_evals import plan, record_evals\n"
        f"for _ in range(3): record_evals(Path({str(place)!r}), plan(30, trials=2))\n"
    )
    writers = [_start(program) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    with open_store(place) as store:
        families = {info.family for info in store.runs()}
        assert len(families) == 9
        for family in families:
            (one,) = store.load_evals(family).evals
            assert len(list(store.load_evals(family).read_cases(one.id))) == 30


def test_a_run_that_is_going_on_is_gone_on_with_by_nobody_else(place: Path) -> None:
    asked = plan(2)
    with keeper_at(place) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked, stop_after=1)
        assert len(list(kept.trials())) == 1
        with (
            keeper_at(place, resume=True) as other,
            pytest.raises(InputError, match="no interrupted run of evals to go on with"),
            other.begin(asked),
        ):
            pytest.fail("it began")
        with open_store(place) as store, pytest.raises(CannotMeasureError, match="still running, at 1 of 2"):
            store.load_evals(keeper.id)


def test_what_the_run_is_called_stands_in_the_records(place: Path) -> None:
    with keeper_at(place, name="first try", tag="main", settings={"paths": ("evals",)}) as keeper:
        asked = plan(2, trials=3)
        with keeper.begin(asked) as kept:
            fill(kept, asked)
            summary = finish(kept, asked)
        keeper.finish(whole_summary(keeper), [summary])
        assert keeper.is_recorded
    with open_store(place) as store:
        info = store.info("main")
    assert (info.id, info.family, info.name, info.tags) == (summary.id, keeper.id, "first try", ("main",))
    assert (info.set_name, info.system_name, info.n_queries) == ("evals/queries.json", f"eval:{KEY}", 2)
    assert info.settings == {"paths": ["evals"]}
    assert info.measures == {"exact": 1.0}
    assert info.eval is not None
    assert (info.eval.key, info.eval.trials, info.eval.is_full, info.eval.scorers) == (
        KEY,
        3,
        True,
        ("exact",),
    )


def test_the_revision_is_that_of_the_projects_folder(tmp_path: Path) -> None:
    asked: list[Path] = []

    def revision(folder: Path) -> Revision:
        asked.append(folder)
        return Revision("a" * 40, True)

    with eval_keeper(None, root=tmp_path, settings={}, revision=revision) as keeper:
        assert keeper.git is not None
        assert (keeper.git.revision, keeper.git.dirty, asked) == ("a" * 40, True, [tmp_path])


def test_a_tag_that_cannot_be_one_is_told_before_anything_runs(place: Path) -> None:
    with pytest.raises(InputError, match="latest run already"), keeper_at(place, tag="latest"):
        pytest.fail("it began")


def test_planted_keys_are_stored_nowhere(place: Path) -> None:
    secret = 'sk-planted"key'
    error = ErrorReport(type="HTTPError", message=f"Authorization: Bearer {secret}")
    trial = TrialReport(
        trial=0,
        status="failed",
        output={"env": secret},
        error=error,
        took_ms=1.0,
        columns={"Key": secret},
        trace=[SpanReport(name="call", parent=None, start_ms=0, took_ms=1, input={"key": secret})],
    )
    asked = plan(1, cases=(replace(cases(1)[0], input={"key": secret}),))
    with keeper_at(place, withheld=[secret], settings={"paths": [secret]}, name=secret) as keeper:
        with keeper.begin(asked) as kept:
            kept.keep((0, 0), trial)
            summary = finish(kept, asked)
        keeper.finish(whole_summary(keeper, settings={"paths": [secret]}), [summary])
    for path in place.parent.iterdir():
        data = path.read_bytes()
        assert b"sk-planted" not in data, path.name
    with open_store(place) as store:
        run = store.load_evals("latest")
        assert store.info("latest").name == "[withheld]"
        told = b"".join(
            [
                as_json(run.read_cases(summary.id)),
                msgspec.json.encode([run.summary, run.evals, store.load("latest")]),
            ]
        )
    assert b"sk-planted" not in told
    assert told.count(b"[withheld]") >= 6


# What stands in the way


def test_a_store_that_cannot_be_opened_is_told_and_the_run_goes_on(place: Path) -> None:
    place.parent.mkdir()
    place.write_bytes(b"a letter, and no database" * 100)
    told: list[RecordError] = []
    asked = plan(2)
    with keeper_at(place, is_asked_for=False, on_problem=told.append) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked)
        summary = finish(kept, asked)
        keeper.finish(whole_summary(keeper), [summary])
        assert len(list(kept.trials())) == 2
        assert not keeper.is_recorded
    assert len(told) == 1
    with pytest.raises(RecordError, match="damaged"), keeper_at(place):
        pytest.fail("it began, though a record was asked for")


def test_what_cannot_be_written_any_more_is_told_once_and_costs_no_trial(place: Path) -> None:
    told: list[RecordError] = []
    asked, second = plan(6), plan(3, key=SECOND)
    with keeper_at(place, on_problem=told.append) as keeper:
        with keeper.begin(asked) as kept:
            fill(kept, asked, stop_after=2)
            list(kept.trials())
            with closing(locked_for_writing(place)):
                for case in range(2, 6):
                    kept.keep((case, 0), done(output=f"answer {case}"))
                found = list(kept.trials())
            summary = finish(kept, asked)
        with keeper.begin(second) as kept:
            fill(kept, second)
            assert len(list(kept.trials())) == 3
            other = finish(kept, second)
        keeper.finish(whole_summary(keeper), [summary, other])
        assert not keeper.is_recorded
    assert [where for where, _ in found] == [(case, 0) for case in range(6)]
    assert [trial.output for _, trial in found][1:3] == ["an answer", "answer 2"]
    (problem,) = told
    assert "only for reading" in str(problem)
    with open_store(place) as store:
        assert store.info(keeper.id).state is RunState.INTERRUPTED


def locked_for_writing(path: Path) -> Any:
    """Nothing can be written to the trials of a store until this is closed."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON trials BEGIN SELECT raise(ABORT, 'only for reading'); END"
    )

    class Closing:
        def close(self) -> None:
            connection.execute("DROP TRIGGER refuse")
            connection.close()

    return Closing()


def test_memory_is_flat_in_the_number_of_large_outputs(place: Path) -> None:
    n, size = 120, 1_000_000
    rng = random.Random(1)  # what cannot be packed

    def answer(where: Place) -> TrialReport:
        return done(where[1], output=b64encode(rng.randbytes(size // 4 * 3)).decode())

    tracemalloc.start()
    try:
        asked = plan(n)
        with keeper_at(place) as keeper, keeper.begin(asked) as kept:
            fill(kept, asked, answer=answer)
            summary = eval_summary(asked.name, [], id=kept.id)
            kept.finish(summary, lambda: reports(kept, asked))
            keeper.finish(whole_summary(keeper), [summary])
        with open_store(place) as store:
            run = store.load_evals("latest")
            n_read = sum(len(case.trials[0].output) for case in run.read_cases(summary.id))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert n_read == size * n
    assert peak < 40 * size, peak


# Without a record


def test_without_a_record_nothing_is_written_and_trials_are_given_back(tmp_path: Path) -> None:
    asked = plan(2, trials=2)
    with eval_keeper(None, settings={}, root=tmp_path) as keeper, keeper.begin(asked) as kept:
        fill(kept, asked)
        summary = finish(kept, asked)
        keeper.finish(whole_summary(keeper), [summary])
        assert len(list(kept.trials())) == 4
        assert not keeper.is_recorded
        assert kept.id != keeper.id
    assert list(tmp_path.iterdir()) == []


def test_without_a_record_the_run_before_is_still_known(place: Path, tmp_path: Path) -> None:
    record_evals(place)
    with eval_keeper(None, settings={}, root=tmp_path, history=place) as keeper:
        found = keeper.previous(KEY)
        assert found is not None
        assert len(found.scores["exact"]) == 4
        assert keeper.previous("another") is None
    with eval_keeper(None, settings={}, root=tmp_path, history=tmp_path / "missing.db") as keeper:
        assert keeper.previous(KEY) is None


def test_earlier_runs_that_cannot_be_read_cost_no_run(place: Path, tmp_path: Path) -> None:
    place.parent.mkdir()
    place.write_bytes(b"a letter, and no database" * 100)
    with eval_keeper(None, settings={}, root=tmp_path, history=place) as keeper:
        with pytest.warns(RuntimeWarning, match="earlier runs cannot be read: .* damaged"):
            assert keeper.previous(KEY) is None
        assert keeper.previous(KEY) is None, "it is told once"


def _bare(trial: TrialReport) -> TrialReport:
    return msgspec.structs.replace(trial, output=None, columns={}, trace=[])


def _start(program: str) -> "subprocess.Popen[bytes]":
    tests = Path(__file__).parents[1]
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tests)!r})\n{program}"]
    )
