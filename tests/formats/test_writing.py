"""What is written is read back as it was, whole or not at all."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level
from rankle.formats.content import read_content, read_qrels
from rankle.formats.eval_set import read_eval_set
from rankle.formats.kinds import FileKind, Form, ReadOptions
from rankle.formats.writing import write_beir, write_eval_set, write_qrels, write_questions, write_run
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

_few = settings(max_examples=30, deadline=None)
_signs = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])
texts = st.text(_signs, min_size=1, max_size=8).filter(lambda text: text == text.strip())
judgments = st.dictionaries(
    texts, st.dictionaries(texts, st.integers(-2, 4), min_size=1, max_size=4), min_size=1, max_size=4
)
results = st.dictionaries(
    texts,
    st.dictionaries(texts, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)
FILES = ["x.csv", "x.tsv", "x.json", "x.parquet", "x.csv.gz", "x.tsv.zst"]


def as_dict(qrels: Qrels) -> dict[str, dict[str, int]]:
    return dict(zip(qrels.queries, map(dict, qrels.by_query), strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.mark.parametrize("name", FILES)
@_few
@given(judged=judgments)
def test_qrels_are_read_back_with_every_id(
    folder: Path, name: str, judged: dict[str, dict[str, int]]
) -> None:
    path = folder / f"qrels-{name}"
    write_qrels(Qrels.from_dict(judged), path)
    assert as_dict(read_qrels(path)) == judged


@pytest.mark.parametrize("name", FILES)
@_few
@given(found=results)
def test_runs_are_read_back_to_the_last_digit(
    folder: Path, name: str, found: dict[str, dict[str, float]]
) -> None:
    path = folder / f"run-{name}"
    write_run(Run.from_dict(found), path)
    content = read_content(path, ReadOptions(kind=FileKind.RUN))
    assert content.run is not None
    assert content.run.distinct().results == found


def test_trec_files_hold_ids_with_spaces_between_tabs(tmp_path: Path) -> None:
    judged = {"q 1": {"a b/c#d.md": 1, "0704.1394": 0}, "007": {"größe": 2, "NA": 1}}
    write_qrels(Qrels.from_dict(judged), tmp_path / "x.qrels")
    assert (tmp_path / "x.qrels").read_text() == (
        "q 1\t0\ta b/c#d.md\t1\nq 1\t0\t0704.1394\t0\n007\t0\tgröße\t2\n007\t0\tNA\t1\n"
    )
    assert as_dict(read_qrels(tmp_path / "x.qrels")) == judged


def test_a_trec_run_has_ranks_scores_and_its_tag(tmp_path: Path) -> None:
    run = Run.from_dict({"1": {"b": 0.1 + 0.2, "a": 1e-7}}, name="my system")
    write_run(run, tmp_path / "x.run")
    assert (tmp_path / "x.run").read_text() == (
        "1 Q0 b 1 0.30000000000000004 my_system\n1 Q0 a 2 1e-07 my_system\n"
    )


@pytest.mark.parametrize("name", ["a\tb", "a\nb", " a"])
def test_a_trec_file_refuses_ids_that_it_would_break(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"cannot stand in a TREC file; write CSV or JSON instead"):
        write_qrels(Qrels.from_dict({"q": {name: 1}}), tmp_path / "x.qrels")
    assert list(tmp_path.iterdir()) == []


def test_a_trec_file_refuses_query_ids_that_would_be_comments(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'the query id "#1" would make its lines comments'):
        write_run(Run.from_dict({"#1": {"d": 1.0}}), tmp_path / "x.run")


FULL = EvalSet(
    "full",
    (
        EvalQuery("q1", "how, do I?", (Label("a.md", None, 1), Label("chunk-0a1b2c3d4e5f", Level.CHUNK, 1))),
        EvalQuery("q2", 'the "second"', (Label("a.md", None, 2), Label("b.md", None, 0))),
        EvalQuery(
            "q3", "third", (), collection="guides", language="de", tags=("x", "y"), answer="42",
            topics=("t; u", "v"), note="from support",
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv", "x.tsv", "x.parquet", "x.jsonl.gz"])
def test_an_eval_set_is_read_back(tmp_path: Path, name: str) -> None:
    assert write_eval_set(FULL, tmp_path / name) == ()
    assert read_eval_set(tmp_path / name).fingerprint == FULL.fingerprint


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_json_carries_what_tables_cannot(tmp_path: Path, name: str) -> None:
    hard = EvalSet(
        "hard",
        (
            EvalQuery("1", " a\r\nb ", (Label("d", Level.DOCUMENT, 3), Label("e", None, 1))),
            EvalQuery("2", "none", answerable=False),
            EvalQuery("3", "both", (Label("x", None, 0, True), Label("y", None, 2, False))),
        ),
    )
    assert write_eval_set(hard, tmp_path / name) == ()
    assert read_eval_set(tmp_path / name).fingerprint == hard.fingerprint


def test_a_table_says_what_it_cannot_carry(tmp_path: Path) -> None:
    unanswerable = EvalQuery("2", "none", answerable=False)
    eval_set = EvalSet("s", (unanswerable, EvalQuery("3", "b", (Label("x", None, 0, True),))))
    assert write_eval_set(eval_set, tmp_path / "x.csv") == (
        "not written: queries marked as having no answer: 1",
        "not written: labels that state relevance apart from the grade: 1",
    )


def test_a_question_set_is_read_back(tmp_path: Path) -> None:
    questions = EvalSet(
        "s", (EvalQuery("1", "Who?", topics=("a", "b"), answer="Ann"), EvalQuery("2", "Why?"))
    )
    write_questions(questions, tmp_path / "x.json")
    assert (
        '"question": "Who?", "expectedAnswer": "Ann", "expectedTopics": ["a", "b"]'
        in (tmp_path / "x.json").read_text()
    )
    assert read_eval_set(tmp_path / "x.json").fingerprint == questions.fingerprint


def test_a_beir_folder_is_read_back_and_says_what_it_cannot_carry(tmp_path: Path) -> None:
    losses = write_beir(FULL, tmp_path / "set")
    assert losses == (
        "not written: queries with answer: 1",
        "not written: queries with topics: 1",
        "not written: queries with tags: 1",
        "not written: queries with language: 1",
        "not written: queries with collection: 1",
        "not written: queries with note: 1",
        "not written: queries without a label, which are not evaluated: 1",
    )
    read = read_eval_set(tmp_path / "set")
    assert read.queries[0].labels == FULL.queries[0].labels
    assert [query.text for query in read.queries] == ["how, do I?", 'the "second"']


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    with pytest.raises(InputError, match=r"set is there already; write to a new folder"):
        write_beir(FULL, tmp_path / "set")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "x.xyz",
            r"x\.xyz does not tell what to write; let it end in \.csv, \.tsv, \.parquet, \.json",
        ),
        ("no/x.csv", r"no such folder: .*no; make it first"),
        ("there", r"does not tell"),
    ],
)
def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(InputError, match=message):
        write_qrels(Qrels.from_dict({"q": {"d": 1}}), tmp_path / name)
    with pytest.raises(InputError, match=r"is a folder; name a file in it"):
        write_qrels(Qrels.from_dict({"q": {"d": 1}}), tmp_path / "there", form=Form.CSV)


def test_a_form_that_cannot_hold_it_lists_those_that_can(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"qrels cannot be written as JSONL; it can be as TREC, CSV, TSV"):
        write_qrels(Qrels.from_dict({"q": {"d": 1}}), tmp_path / "x.jsonl", form=Form.JSONL)


_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from rankle.core.errors import InputError
from rankle.formats.writing import write_run
from rankle.metrics.run import Run
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_run(Run.from_dict({"q": {f"d{n}": 1.0 for n in range(1000)}}), Path(sys.argv[1]))
except InputError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit of file sizes")
def test_where_space_runs_out_the_old_file_stays_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 d 1 1.0 old\n")
    said = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, str(path)], capture_output=True, text=True, check=True
    ).stdout
    assert said.startswith(f"cannot write {path}: ")
    assert path.read_text() == "1 Q0 d 1 1.0 old\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "x.qrels"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_qrels(Qrels.from_dict({"q": {"d": 1}}), pipe)
    reader.join()
    assert read == ["q 0 d 1\n"]
    assert pipe.is_fifo()


def test_trec_runs_are_written_best_first_with_ranks_that_agree(tmp_path: Path) -> None:
    run = Run.from_dict({"q": {"low": 0.5, "b": 2.0, "high": 3.0, "é": 2.0}})
    write_run(run, tmp_path / "x.run")
    rows = [line.split()[2:5] for line in (tmp_path / "x.run").read_text(encoding="utf-8").splitlines()]
    assert rows == [["high", "1", "3.0"], ["é", "2", "2.0"], ["b", "3", "2.0"], ["low", "4", "0.5"]]


@pytest.mark.parametrize("name", ["x.parquet.gz", "x.parquet.zst"])
def test_packed_parquet_is_refused_since_it_would_not_be_read(name: str, tmp_path: Path) -> None:
    judged = Qrels.from_dict({"q": {"d": 1}})
    with pytest.raises(InputError, match=r"Parquet is packed in itself .* write x\.parquet$"):
        write_qrels(judged, tmp_path / name)
    with pytest.raises(InputError, match="Parquet is packed in itself"):
        write_run(Run.from_dict({"q": {"d": 1}}), tmp_path / "x.gz", form=Form.PARQUET)
    assert not list(tmp_path.iterdir())


def test_a_link_stays_and_permissions_too(tmp_path: Path) -> None:
    real = tmp_path / "real.qrels"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.qrels"
    link.symlink_to("real.qrels")
    write_qrels(Qrels.from_dict({"q": {"d": 1}}), link)
    assert link.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("q 0 d 1\n", 0o640)


def test_a_link_to_what_is_not_there_yet_is_written_through(tmp_path: Path) -> None:
    link = tmp_path / "link.qrels"
    link.symlink_to("new.qrels")
    write_qrels(Qrels.from_dict({"q": {"d": 1}}), link)
    assert link.is_symlink()
    assert (tmp_path / "new.qrels").read_text() == "q 0 d 1\n"


def test_places_are_named_by_text_too(tmp_path: Path) -> None:
    eval_set = EvalSet("s", (EvalQuery("q", "t", ()),))
    write_qrels(Qrels.from_dict({"q": {"d": 1}}), f"{tmp_path}/a.qrels")
    write_run(Run.from_dict({"q": {"d": 1}}), f"{tmp_path}/a.run")
    write_eval_set(eval_set, f"{tmp_path}/a.jsonl")
    write_questions(eval_set, f"{tmp_path}/a.json")
    write_beir(eval_set, f"{tmp_path}/beir")
    assert len(list(tmp_path.iterdir())) == 5
