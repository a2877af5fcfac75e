"""How runs are named: beginnings of ids, `latest`, tags and files."""

from pathlib import Path

import msgspec
import pytest

from fakes.recorded import made_up, record, record_part
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.run import RunsReport
from rankle.records.store import Store

OLD, MIDDLE, NEW, PART = "0123456789ab", "0123fedcba98", "beef00000001", "beef00000002"


@pytest.fixture
def filled(store: Store) -> Store:
    for run in (OLD, MIDDLE, NEW):
        record(store, made_up(run))
    record_part(store, made_up(PART), n_cases=1)
    store.tag(OLD, "main")
    return store


@pytest.mark.parametrize(
    ("ref", "run"),
    [
        (OLD, OLD),
        ("01234", OLD),
        ("0123f", MIDDLE),
        ("beef00000001", NEW),
        ("beef00000002", PART),
        ("latest", NEW),
        ("latest~0", NEW),
        ("latest~1", MIDDLE),
        ("latest~2", OLD),
        ("main", OLD),
    ],
)
def test_a_run_is_found_by(filled: Store, ref: str, run: str) -> None:
    assert filled.info(ref).id == run


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        ("latest~3", '"latest~3" means one of the latest complete runs, and .* holds 3'),
        ("0123", f'"0123" is the beginning of several runs: {MIDDLE}, {OLD}. Write more of it'),
        ("abcd", 'unknown run "abcd"'),
        ("012", 'unknown run "012"'),
        ("mian", 'unknown run "mian"; did you mean "main"'),
        ("LATEST", 'unknown run "LATEST"'),
        ("", 'unknown run ""'),
        ("%", 'unknown run "%"'),
    ],
)
def test_a_name_that_means_no_run_or_several_is_told(filled: Store, ref: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        filled.info(ref)


def test_the_latest_run_of_an_empty_store_is_told_missing(store: Store) -> None:
    with pytest.raises(InputError, match="holds 0"):
        store.info("latest")


def test_a_tag_is_on_one_run_at_a_time_and_moves(filled: Store) -> None:
    before = filled.tag("latest", "main")
    assert before is not None
    assert (before.id, filled.info("main").id, filled.info(OLD).tags) == (OLD, NEW, ())
    assert filled.tag("latest", "best") is None
    assert filled.info(NEW).tags == ("best", "main")


def test_a_tag_can_be_taken_away(filled: Store) -> None:
    filled.untag("main")
    assert filled.info(OLD).tags == ()
    with pytest.raises(UnknownNameError, match='unknown tag "main"'):
        filled.untag("main")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("latest", "means the latest run"),
        ("latest~1", "a tag begins with"),
        ("beef", "could be the id of a run"),
        ("0123456789ab", "could be the id of a run"),
        ("run.json", "read as a file"),
        ("-x", "a tag begins with"),
        ("two words", "a tag begins with"),
        ("", "a tag begins with"),
        ("x" * 65, "at most 64"),
        ("a#b", "a tag begins with"),
    ],
)
def test_what_would_be_read_as_another_name_is_no_tag(filled: Store, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        filled.tag("latest", name)


@pytest.mark.parametrize("name", ["main", "v1.2", "feature/größer", "a", "bad", "2026-11-30", "検索"])
def test_what_is_plain_is_a_tag(filled: Store, name: str) -> None:
    filled.tag("latest", name)
    assert filled.info(name).id == NEW


def test_a_file_that_was_exported_is_a_run_too(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    other = made_up("aaaaaaaaaaaa", seed=9).report
    path.write_bytes(msgspec.json.encode(other))
    assert filled.load(str(path)) == other


@pytest.mark.parametrize(("ref", "method"), [("#2", "vector"), ("#hybrid", "hybrid"), ("#vector", "vector")])
def test_one_of_several_runs_in_a_file_is_named_by_number_or_method(
    filled: Store, tmp_path: Path, ref: str, method: str
) -> None:
    assert filled.load(str(_several(tmp_path)) + ref).system.method == method


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        ("", "holds 2 runs; name one of them: .*#hybrid, .*#vector"),
        ("#3", "unknown run"),
        ("#x", "unknown run"),
    ],
)
def test_which_run_of_a_file_must_be_clear(filled: Store, tmp_path: Path, ref: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        filled.load(str(_several(tmp_path)) + ref)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        (b"{}", "no record of a run"),
        (b"\xff", "no record"),
        (b"[1]", "no record"),
        (b'{"schema": "rankle.baseline/1"}', "no record of a run"),
        (b'{"schema": "rankle.run/2"}', r"newer version .*rankle\.run/2.* Update: pip install -U rankle"),
        (b'{"schema": "rankle.runs/2"}', r"newer version .*rankle\.runs/2"),
    ],
    ids=["missing", "empty object", "no text", "no object", "a baseline", "a newer run", "newer runs"],
)
def test_a_file_that_is_no_run_is_told(
    filled: Store, tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "run.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        filled.load(str(path))


def test_a_tag_goes_before_a_file_of_its_name(
    filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = msgspec.json.encode(made_up("aaaaaaaaaaaa").report)
    (tmp_path / "main").write_bytes(other)
    (tmp_path / "exported").write_bytes(other)
    assert (filled.load("main").id, filled.load("exported").id) == (OLD, "aaaaaaaaaaaa")


def _several(folder: Path) -> Path:
    first = made_up("aaaaaaaaaaaa").report
    system = msgspec.structs.replace(first.system, method="vector")
    second = msgspec.structs.replace(first, id="bbbbbbbbbbbb", system=system)
    path = folder / "runs.json"
    path.write_bytes(msgspec.json.encode(RunsReport(runs=[first, second])))
    return path
