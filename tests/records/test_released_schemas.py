"""Files of every released schema are read by this version, to the byte.

Who raises SCHEMA_VERSION adds `released/schema-N.db` with its report, else these tests fail. The files of the
present schema are written by `PYTHONPATH=src:tests:. python tests/records/test_released_schemas.py`; those of
an older one are never written again.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from fakes.recorded import made_up, record, record_part
from fakes.recorded_evals import KEY, interrupt_evals, keeper_at, plan, record_evals
from rankle.app.eval_history import failing_cases
from rankle.records.run_info import RunState
from rankle.records.schema import SCHEMA_VERSION
from rankle.records.store import open_store

RELEASED = Path(__file__).parent / "released"
SECOND = "evals/other_eval.py::Answers"
VERSIONS = range(1, SCHEMA_VERSION + 1)


@pytest.mark.parametrize("version", VERSIONS)
def test_reports_of_a_released_schema_are_read_to_the_byte(version: int, tmp_path: Path) -> None:
    path = shutil.copy(RELEASED / f"schema-{version}.db", tmp_path)
    with open_store(path) as store:
        complete, part = store.info("main"), store.read("bbbbbbbbbbbb")
        assert msgspec.json.encode(store.load("main")) == (RELEASED / f"schema-{version}.json").read_bytes()
        assert (complete.state, complete.tags, complete.n_failed) == (RunState.COMPLETE, ("main",), 1)
        assert (part.info.state, sorted(part.outcomes)) == (RunState.INTERRUPTED, [0, 1])


@pytest.mark.parametrize("version", VERSIONS)
def test_a_released_schema_becomes_the_one_that_new_files_have(version: int, tmp_path: Path) -> None:
    path = shutil.copy(RELEASED / f"schema-{version}.db", tmp_path)
    open_store(path).close()
    open_store(tmp_path / "new.db", create=True).close()
    assert _tables(Path(path)) == _tables(tmp_path / "new.db")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_of_a_released_schema_can_be_written_to(version: int, tmp_path: Path) -> None:
    path = shutil.copy(RELEASED / f"schema-{version}.db", tmp_path)
    run = made_up("cccccccccccc", seed=3)
    with open_store(path) as store:
        record(store, run)
        assert store.load("latest") == run.report


@pytest.mark.parametrize("version", [version for version in VERSIONS if version >= 2])
def test_evals_of_a_released_schema_are_read_to_the_byte(version: int, tmp_path: Path) -> None:
    path = shutil.copy(RELEASED / f"schema-{version}.db", tmp_path)
    with open_store(path) as store:
        run = store.load_evals("evals")
        assert msgspec.json.encode(run.report()) == (RELEASED / f"schema-{version}-evals.json").read_bytes()
        assert failing_cases(store, "evals") == {KEY: frozenset(), SECOND: frozenset()}
    plans = (plan(3, trials=2), plan(4, key=SECOND))
    with keeper_at(Path(path), resume=True) as keeper:
        known = []
        for asked in plans:
            with keeper.begin(asked) as kept:
                known.append(len(kept.known))
    assert known == [6, 2], "the interrupted one goes on"


def _tables(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT name, sql FROM sqlite_master"))


def write_released(folder: Path) -> None:
    """The files of the present schema; for us, before it is released."""
    folder.mkdir(exist_ok=True)
    path = folder / f"schema-{SCHEMA_VERSION}.db"
    path.unlink(missing_ok=True)
    run = made_up("aaaaaaaaaaaa", n_queries=6, n_results=12, seed=1)
    with open_store(path, create=True) as store:
        record(store, run)
        record_part(store, made_up("bbbbbbbbbbbb", n_queries=6, n_results=12, seed=2), n_cases=2)
        store.tag("aaaa", "main")
    path.with_suffix(".json").write_bytes(msgspec.json.encode(run.report))
    plans = (plan(3, trials=2), plan(4, key=SECOND))
    record_evals(path, *plans, tag="evals")
    interrupt_evals(path, *plans)
    with open_store(path) as store:
        report = store.load_evals("evals").report()
        store.delete([])  # puts all into the file itself
    (folder / f"schema-{SCHEMA_VERSION}-evals.json").write_bytes(msgspec.json.encode(report))


if __name__ == "__main__":
    write_released(RELEASED)
