"""Scoring: every form of input gives the same figures; cases that other tools get wrong come out right."""

import gzip
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.app.score import score
from rankle.app.scores import Scores
from rankle.core.errors import BadLinesError, CannotMeasureError, InputError, MeasureError, RankleError
from rankle.formats.trec import stream_run
from rankle.metrics.engine import compute
from rankle.metrics.join import JoinOptions, join_dicts
from rankle.metrics.join_columns import ColumnJoin, SeenQueryError, join_run
from rankle.metrics.measure import parse_measures
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run
from rankle.metrics.ties import Ties

QRELS = {"1": {"a": 2, "b": 0, "z": 1}, "2": {"a": 1}, "3": {"c": 0}, "4": {"d": 1}}
RUN = {"1": {"a": 1.0, "b": 2.0, "u": 0.5}, "2": {"a": 0.1, "x": 0.1}, "3": {"c": 1.0}, "extra": {"a": 1.0}}
MEASURES = "nDCG@10,R@10,RR,AP,P@2,Judged@2"


def write_qrels(folder: Path) -> Path:
    lines = [f"{q} 0 {t} {g}\n" for q, grades in QRELS.items() for t, g in grades.items()]
    return write(folder / "set.qrels", "".join(lines))


def run_lines() -> str:
    return "".join(f"{q} Q0 {t} 1 {s} sys\n" for q, found in RUN.items() for t, s in found.items())


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def columns() -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    judged = [(q, t, g) for q, grades in QRELS.items() for t, g in grades.items()]
    found = [(q, t, s) for q, scores in RUN.items() for t, s in scores.items()]
    return (
        dict(zip(("query_id", "doc_id", "relevance"), map(list, zip(*judged, strict=True)), strict=True)),
        dict(zip(("qid", "docno", "score"), map(list, zip(*found, strict=True)), strict=True)),
    )


def structured(data: dict[str, list[Any]]) -> np.ndarray[Any, Any]:
    kinds = [(name, "f8" if isinstance(values[0], float) else "i8" if isinstance(values[0], int) else "U9")
             for name, values in data.items()]  # fmt: skip
    return np.array(list(zip(*data.values(), strict=True)), dtype=kinds)


def categories(data: dict[str, list[Any]]) -> pd.DataFrame:
    """As pandas holds texts that repeat."""
    frame = pd.DataFrame(data)
    return frame.astype(dict.fromkeys(frame.columns[:2], "category"))


def both(make: Callable[[dict[str, list[Any]]], Any]) -> tuple[Any, Any]:
    judged, found = columns()
    return make(judged), make(found)


FORMS: dict[str, Callable[[Path], tuple[Any, Any]]] = {
    "dicts": lambda _: (QRELS, RUN),
    "objects": lambda _: (Qrels.from_dict(QRELS), Run.from_dict(RUN)),
    "paths": lambda folder: (write_qrels(folder), write(folder / "a.run", run_lines())),
    "texts of paths": lambda folder: (str(write_qrels(folder)), str(write(folder / "a.run", run_lines()))),
    "gzip": lambda folder: (write_qrels(folder), write(folder / "a", gzip.compress(run_lines().encode()))),
    "zstd": lambda folder: (
        write_qrels(folder),
        write(folder / "a", zstandard.ZstdCompressor().compress(run_lines().encode())),
    ),
    "polars": lambda _: both(pl.DataFrame),
    "lazy": lambda _: both(pl.LazyFrame),
    "pandas": lambda _: both(pd.DataFrame),
    "pandas of objects": lambda _: both(lambda data: pd.DataFrame(data, dtype=object)),
    "pandas with an index": lambda _: both(lambda data: pd.DataFrame(data).iloc[::-1].iloc[::-1]),
    "pandas of categories": lambda _: both(categories),
    "structured arrays": lambda _: both(structured),
    "dicts of columns": lambda _: columns(),
    "dicts of arrays": lambda _: both(lambda data: {name: np.array(data[name]) for name in data}),
    "tuples of columns": lambda _: both(lambda data: tuple(data.values())),
    "tuples of arrays": lambda _: both(lambda data: tuple(map(np.array, data.values()))),
    "a mix": lambda folder: (write_qrels(folder), RUN),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_input_gives_the_same_figures(form: str, tmp_path: Path) -> None:
    scores = score(*FORMS[form](tmp_path), MEASURES)
    assert scores.queries == ("1", "2", "3", "4")
    assert {name: mean.mean for name, mean in scores.means.items()} == pytest.approx(
        {
            "nDCG@10": (2 / np.log2(3) / (2 + 1 / np.log2(3)) + 1 / np.log2(3) + 0) / 3,
            "R@10": (0.5 + 1 + 0) / 3,
            "RR": (0.5 + 0.5 + 0) / 3,
            "AP": (0.25 + 0.5 + 0) / 3,
            "P@2": (0.5 + 0.5 + 0) / 3,
            "Judged@2": (1 + 0.5 + 0.5 + 0) / 4,
        }
    )
    recall = scores.means["R@10"]
    assert (recall.n_scored, recall.n_undefined, recall.n_missing) == (3, 1, 1)
    assert scores.missing == ("4",)
    assert scores.n_extra == 1


def test_standard_input_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = write(tmp_path / "in", run_lines()).open("rb")

    monkeypatch.setattr(sys, "stdin", Stdin)
    with Stdin.buffer:
        assert score(QRELS, "-", "RR")["RR"] == pytest.approx(1 / 3)


def test_a_mean_is_found_by_any_spelling_of_its_measure() -> None:
    scores = score(QRELS, RUN, ["ndcg_cut_10", "mrr"])
    assert scores["nDCG@10"] == scores["ndcg@10"] == scores.means["nDCG@10"].mean
    assert scores["recip_rank"] == scores["RR"]


def test_the_default_answers_with_six_measures() -> None:
    assert list(score(QRELS, RUN).means) == ["nDCG@10", "R@10", "R@100", "RR", "AP", "P@10"]


# -- cases that other tools get wrong


def rr(run: dict[str, float], relevant: str, **options: Any) -> float:
    value = score({"q": {relevant: 1}}, {"q": run}, "RR", **options)["RR"]
    assert value is not None
    return value


def test_three_tied_results_are_ordered_by_id_descending_as_trec_eval_has_it() -> None:
    assert rr({"b": 1.0, "a": 1.0, "c": 1.0}, "c") == 1.0
    assert rr({"b": 1.0, "a": 1.0, "c": 1.0}, "c", ties="system") == 1 / 3


@pytest.mark.parametrize("form", [lambda run: run, Run.from_dict], ids=["dict", "columns"])
def test_forty_tied_results(form: Callable[[Any], Any]) -> None:
    run = {f"d{i:02d}": 1.0 for i in range(40)}
    scores = score({"q": {"d05": 1, "d39": 1}}, form({"q": run}), "RR,AP")
    assert scores["RR"] == 1.0
    assert scores["AP"] == pytest.approx((1 + 2 / 35) / 2)


def test_ids_are_ordered_by_bytes_where_scores_tie() -> None:
    run = {"z": 1.0, "é": 1.0, "日": 1.0, "𝄞": 1.0, "Z": 1.0, "10": 1.0, "9": 1.0}
    order = sorted(run, key=str.encode, reverse=True)
    for rank, target in enumerate(order, start=1):
        assert rr(run, target) == 1 / rank


def test_scores_that_differ_in_the_tenth_digit_differ() -> None:
    assert rr({"a": 0.92226214537, "z": 0.92226214}, "a") == 1.0


def test_a_system_that_gives_every_target_the_same_score() -> None:
    targets = [f"d{i:04d}" for i in range(3000)]
    qrels, run = {"q": dict.fromkeys(targets[::7], 1)}, {"q": dict.fromkeys(targets, 0.0)}
    for form in (run, Run.from_dict(run)):
        assert score(qrels, form, "P@70")["P@70"] == 10 / 70


def test_the_order_of_queries_in_a_dict_is_irrelevant() -> None:
    turned = {query: RUN[query] for query in reversed(RUN)}
    assert score(QRELS, turned, MEASURES).means == score(QRELS, RUN, MEASURES).means


def test_a_duplicated_result_counts_once_at_its_best_rank(tmp_path: Path) -> None:
    run = write(tmp_path / "r", "q Q0 a 1 3 t\nq Q0 u 2 2.5 t\nq Q0 u 3 2 t\nq Q0 a 4 1 t\nq Q0 b 5 0.5 t\n")
    scores = score({"q": {"a": 1, "b": 1}}, run, "nDCG@10,AP,SetP,R@10")
    assert scores["nDCG@10"] == pytest.approx((1 + 1 / 2) / (1 + 1 / np.log2(3)))
    assert scores["AP"] == pytest.approx((1 + 2 / 3) / 2)
    assert scores["SetP"] == pytest.approx(2 / 3)
    assert scores.n_duplicates == 2
    assert any("stood twice" in notice for notice in scores.notices)


def test_a_run_pasted_twice_scores_as_once(tmp_path: Path) -> None:
    once = score(QRELS, write(tmp_path / "once", run_lines()), MEASURES)
    twice = score(QRELS, write(tmp_path / "twice", run_lines() * 2), MEASURES)
    assert twice.means == once.means
    assert twice.n_duplicates == run_lines().count("\n")


def test_a_negative_grade_is_unjudged_and_counted_aloud() -> None:
    scores = score({"q": {"a": -1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, "R@2,Judged@2,RR")
    assert (scores["R@2"], scores["Judged@2"], scores["RR"]) == (1.0, 0.5, 0.5)
    assert "judgments with a negative grade, taken as unjudged: 1" in scores.notices


def test_trec_evals_means_leave_out_missing_queries_and_count_undefined_ones_as_0() -> None:
    scores = score(QRELS, RUN, "R@10", undefined="zero", missing="skip")
    assert scores.queries == ("1", "2", "3")
    assert scores["R@10"] == 0.5
    assert scores.missing == ("4",)


def test_only_the_first_results_count_where_asked_for() -> None:
    scores = score({"q": {"a": 1}}, {"q": {"u": 2.0, "a": 1.0}}, "R@10,SetP,SetR", max_results=1)
    assert (scores["R@10"], scores["SetP"], scores["SetR"]) == (0, 0, 0)


def test_the_querys_own_document_is_left_out_on_request_and_said_to_be_there_otherwise() -> None:
    qrels, run = {"a": {"b": 1}}, {"a": {"a": 3.0, "b": 2.0}}
    counted = score(qrels, run, "RR")
    assert counted["RR"] == 0.5
    assert any("--ignore-self leaves them out" in notice for notice in counted.notices)
    ignored = score(qrels, run, "RR,SetP", ignore_self=True)
    assert (ignored["RR"], ignored["SetP"]) == (1.0, 1.0)
    assert "results whose id is the query's own: 1, left out" in ignored.notices


def test_what_joins_nothing_says_so() -> None:
    assert any(
        "no result of the run is judged" in n for n in score({"q": {"a": 1}}, {"q": {"b": 1.0}}).notices
    )


JOINS: list[tuple[Any, Any, str]] = [
    (
        {"q": {"A": 1, "B": 1, "c": 1}},
        {"q": {"a": 3.0, "b": 2.0, "c": 1.0}},
        "--normalise 'targets=case' would join 3 of 3 judged targets looked at, not 1",
    ),
    (
        {"q": {"A": 1, "B": 1, "c": 1}},
        {"q": {"a": 3.0, "b": 2.0, "c": 1.0}},
        "judged among the first 10 results of a query: 1 of 3 (33.3 %); the others count as not relevant",
    ),
    (
        {"q": {"doc-1": 1, "doc-2": 1}},
        {"q": {"1": 2.0, "2": 1.0}},
        "--normalise 'targets=prefix:doc-' would join 2 of 2 judged targets looked at, not 0",
    ),
    (
        {"q1": {"a": 1}, "Q2": {"a": 1}},
        {"q1": {"a": 2.0}, "q2": {"a": 1.0}},
        "query ids that nearly join: --normalise 'queries=case' would join 2 of 2 judged queries, not 1",
    ),
]


@pytest.mark.parametrize(("qrels", "run", "notice"), JOINS)
@pytest.mark.parametrize("form", ["dict", "file", "large file"])
def test_ids_that_do_not_join_are_told_with_what_would_join_them(
    qrels: Any, run: Any, notice: str, form: str, tmp_path: Path
) -> None:
    if form != "dict":
        lines = [f"{q} Q0 {t} 1 {s} sys\n" for q, found in run.items() for t, s in found.items()]
        unknown = [f"other{i:06} Q0 x 1 1 sys\n" for i in range(50_000 if form == "large file" else 0)]
        run = write(tmp_path / "a.run", "".join(lines + unknown))
    assert notice in "\n".join(score(qrels, run).notices)


def test_a_run_that_joins_has_no_remark() -> None:
    assert score({"q": {"a": 1, "B": 1}}, {"q": {"a": 2.0, "B": 1.0}}).notices == ()


def test_a_run_that_misses_what_is_judged_is_told_without_a_normalisation() -> None:
    notices = score({"q": {"a": 1, "b": 1, "c": 0}}, {"q": {"x": 2.0, "c": 1.0}}).notices
    assert notices == (
        "judged among the first 10 results of a query: 1 of 2 (50.0 %); the others count as not relevant",
        "judged targets that the run retrieved: 1 of 3 (33.3 %)",
    )


def test_queries_that_would_join_are_told_where_none_does() -> None:
    with pytest.raises(CannotMeasureError, match=r"--normalise 'queries=zeros' would join 1 of 1 judged"):
        score({"1": {"a": 1}}, {"01": {"a": 1.0}})


WORDS = {"1": {"a": "high", "b": "none"}, "2": {"a": 0.6}}
GAINS = {"high": 3, "none": 0, "0.6": 1}
WORD_FORMS: dict[str, Any] = {
    "dict": WORDS,
    "frame": pl.DataFrame({"qid": ["1", "1", "2"], "doc": ["a", "b", "a"], "rel": ["high", "none", "0.6"]}),
    "pandas": pd.DataFrame({"qid": ["1", "1", "2"], "doc": ["a", "b", "a"], "rel": ["high", "none", "0.6"]}),
    "tuple": (["1", "1", "2"], ["a", "b", "a"], ["high", "none", "0.6"]),
}


@pytest.mark.parametrize("form", WORD_FORMS)
def test_gains_map_grades_of_every_form(form: str) -> None:
    run = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0}}
    scores = score(WORD_FORMS[form], run, "nDCG@10,R(rel=3)@1", gains=GAINS)
    assert scores.values["nDCG@10"] == pytest.approx([1 / np.log2(3), 1])
    with pytest.raises(InputError, match=r"gains=.*--gain high=1"):
        score(WORD_FORMS[form], run)


@pytest.mark.parametrize("form", WORD_FORMS)
def test_gains_that_map_nothing_are_told_of_every_form(form: str) -> None:
    run = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0}}
    told = score(WORD_FORMS[form], run, gains={**GAINS, "hihg": 3, "low": 1}).notices
    assert told[0] == "gains for grades that no judgment has: hihg, low"
    assert not any("gains" in notice for notice in score(WORD_FORMS[form], run, gains=GAINS).notices)


@pytest.mark.parametrize(("conflicts", "expected"), [("highest", 0.5), ("first", 0.5), ("last", None)])
def test_conflicts_are_settled_in_frames(conflicts: Any, expected: float | None) -> None:
    judged = pl.DataFrame({"qid": ["1", "1"], "doc": ["a", "a"], "rel": [2, 0]})
    assert score(judged, {"1": {"b": 2.0, "a": 1.0}}, "RR", conflicts=conflicts)["RR"] == expected


def test_a_result_cannot_be_changed() -> None:
    scores = score(QRELS, RUN, "AP,RR")
    for values in (scores.values["AP"], scores.first_relevant):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 9
    for mapping in (scores.values, scores.means):
        with pytest.raises(TypeError, match="does not support item assignment"):
            mapping["ZZ"] = 9  # type: ignore[index]
    copy = pickle.loads(pickle.dumps(scores))
    assert copy.means == scores.means
    assert not copy.values["AP"].flags.writeable


# -- bad input

BAD: list[tuple[Any, Any, type[RankleError], str]] = [
    ({}, RUN, CannotMeasureError, "no judgment"),
    (QRELS, {"other": {"a": 1.0}}, CannotMeasureError, "share no query: the qrels have 1, 2, 3, …"),
    (QRELS, {}, CannotMeasureError, "share no query"),
    (
        QRELS,
        {"1": {"a": float("nan")}},
        InputError,
        'the score of "a" for query "1" must be a finite number, got nan',
    ),
    (QRELS, {"1": {"b": 1.0, "a": float("inf")}}, InputError, 'of "a" for query "1"'),
    (QRELS, {"1": {"a": "high"}}, InputError, "a score must be a number"),
    (QRELS, {"1": {"a": None}}, InputError, "must be a finite number, got None"),
    (QRELS, {"1": ["a", "b"]}, InputError, "Run.from_lists"),
    (QRELS, {1: {"a": 1.0}}, InputError, "text for ids"),
    ({1: {"a": 1}}, RUN, InputError, "a query id must be text, got 1; write it as '1'"),
    ({"1": {7: 1}}, RUN, InputError, 'a target id of query "1" must be text'),
    ({"1": {"a": 1.7}}, RUN, InputError, 'the grade of "a" for query "1" must be an integer, got 1.7'),
    ({"1": {"a": 2, "b": -(10**20)}}, RUN, InputError, "a grade must be within 1,000,000,000, got -1000000"),
    ({"1": {"a": "1"}}, RUN, InputError, "must be an integer, got '1'"),
    (QRELS, 7, InputError, "a run must be a path"),
    (
        QRELS,
        np.zeros((2, 3), dtype=object),
        InputError,
        "columns as a dict or as a tuple (queries, targets, scores); got ndarray of shape (2, 3)",
    ),
    (QRELS, pl.Series(["a"]), InputError, "got Series"),
    (["a"], RUN, InputError, "qrels must be a path, {query: {target: grade}}, a frame"),
    ({"1": ["a"]}, RUN, InputError, "got '1': list; without grades write {target: 1}"),
    (QRELS, (["1"], ["a", "b"], [1.0]), InputError, "of one length, got query_id 1, doc_id 2, score 1"),
    (QRELS, (["1"], [["a"]], np.zeros((1, 1))), InputError, '"score" must have one dimension'),
    (QRELS, {"1": {"": 1.0}}, InputError, 'an empty text as the id of a target for query "1"'),
    (QRELS, {"1": {"a": 1.0}, "": {"a": 1.0}}, InputError, "an empty text as the id of a query"),
    ({"1": {"": 1}}, RUN, InputError, 'the qrels have an empty text as the id of a target for query "1"'),
    (QRELS, (["1"], [""], [1.0]), InputError, 'row 1: column "doc_id" is empty'),
    (
        QRELS,
        pd.DataFrame({"qid": ["1", None], "doc": ["a", "b"], "score": [1, 2]}),
        InputError,
        'row 2: column "qid"',
    ),
    (
        QRELS,
        pd.DataFrame({"qid": ["1", float("nan")], "doc": ["a", "b"], "score": [1, 2]}),
        InputError,
        'column "qid" is empty',
    ),
    (
        QRELS,
        pd.DataFrame({"qid": ["1", 2], "doc": ["a", "b"], "score": [1, 2]}),
        InputError,
        'column "qid" holds values of several kinds, int and str; make all of them one kind',
    ),
    (
        QRELS,
        pd.DataFrame({"qid": ["1", "2"], "doc": ["a", "b"], "score": [1, "x"]}),
        InputError,
        'column "score" holds values of several kinds, int and str',
    ),
    (
        QRELS,
        pd.DataFrame({"qid": ["1"], "doc": ["a"], "score": ["x"]}),
        InputError,
        'column "score" must hold numbers, got',
    ),
    (
        QRELS,
        pd.DataFrame({"qid": ["1"], "doc": ["a"], "score": [object()]}),
        InputError,
        'column "score" must hold numbers, got Object',
    ),
    (
        QRELS,
        pl.DataFrame({"qid": ["1"], "doc": ["a"]}),
        InputError,
        "no column holds the score: the columns are qid, doc",
    ),
    (
        QRELS,
        pl.DataFrame({"qid": ["1"], "doc": [None], "score": [1.0]}),
        InputError,
        'row 1: column "doc" is empty',
    ),
    (
        QRELS,
        pl.DataFrame({"qid": [1.0], "doc": ["a"], "score": [1.0]}),
        InputError,
        "holds floats, which are no ids",
    ),
    (QRELS, pl.DataFrame({"qid": ["1"], "doc": ["a"], "score": ["x"]}), InputError, "must hold numbers"),
    (
        QRELS,
        pl.DataFrame({"qid": ["1"], "doc": ["a"], "score": [float("nan")]}),
        InputError,
        "row 1: the score must be a finite number",
    ),
    (
        pl.DataFrame({"qid": ["1", "1"], "doc": ["a", "a"], "rel": [1, 2]}),
        RUN,
        InputError,
        'row 2: judges "a" for query "1" as 2, an earlier row as 1',
    ),
    (
        pl.DataFrame({"qid": ["1"], "doc": ["a"], "rel": [0.6]}),
        RUN,
        InputError,
        "row 1: the grade must be an integer",
    ),
]


@pytest.mark.parametrize(("qrels", "run", "error", "message"), BAD, ids=[row[3] for row in BAD])
def test_bad_input_is_one_clear_error(qrels: Any, run: Any, error: type[RankleError], message: str) -> None:
    with pytest.raises(error) as caught:
        score(qrels, run)
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_an_unknown_measure_suggests_the_nearest() -> None:
    with pytest.raises(MeasureError, match='did you mean "nDCG@10"'):
        score(QRELS, RUN, "ndgc@10")
    with pytest.raises(MeasureError, match="no measure is named"):
        score(QRELS, RUN, [])
    for what in ("undefined", "missing", "ties", "hash_lines", "conflicts"):
        options: dict[str, Any] = {what: "zeros"}
        with pytest.raises(InputError, match=f'unknown value of {what} "zeros".* There is: '):
            score(QRELS, RUN, **options)
    with pytest.raises(InputError, match='did you mean "system"'):
        score(QRELS, RUN, ties="sistem")  # type: ignore[arg-type]
    with pytest.raises(InputError, match='unknown measure of these scores "AP"\\. There is: RR'):
        score(QRELS, RUN, "RR")["map"]
    with pytest.raises(InputError, match='unknown query "11"'):
        score(QRELS, RUN).query("11")
    for wrong in (0, "3", 1.5):
        with pytest.raises(InputError, match="max_results must be an integer >= 1"):
            score(QRELS, RUN, max_results=wrong)  # type: ignore[arg-type]
    for measures in (5, ["RR", 5]):
        with pytest.raises(MeasureError, match='a measure must be text such as "nDCG@10", got 5'):
            score(QRELS, RUN, measures)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="gains must be a mapping"):
        score(QRELS, RUN, gains=["high"])  # type: ignore[arg-type]


# -- one engine behind all ways in

ids = st.sampled_from([f"d{i}" for i in range(12)] + ["é", "日本", "NA", "null", "a", "b"])
graded = st.dictionaries(
    st.sampled_from("abcd"), st.dictionaries(ids, st.integers(-1, 3), max_size=8), min_size=1
)
found = st.dictionaries(
    st.sampled_from("abcde"),
    st.lists(st.tuples(ids, st.integers(-2, 2).map(lambda n: n / 4)), min_size=1, max_size=14),
    min_size=1,
)
EVERY = parse_measures("nDCG,nDCG@3,R@3,RR,AP,P@3,Bpref,infAP,SetP,Judged@3,ERR,Rprec,F1")


def in_order(rows: list[tuple[str, float]], ties: Ties) -> list[str]:
    """The plain definition: best score of each target, then the order of ties."""
    best: dict[str, tuple[float, int]] = {}
    for place, (target, value) in enumerate(rows):
        if target not in best or value > best[target][0]:
            best[target] = (value, place)
    if ties is Ties.TREC:
        return sorted(best, key=lambda t: (best[t][0], t.encode()), reverse=True)
    return sorted(best, key=lambda t: (-best[t][0], best[t][1]))


@settings(max_examples=150, deadline=None)
@given(
    qrels=graded,
    rows=found,
    ties=st.sampled_from(list(Ties)),
    limit=st.none() | st.integers(1, 5),
    ignore_self=st.booleans(),
)
def test_columns_dicts_and_the_plain_definition_agree(
    qrels: dict[str, dict[str, int]],
    rows: dict[str, list[tuple[str, float]]],
    ties: Ties,
    limit: int | None,
    ignore_self: bool,
) -> None:
    from rankle.metrics.judged import JudgedRanks

    options = JoinOptions(ties=ties, max_results=limit, ignore_self=ignore_self)
    all_of = {query: in_order(rows.get(query, []), ties) for query in qrels}
    lists = [[t for t in ids if not (ignore_self and t == query)][:limit] for query, ids in all_of.items()]
    plain = compute(JudgedRanks.from_lists(lists, list(qrels.values())), EVERY)
    flat = [(query, *row) for query, found in rows.items() for row in found]
    run = Run(
        queries=tuple(rows),
        offsets=np.concatenate([[0], np.cumsum([len(found) for found in rows.values()])]).astype(np.int64),
        targets=[target for _, target, _ in flat],
        scores=np.array([value for _, _, value in flat]),
    )
    judgments = Qrels.from_dict(qrels)
    distinct = run.distinct()
    for joined in (
        join_run(judgments, run, options),
        join_dicts(judgments, distinct.results, options, n_duplicates=distinct.n_duplicates),
    ):
        for measure, column in compute(joined.judged, EVERY).items():
            np.testing.assert_array_equal(column, plain[measure], err_msg=str(measure))
        assert joined.n_duplicates == sum(len(found) - len(dict(found)) for found in rows.values())
        assert list(joined.missing) == [query not in rows for query in qrels]
        assert joined.n_self == sum(query in ids for query, ids in all_of.items())
        assert joined.n_extra == len(rows.keys() - qrels.keys())


@settings(max_examples=60, deadline=None)
@given(qrels=graded, rows=found, size=st.integers(1, 200), shuffled=st.randoms(use_true_random=False))
def test_a_file_read_in_small_blocks_gives_the_figures_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    qrels: dict[str, dict[str, int]],
    rows: dict[str, list[tuple[str, float]]],
    size: int,
    shuffled: Any,
) -> None:
    if not any(qrels.values()):
        return
    lines = [f"{query} Q0 {t} 1 {s} x\n" for query, found in rows.items() for t, s in found]
    if shuffled.random() < 0.3:
        shuffled.shuffle(lines)
    path = write(tmp_path_factory.mktemp("blocks") / "run", "".join(lines))
    judgments = Qrels.from_dict(qrels)
    join = ColumnJoin(judgments)
    try:
        for part in stream_run(path, block_bytes=size):
            join.add(part)
    except SeenQueryError:
        queries = [line.split()[0] for line in lines]
        assert any(q in queries[:i] and queries[i - 1] != q for i, q in enumerate(queries))
        return
    if not join.finish().n_common:
        return
    whole = score(judgments, path, EVERY)
    for measure, column in compute(join.finish().judged, EVERY).items():
        np.testing.assert_array_equal(column, whole.values[str(measure)])


def test_scoring_a_loaded_run_again_joins_nothing_and_gives_the_same(tmp_path: Path) -> None:
    qrels, run = Qrels.from_dict(QRELS), Run.from_dict(RUN)
    first = score(qrels, run, "AP")
    assert score(qrels, run, "AP").means == first.means
    other = Qrels.from_dict({"1": {"u": 1}})
    assert score(other, run, "RR")["RR"] == 1 / 3
    assert score(qrels, run, "RR", ties="system").ties == "system"


def test_result_is_frozen() -> None:
    scores: Scores = score(QRELS, RUN)
    with pytest.raises(AttributeError):
        scores.run = "x"  # type: ignore[misc]


def test_a_bad_file_reports_all_its_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "r", "1 Q0 a 1 2.0 t\n1 Q0 b 2 nan t\n1 Q0 c 3\n1 Q0 d 4 high t\n")
    with pytest.raises(BadLinesError) as caught:
        score(QRELS, path)
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4]
