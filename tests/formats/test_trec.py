"""TREC files, clean and messy: what is safe is read and said, the rest is an error with its line."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.core.errors import BadLinesError, InputError
from rankle.formats.trec import Conflicts, read_qrels, read_run, stream_run
from rankle.formats.trec_blocks import Reading, read_blocks
from rankle.formats.trec_fast import read_frame
from rankle.formats.trec_layout import Kind, sniff_layout
from rankle.formats.trec_lines import Hash


def write(folder: Path, content: str | bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def as_dicts(run: Any) -> dict[str, dict[str, float]]:
    return {query: dict(found) for query, found in run.distinct().results.items()}


def grades(qrels: Any) -> dict[str, dict[str, int]]:
    return {query: dict(qrels.by_query[place]) for place, query in enumerate(qrels.queries)}


RUNS = {
    "six columns": (
        "1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n2 Q0 a 1 1 t\n", {"1": {"a": 2.5, "b": 1.5}, "2": {"a": 1.0}}),
    "no newline at the end": ("1 Q0 a 1 2.5 t", {"1": {"a": 2.5}}),
    "five columns without a tag": ("1 Q0 a 1 2.5\n1 Q0 b 2 1.5\n", {"1": {"a": 2.5, "b": 1.5}}),
    "five columns without Q0": ("1 a 1 2.5 t\n1 b 2 1.5 t\n", {"1": {"a": 2.5, "b": 1.5}}),
    "four columns with Q0": ("1 Q0 a 2.5\n", {"1": {"a": 2.5}}),
    "four columns with a rank": ("1 a 1 2.5\n", {"1": {"a": 2.5}}),
    "three columns": ("1 a 2.5\n1 b 1.5\n", {"1": {"a": 2.5, "b": 1.5}}),
    "two columns, best first": ("1 b\n1 a\n2 a\n", {"1": {"b": 0.0, "a": -1.0}, "2": {"a": -2.0}}),
    "three columns that count up": (
        "1\ta\t1\n1\tb\t2\n2\ta\t1\n", {"1": {"a": -1.0, "b": -2.0}, "2": {"a": -1.0}}),
    "three columns that count down": ("1 a 2\n1 b 1\n", {"1": {"a": 2.0, "b": 1.0}}),
    "tabs": ("1\tQ0\ta\t1\t2.5\tt\n", {"1": {"a": 2.5}}),
    "tabs and padded scores": ("1\tQ0\ta\t1\t  2.5\tt\n", {"1": {"a": 2.5}}),
    "a rank left empty between tabs": (
        "1\tQ0\ta\t1\t2.5\tt\n1\tQ0\tb\t\t1.5\tt\n", {"1": {"a": 2.5, "b": 1.5}}),
    "one line of spaces among tabs": ("1\tQ0\ta\t1\t2.5\tt\n1 Q0 b  2\t1.5 t\n", {"1": {"a": 2.5, "b": 1.5}}),
    "ids with spaces between tabs": ("q 1\tQ0\tmy doc\t1\t2.5\tmy tag\n", {"q 1": {"my doc": 2.5}}),
    "mixed white space": ("1  Q0\ta 1   2.5 t\n", {"1": {"a": 2.5}}),
    "leading spaces": ("   1 Q0 a 1 2.5 t\n", {"1": {"a": 2.5}}),
    "a byte order mark": ("\ufeff1 Q0 a 1 2.5 t\n", {"1": {"a": 2.5}}),
    "CRLF": ("1 Q0 a 1 2.5 t\r\n1 Q0 b 2 1.5 t\r\n", {"1": {"a": 2.5, "b": 1.5}}),
    "CRLF behind the score": ("1 Q0 a 1 2.5\r\n", {"1": {"a": 2.5}}),
    "blank lines": ("\n1 Q0 a 1 2.5 t\n\n  \n1 Q0 b 2 1.5 t\n\n", {"1": {"a": 2.5, "b": 1.5}}),
    "comments": ("# made by x\n1 Q0 a 1 2.5 t\n#\n1 Q0 b#2 2 1.5 #t\n", {"1": {"a": 2.5, "b#2": 1.5}}),
    "scientific notation": ("1 Q0 a 1 2.5e-3 t\n1 Q0 b 2 -1E2 t\n1 Q0 c 3 .5 t\n1 Q0 d 4 +5. t\n",
                            {"1": {"a": 0.0025, "b": -100.0, "c": 0.5, "d": 5.0}}),
    "decimal commas": ("1 Q0 a 1 2,5 t\n1 Q0 b 2 1,5 t\n", {"1": {"a": 2.5, "b": 1.5}}),
    "ranks from 0": ("1 Q0 a 0 2.5 t\n", {"1": {"a": 2.5}}),
    "ranks that are floats": ("1 Q0 a 1.0 2.5 t\n", {"1": {"a": 2.5}}),
    "a tag with a space": ("1 Q0 a 1 2.5 my tag\n1 Q0 b 2 1.5 my tag\n", {"1": {"a": 2.5, "b": 1.5}}),
    "ids that look like numbers": ("007 Q0 0704.1394 1 2.5 t\n1e3 Q0 1.0 1 2.5 t\n",
                                   {"007": {"0704.1394": 2.5}, "1e3": {"1.0": 2.5}}),
    "ids that look like nothing": ("1 Q0 NA 1 2.5 t\n1 Q0 null 2 1.5 t\nNaN Q0 None 1 1 t\n",
                                   {"1": {"NA": 2.5, "null": 1.5}, "NaN": {"None": 1.0}}),
    "quotes and slashes": ('1 Q0 "a 1 2.5 t\n1 Q0 b/c,d"e 2 1.5 t\n', {"1": {'"a': 2.5, 'b/c,d"e': 1.5}}),
    "ids beyond ASCII": ("é Q0 日本\u00a0語 1 2.5 t\n", {"é": {"日本\u00a0語": 2.5}}),
    "all query ids with #": ("#1 Q0 a 1 2.5 t\n#2 Q0 a 1 2.5 t\n", {"#1": {"a": 2.5}, "#2": {"a": 2.5}}),
    "a header": ("qid Q0 docno rank score tag\n1 Q0 a 1 2.5 t\n", {"1": {"a": 2.5}}),
    "queries that return": (
        "1 Q0 a 1 3 t\n2 Q0 a 1 2 t\n1 Q0 b 2 1 t\n", {"1": {"a": 3.0, "b": 1.0}, "2": {"a": 2.0}}),
    "ten digits": (
        "1 Q0 a 1 .92226214537 t\n1 Q0 b 2 .92226214 t\n", {"1": {"a": 0.92226214537, "b": 0.92226214}}),
}  # fmt: skip


@pytest.mark.parametrize("case", RUNS)
@pytest.mark.parametrize("careful", [True, False], ids=["careful", "fast where it can"])
def test_runs_are_read(case: str, careful: bool, tmp_path: Path) -> None:
    content, expected = RUNS[case]
    run = read_run(write(tmp_path, content), careful=careful)
    assert as_dicts(run) == expected
    assert run.queries == tuple(expected)


def test_utf_16_is_read(tmp_path: Path) -> None:
    assert as_dicts(read_run(write(tmp_path, "é Q0 a 1 2.5 t\n".encode("utf-16")))) == {"é": {"a": 2.5}}


def test_the_tag_names_the_run(tmp_path: Path) -> None:
    assert read_run(write(tmp_path, "1 Q0 a 1 2.5 BM25 tuned\n")).name == "BM25 tuned"
    assert read_run(write(tmp_path, "1 a 2.5\n")).name == ""


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zstandard.ZstdCompressor().compress(data)])
def test_packed_files_are_known_by_their_content(pack: Any, tmp_path: Path) -> None:
    data = pack(b"1 Q0 a 1 2.5 t\n") + pack(b"2 Q0 a 1 2.5 t\n")
    assert read_run(write(tmp_path, data, "run.txt")).queries == ("1", "2")


QRELS = {
    "four columns": ("1 0 a 1\n1 0 b 0\n2 0 a 3\n", {"1": {"a": 1, "b": 0}, "2": {"a": 3}}),
    "three columns": ("1 a 1\n1 b 0\n", {"1": {"a": 1, "b": 0}}),
    "two columns": ("1 a\n2 b\n", {"1": {"a": 1}, "2": {"b": 1}}),
    "BEIR": ("query-id\tcorpus-id\tscore\n1\td 1\t1\n", {"1": {"d 1": 1}}),
    "a query named as a column is": ("topic 0 a 1\n2 0 a 3\n", {"topic": {"a": 1}, "2": {"a": 3}}),
    "negative grades": ("1 0 a -1\n1 0 b -2\n", {"1": {"a": -1, "b": -2}}),
    "grades that are floats of integral value": ("1 0 a 1.0\n1 0 b 0.\n", {"1": {"a": 1, "b": 0}}),
    "comments and blank lines": ("# x\n1 0 a 1\n\n", {"1": {"a": 1}}),
    "all grades zero": ("1 0 a 0\n", {"1": {"a": 0}}),
    "queries that return": ("1 0 a 1\n2 0 a 1\n1 0 b 2\n", {"1": {"a": 1, "b": 2}, "2": {"a": 1}}),
    "repeated judgments": ("1 0 a 1\n1 0 b 2\n1 0 a 1\n2 0 c 1\n", {"1": {"a": 1, "b": 2}, "2": {"c": 1}}),
}


@pytest.mark.parametrize("case", QRELS)
@pytest.mark.parametrize("careful", [True, False], ids=["careful", "fast where it can"])
def test_qrels_are_read(case: str, careful: bool, tmp_path: Path) -> None:
    content, expected = QRELS[case]
    assert grades(read_qrels(write(tmp_path, content), careful=careful)) == expected


def test_what_was_passed_over_is_said(tmp_path: Path) -> None:
    notices = read_qrels(write(tmp_path, "qid 0 docno rel\n1 0 a 1\n1 0 a 1\n")).notices
    assert any("line 1 is a header" in notice for notice in notices)
    assert any("counted once: 1" in notice for notice in notices)


def test_ranks_in_place_of_scores_are_said_to_be_ranks(tmp_path: Path) -> None:
    notices = read_run(write(tmp_path, "1\ta\t1\n1\tb\t2\n")).notices
    assert any("read as ranks" in notice for notice in notices)
    assert not read_run(write(tmp_path, "1\ta\t2\n1\tb\t1\n")).notices


def test_judgments_that_name_no_query_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names no query"):
        read_qrels(write(tmp_path, "doc1 L3\ndoc2 L0\n"))


CONFLICT = "1 0 a 1\n1 0 b 0\n1 0 a 3\n1 0 a 2\n"


def test_judgments_that_contradict_each_other_are_an_error_that_lists_the_choices(tmp_path: Path) -> None:
    with pytest.raises(BadLinesError) as caught:
        read_qrels(write(tmp_path, CONFLICT))
    assert [fault.line for fault in caught.value.faults] == [3, 4]
    assert 'judges "a" for query "1" as 3, line 1 as 1. Choose one: --conflicts' in str(caught.value)


@pytest.mark.parametrize(
    ("conflicts", "grade"), [(Conflicts.HIGHEST, 3), (Conflicts.FIRST, 1), (Conflicts.LAST, 2)]
)
def test_the_choice_among_contradictions_is_kept(conflicts: Conflicts, grade: int, tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, CONFLICT), conflicts=conflicts)
    assert grades(qrels) == {"1": {"a": grade, "b": 0}}
    assert any(f"the {conflicts.value} counts: 2" in notice for notice in qrels.notices)


def test_fractional_and_named_grades_are_refused_until_they_are_mapped(tmp_path: Path) -> None:
    path = write(tmp_path, "1 0 a 1.7\n1 0 b .6\n1 0 c high\n1 0 d 1\n")
    with pytest.raises(BadLinesError) as caught:
        read_qrels(path)
    assert [fault.line for fault in caught.value.faults] == [1, 2, 3]
    assert "--gain" in str(caught.value)
    mapped = read_qrels(path, gains={"1.7": 2, ".6": 1, "high": 3})
    assert grades(mapped) == {"1": {"a": 2, "b": 1, "c": 3, "d": 1}}


@pytest.mark.parametrize("careful", [True, False], ids=["careful", "fast where it can"])
def test_grades_that_are_ids_or_times_are_refused(careful: bool, tmp_path: Path) -> None:
    with pytest.raises(BadLinesError, match=r":2: the grade must be within 1,000,000,000"):
        read_qrels(write(tmp_path, "1 0 a 1\n1 0 b 1700000000000\n"), careful=careful)


MIXED_HASHES = "#1 Q0 a 1 2.5 t\n2 Q0 a 1 2.5 t\n"


def test_lines_that_may_be_comments_or_data_are_an_error_that_lists_the_choices(tmp_path: Path) -> None:
    path = write(tmp_path, MIXED_HASHES)
    with pytest.raises(InputError, match=r"1 line begins with # and may be data.*--hash-lines comment"):
        read_run(path)
    assert read_run(path, hash_lines=Hash.COMMENT).queries == ("2",)
    assert read_run(path, hash_lines=Hash.DATA).queries == ("#1", "2")


BAD = [
    ("1 Q0 a 1 2.5 t\n1 Q0 b 2 nan t\n", 2, 'the score must be a finite number, got "nan"'),
    ("1 Q0 a 1 2.5 t\n1 Q0 b 2 -inf t\n", 2, 'the score must be a finite number, got "-inf"'),
    ("1 Q0 a 1 2.5 t\n1 Q0 b 2 1e999 t\n", 2, 'the score must be a finite number, got "1e999"'),
    ("1 Q0 a 1 2.5 t\n1 Q0 b 2 high t\n", 2, 'the score must be a number, got "high"'),
    ("1 Q0 a 1 2.5 t\n1 Q0 b 2 1_000 t\n", 2, 'the score must be a number, got "1_000"'),
    ("1 Q0 a 1 2.5 t\n1 Q0 b 2 0x10 t\n", 2, 'the score must be a number, got "0x10"'),
    ("1 Q0 a 1 2.5 t\n1 Q0 b 2\n", 2, "has 4 columns where the file has 6"),
    ("1 Q0 a 1 2.5 t\n1 Q0 my doc 2 1.5 t\n", 2, 'the rank must be an integer, got "doc"'),
    ("1 Q0 a 1 2.5 t\n1 Q0 b  1.5 t\n", 2, "the rank must be an integer, got \"1.5\""),
    ("1 Q0 a 1 2.5 t\n\n1 Q0 b best 1.5 t\n", 3, 'the rank must be an integer, got "best"'),
    ("1\tQ0\ta\t1\t2.5\tt\n1\tQ0\t\t2\t1.5\tt\n", 2, "has an empty target id"),
    (b"1 Q0 a 1 2.5 t\n1 Q0 \xff\xfe 2 1.5 t\n", 2, "is not UTF-8 at byte 0xff"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "line", "message"), BAD)
@pytest.mark.parametrize("careful", [True, False], ids=["careful", "fast where it can"])
def test_a_fault_is_told_with_its_line(
    content: str | bytes, line: int, message: str, careful: bool, tmp_path: Path
) -> None:
    with pytest.raises(BadLinesError) as caught:
        read_run(write(tmp_path, content), careful=careful)
    assert [fault.line for fault in caught.value.faults] == [line]
    assert message in str(caught.value)


@pytest.mark.parametrize("content", ["1 0 a 1\n1 0 my doc 1\n"])
def test_ids_with_spaces_need_tabs_in_qrels(content: str, tmp_path: Path) -> None:
    with pytest.raises(BadLinesError, match="Ids that hold spaces need tabs"):
        read_qrels(write(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"# nothing\n", "is empty"),
        (b"\x89PNG\x00\x00", "is a binary file"),
        (b"hello\n", "is no TREC run: its first line is"),
        (b"\x1f\x8b\x08\x00broken", "cannot read"),
        (gzip.compress(b"1 Q0 a 1 2.5 t\n" * 9999, mtime=0)[:-20], "cannot read"),
        (zstandard.ZstdCompressor().compress(b"1 Q0 a 1 2.5 t\n" * 9)[:-5] + b"xxxxx", "cannot read"),
    ],
)
def test_what_is_no_run_is_one_clear_error(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_run(write(tmp_path, content))
    assert message in str(caught.value)


def test_missing_files_folders_and_forbidden_files(tmp_path: Path) -> None:
    write(tmp_path, "1 Q0 a 1 2.5 t\n", "system.run")
    with pytest.raises(InputError, match=r"no such file: .*sytem\.run; did you mean .*system\.run"):
        read_run(tmp_path / "sytem.run")
    with pytest.raises(InputError, match="is a folder; expected TREC run"):
        read_run(tmp_path)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["1", "02", "q#"]),
            st.text(
                st.characters(categories=["L", "N", "P"], exclude_characters="\u0085"), min_size=1, max_size=6
            ),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_the_fast_reader_the_careful_one_and_its_way_with_plain_lines_agree(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float]]
) -> None:
    content = "".join(f"{q} Q0 {t} {n} {s!r} t\n" for n, (q, t, s) in enumerate(rows)).encode()
    layout = sniff_layout(content.splitlines(), Kind.RUN)
    assert layout is not None
    frame = read_frame(content, layout, Kind.RUN)
    assert frame is not None
    path = write(tmp_path_factory.mktemp("agree"), content)
    (block,) = read_blocks(path, Reading("x", Kind.RUN, careful=True))
    assert frame["query"].to_list() == list(block.queries)
    assert frame["target"].to_list() == list(block.targets)
    assert block.values is not None
    np.testing.assert_array_equal(frame["value"].to_numpy(), block.values)
    commented = write(tmp_path_factory.mktemp("agree"), b"# not plain, so each line is looked at\n" + content)
    (each,) = read_blocks(commented, Reading("x", Kind.RUN, careful=True))
    assert (each.queries, each.targets) == (block.queries, block.targets)
    assert each.values is not None
    np.testing.assert_array_equal(each.values, block.values)
    assert list(each.lines) == [line + 1 for line in block.lines]


def test_a_fault_late_in_a_large_file_has_its_line(tmp_path: Path) -> None:
    lines = [f"{n // 50} Q0 d{n} 1 {-n} t\n" for n in range(9000)]
    lines[8765] = "oops\n"
    with pytest.raises(BadLinesError) as caught:
        for _ in stream_run(write(tmp_path, "".join(lines)), block_bytes=20_000):
            pass
    assert [fault.line for fault in caught.value.faults] == [8766]


def test_a_stream_gives_each_query_whole(tmp_path: Path) -> None:
    lines = [f"{n // 30} Q0 d{n} 1 {-n} t\n" for n in range(900)]
    parts = list(stream_run(write(tmp_path, "".join(lines)), block_bytes=1000))
    assert len(parts) > 5
    assert [query for part in parts for query in part.queries] == [str(n) for n in range(30)]
    assert all((np.diff(part.offsets) == 30).all() for part in parts)


FIXTURES = [
    ("trec_eval/qrels-302.test", Kind.QRELS, 1, 1061),
    ("trec_eval/qrels.comment.test", Kind.QRELS, 31, 5890),
    ("trec_eval/qrels.rel_level", Kind.QRELS, 3, 3681),
    ("trec_eval/qrels.test", Kind.QRELS, 3, 3681),
    ("trec_eval/qrels.test.with-comments", Kind.QRELS, 3, 3681),
    ("trec_eval/prefs.results.test", Kind.RUN, 24, 480),
    ("trec_eval/results-302.test", Kind.RUN, 1, 500),
    ("trec_eval/results.comment.test.gz", Kind.RUN, 301, 30100),
    ("trec_eval/results.test", Kind.RUN, 3, 1500),
    ("trec_eval/results.trunc", Kind.RUN, 2, 584),
    ("run_fixtures/anserini/sample_qrels/Microblog", Kind.QRELS, 1, 6),
    ("run_fixtures/anserini/sample_qrels/Trec", Kind.QRELS, 1, 3),
    ("run_fixtures/anserini/sample_runs/run3", Kind.RUN, 2, 6),
    ("run_fixtures/anserini/sample_runs/run_same_scores", Kind.RUN, 2, 5),
    ("run_fixtures/ir_measures/compat.qrels", Kind.QRELS, 2, 311),
    ("run_fixtures/ir_measures/compat.run", Kind.RUN, 2, 1927),
    ("run_fixtures/ir_measures/cwl.qrels", Kind.QRELS, 3, 23),
    ("run_fixtures/ir_measures/cwl.run", Kind.RUN, 3, 30),
    ("run_fixtures/ranx/notebook_qrels.trec", Kind.QRELS, 5505, 5541),
    ("run_fixtures/ranx/qrels.trec.gz", Kind.QRELS, 2, 5),
    ("run_fixtures/ranx/run.trec.gz", Kind.RUN, 2, 5),
    ("run_fixtures/trectools/qrel1.txt", Kind.QRELS, 3, 30),
    ("run_fixtures/trectools/r4.run", Kind.RUN, 3, 9),
    ("run_fixtures/umbrela/sample.run", Kind.RUN, 1, 4),
    ("messy/dbpedia_entity_v2/qrels-v2.txt.gz", Kind.QRELS, 467, 49280),
    ("messy/fireworks_beir_mini/qrels.tsv", Kind.QRELS, 30, 30),
    ("messy/objective_wikipedia/objective_and_wikipedia_pooled_data.qrels", Kind.QRELS, 100, 1506),
    ("messy/vespa_docsearch/qrels.tsv", Kind.QRELS, 26, 90),
]


@pytest.mark.shared_data
@pytest.mark.parametrize("careful", [True, False], ids=["careful", "fast where it can"])
@pytest.mark.parametrize(("name", "kind", "n_queries", "n_rows"), FIXTURES, ids=lambda value: str(value))
def test_files_of_other_tools_are_read_whole(
    name: str, kind: Kind, n_queries: int, n_rows: int, careful: bool, shared_data: Path
) -> None:
    if kind is Kind.QRELS:
        qrels = read_qrels(shared_data / name, careful=careful)
        assert (len(qrels.queries), qrels.n_judgments) == (n_queries, n_rows)
    else:
        run = read_run(shared_data / name, careful=careful)
        assert (len(run.queries), run.n_results) == (n_queries, n_rows)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("trec_eval/qrels.123", Kind.QRELS, "Choose one: --conflicts highest"),
        ("trec_eval/prefs.test", Kind.QRELS, "columns where the file has"),
        ("trec_eval/zscores_file", Kind.QRELS, "the grade must be an integer"),
        ("run_fixtures/ranx/run.lz4", Kind.RUN, "is packed with LZ4, which is not read (gzip and"),
        ("run_fixtures/pyNTCIREVAL/sample.rel", Kind.QRELS, "names no query"),
        ("run_fixtures/pyNTCIREVAL/sample.res", Kind.RUN, "is no TREC run"),
    ],
)
def test_files_that_are_no_such_thing_say_so(name: str, kind: Kind, message: str, shared_data: Path) -> None:
    with pytest.raises(InputError) as caught:
        (read_qrels if kind is Kind.QRELS else read_run)(shared_data / name)
    assert message in str(caught.value)
