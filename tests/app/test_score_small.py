"""Small inputs are scored in plain Python to what arrays give; whatever is odd is left to them."""

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.app.score import score
from rankle.app.score_full import score_full
from rankle.app.score_small import score_small
from rankle.app.scores import Scores
from rankle.core.errors import InputError
from rankle.metrics.engine import compute
from rankle.metrics.join import join_dicts
from rankle.metrics.measure import parse_measure
from rankle.metrics.one_query import NEED_CUT, OF_ONE
from rankle.metrics.qrels import Qrels

MEASURES = "nDCG@10,nDCG,R@2,R@100,RR,RR@2,AP,AP@3,P@1,P@10,Hit@1,Hit@5"
TARGETS = st.sampled_from(["a", "b", "B", "é", "zz", "10", "9", "d 1"])
QRELS = {"1": {"a": 2, "b": 0}, "2": {"c": 1}}
RUN = {"1": {"a": 1.0, "x": 2.0, "b": 1.0}, "2": {"c": 0.5}}


def in_full(qrels: Any, run: Any, measures: Any = MEASURES) -> Scores:
    return score_full(
        qrels, run, measures, ties="trec", undefined="nan", missing="zero", max_results=None,
        ignore_self=False, hash_lines="auto", gains=None, conflicts="error", normalise=(), reading=None,
    )  # fmt: skip


def assert_same(small: Scores, full: Scores) -> None:
    assert small.values.keys() == full.values.keys()
    for name, values in full.values.items():
        np.testing.assert_array_equal(small.values[name], values)
    np.testing.assert_array_equal(small.first_relevant, full.first_relevant)
    assert small.means == full.means
    for member in ("run", "queries", "missing", "n_extra", "n_duplicates", "n_joined", "n_judgments", "depth",
                   "ties", "notices"):  # fmt: skip
        assert getattr(small, member) == getattr(full, member)


def write(folder: Path, qrels: Any, run: Any) -> tuple[Path, Path]:
    judged = [f"{q} 0 {t} {g}\n" for q, grades in qrels.items() for t, g in grades.items()]
    found = [f"{q} Q0 {t} {n} {s} tag\n" for q, r in run.items() for n, (t, s) in enumerate(r.items())]
    (folder / "set.qrels").write_text("".join(judged))
    (folder / "a.run").write_text("".join(found))
    return folder / "set.qrels", folder / "a.run"


@given(
    st.dictionaries(
        st.text("qrs", min_size=1),
        st.tuples(
            st.dictionaries(TARGETS, st.integers(0, 3), min_size=1),
            st.dictionaries(TARGETS, st.sampled_from([0.0, -0.0, 0.5, 1 / 3, 1e-9, 7.0]), min_size=1),
        ),
        min_size=1,
    )
)
def test_small_inputs_score_as_large_ones_to_the_last_bit(queries: Any) -> None:
    qrels = {query: judged for query, (judged, _) in queries.items()}
    run = {query: found for query, (_, found) in queries.items()}
    small = score_small(qrels, run, MEASURES)
    if small is None:  # of a poor join more is said than is looked for here
        joined = sum(len(qrels[query].keys() & run[query].keys()) for query in qrels)
        assert 2 * joined <= sum(map(len, qrels.values()))
    else:
        assert_same(small, in_full(qrels, run))


def test_small_files_score_as_large_ones(tmp_path: Path) -> None:
    paths = write(tmp_path, QRELS, RUN)
    small = score_small(*paths, MEASURES)
    assert small is not None
    assert_same(small, in_full(*paths))
    assert_same(score(*paths, MEASURES.split(",")), in_full(*paths))


@pytest.mark.parametrize("family", sorted(OF_ONE))
def test_each_formula_is_that_of_its_family(family: str) -> None:
    name = f"{family}@3" if family in NEED_CUT else family
    small = score_small(QRELS, RUN, name)
    assert small is not None
    (values,) = compute(join_dicts(Qrels.from_dict(QRELS), RUN).judged, [parse_measure(name)]).values()
    np.testing.assert_array_equal(small.values[name], values)


ODD: dict[str, tuple[str, str]] = {
    "comment": ("# made by hand\n1 0 a 1\n", "1 Q0 a 1 1.0 t\n"),
    "tab": ("1\t0\ta\t1\n", "1 Q0 a 1 1.0 t\n"),
    "carriage return": ("1 0 a 1\r\n", "1 Q0 a 1 1.0 t\n"),
    "blank line": ("1 0 a 1\n\n", "1 Q0 a 1 1.0 t\n"),
    "judged twice": ("1 0 a 1\n1 0 a 1\n", "1 Q0 a 1 1.0 t\n"),
    "negative grade": ("1 0 a 1\n1 0 b -1\n", "1 Q0 a 1 1.0 t\n"),
    "huge grade": ("1 0 a 1234567890\n", "1 Q0 a 1 1.0 t\n"),
    "three columns": ("1 a 1\n", "1 Q0 a 1 1.0 t\n"),
    "retrieved twice": ("1 0 a 1\n", "1 Q0 a 1 1.0 t\n1 Q0 a 2 0.5 t\n"),
    "not finite": ("1 0 a 1\n", "1 Q0 a 1 1e999 t\n"),
    "no number": ("1 0 a 1\n", "1 Q0 a 1 nan t\n"),
    "decimal comma": ("1 0 a 1\n", "1 Q0 a 1 0,5 t\n"),
    "rank is no number": ("1 0 a 1\n", "1 Q0 a x 0.5 t\n"),
    "tag with a space": ("1 0 a 1\n", "1 Q0 a 1 0.5 t t\n"),
    "missing query": ("1 0 a 1\n2 0 a 1\n", "1 Q0 a 1 1.0 t\n"),
    "extra query": ("1 0 a 1\n", "1 Q0 a 1 1.0 t\n2 Q0 a 1 1.0 t\n"),
    "own id": ("1 0 a 1\n", "1 Q0 a 1 1.0 t\n1 Q0 1 1 1.0 t\n"),
    "poor join": ("1 0 a 1\n1 0 A 1\n", "1 Q0 a 1 1.0 t\n"),
    "no UTF-8": ("1 0 a 1\n", "1 Q0 \udcff 1 1.0 t\n"),
    "empty": ("", "1 Q0 a 1 1.0 t\n"),
    "binary": ("1 0 a 1\n\0", "1 Q0 a 1 1.0 t\n"),
}


@pytest.mark.parametrize("case", sorted(ODD))
def test_files_of_which_something_is_to_be_said_go_the_long_way(case: str, tmp_path: Path) -> None:
    for name, text in zip(("set.qrels", "a.run"), ODD[case], strict=True):
        (tmp_path / name).write_bytes(text.encode(errors="surrogateescape"))
    assert score_small(tmp_path / "set.qrels", tmp_path / "a.run", "AP") is None


ODD_DICTS: dict[str, tuple[Any, Any]] = {
    "grade is no integer": ({"1": {"a": 1.0}}, {"1": {"a": 1.0}}),
    "grade is a truth": ({"1": {"a": True}}, {"1": {"a": 1.0}}),
    "score is an integer": ({"1": {"a": 1}}, {"1": {"a": 1}}),
    "score is not finite": ({"1": {"a": 1}}, {"1": {"a": float("nan")}}),
    "empty id": ({"1": {"": 1}}, {"1": {"": 1.0}}),
    "no results": ({"1": {"a": 1}}, {"1": {}}),
    "lists": ({"1": {"a": 1}}, {"1": ["a"]}),
    "no dicts": ([], 3),
    "many results": ({"1": {"a": 1}}, {"1": {"a": 1.0, **{f"b{n}": 0.5 for n in range(5_000)}}}),
}


@pytest.mark.parametrize("case", sorted(ODD_DICTS))
def test_dicts_of_which_something_is_to_be_said_go_the_long_way(case: str) -> None:
    assert score_small(*ODD_DICTS[case], "AP") is None


@pytest.mark.parametrize("name", ["a.run", "nothing", "."])
def test_large_and_missing_files_go_the_long_way(name: str, tmp_path: Path) -> None:
    qrels, run = write(tmp_path, QRELS, RUN)
    run.write_text("".join(f"1 Q0 a{n} 1 1.0 t\n" for n in range(20_000)))
    assert score_small(qrels, tmp_path / name, "AP") is None
    run.write_bytes(gzip.compress(run.read_bytes()))
    assert score_small(qrels, tmp_path / name, "AP") is None


@pytest.mark.parametrize("measures", ["ndcg@10", "AP,Bpref", "P", "P@010", "R@-1", "ERR@5", "", 3])
def test_measures_by_other_names_go_the_long_way(measures: Any) -> None:
    assert score_small(QRELS, RUN, measures) is None


def test_options_go_the_long_way() -> None:
    run = {"1": {"x": 1.0, "a": 1.0}}
    assert score({"1": {"a": 1}}, run, "RR")["RR"] == 1 / 2
    assert score({"1": {"a": 1}}, run, "P@1", max_results=1)["P@1"] == 0
    assert score({"1": {"x": 1}}, {"1": {"x": 1.0, "y": 1.0}}, "RR", ties="system")["RR"] == 1


def test_options_of_the_wrong_kind_are_refused_as_ever() -> None:
    with pytest.raises(InputError, match="gains must be a mapping"):
        score(QRELS, RUN, gains=np.array([1, 2]))  # type: ignore[arg-type]


def test_measures_that_come_but_once_are_kept_for_the_long_way() -> None:
    assert list(score(QRELS, RUN, (name for name in ("AP", "Bpref"))).means) == ["AP", "Bpref"]


def test_scoring_ten_queries_imports_no_numpy(tmp_path: Path) -> None:
    qrels, run = write(tmp_path, QRELS, RUN)
    program = (
        f"import rankle, sys; print(rankle.score({str(qrels)!r}, {str(run)!r})['RR'], 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"{(1 / 3 + 1) / 2} False\n"
