import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import isnan
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankle
from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError, MeasureError, UnknownNameError
from rankle.core.search import Hit, Passage, SearchResult
from rankle.harness.evals.scorer import Scorer
from rankle.metrics.engine import compute
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import parse_measure
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

TARGETS = [f"d{n}" for n in range(8)]
RANKINGS = st.lists(st.sampled_from([*TARGETS, "u1", "u2"]), max_size=12)
JUDGMENTS = st.dictionaries(st.sampled_from(TARGETS), st.integers(-1, 4), max_size=8)

MADE: Mapping[str, Scorer] = {
    "R@5": scorers.recall(5),
    "R(rel=2)@3": scorers.recall(3, rel=2),
    "P@3": scorers.precision(3),
    "nDCG@10": scorers.ndcg(10),
    "nDCG": scorers.ndcg(),
    "nDCG(gain=exp2)@10": scorers.ndcg(10, gain="exp2"),
    "nDCG(rel=2,gain=exp2)@4": scorers.ndcg(4, gain="exp2", rel=2),
    "RR": scorers.rr(),
    "RR@2": scorers.mrr(2),
    "AP": scorers.ap(),
    "AP@3": scorers.ap(3),
    "Hit@1": scorers.hit_rate(1),
    "Hit": scorers.hit_rate(),
    "F1@5": scorers.f1(5),
    "F1": scorers.f1(),
    "R_cap@2": scorers.r_cap(2),
    "Rprec": scorers.rprec(),
    "Bpref": scorers.bpref(),
    "infAP": scorers.measure("infAP"),
    "RBP(p=0.8)": scorers.rbp(),
    "RBP(p=0.5)@4": scorers.rbp(0.5, k=4),
    "RBP_resid(p=0.8)": scorers.measure("rbp_residual"),
    "ERR@5": scorers.err(5),
    "ERR(max=5)": scorers.err(max=5),
    "Judged@5": scorers.judged(5),
    "Judged": scorers.judged(),
    "SetP": scorers.set_precision(),
    "SetR": scorers.set_recall(),
}
every_measure = pytest.mark.parametrize("name", MADE)


@every_measure
def test_a_scorer_is_called_by_the_canonical_name_of_its_measure(name: str) -> None:
    assert MADE[name].name == name == str(parse_measure(name))
    by_name = scorers.measure(name)
    assert (by_name.name, by_name.call, by_name.description) == (
        name, MADE[name].call, MADE[name].description,
    )  # fmt: skip


@given(cases=st.lists(st.tuples(RANKINGS, JUDGMENTS), min_size=1, max_size=5))
def test_values_are_those_of_rankle_score_to_the_last_digit(
    cases: list[tuple[list[str], dict[str, int]]],
) -> None:
    """With ids that occur twice or are unjudged, without results, without a relevant judgment."""
    cases = [*cases, (["d1"], {"d1": 1})]  # rankle score refuses qrels without any judgment
    run = Run.from_lists({str(n): ids for n, (ids, _) in enumerate(cases)})
    qrels = Qrels.from_dict({str(n): grades for n, (_, grades) in enumerate(cases)})
    scores = rankle.score(qrels, run, MADE, ties="system")
    for name, scorer in MADE.items():
        for (ids, grades), value in zip(cases, scores.values[name].tolist(), strict=True):
            score = said(scorer, output=ids, expected=grades)
            if isnan(value):
                assert (name, score.value, score.reason) == (name, None, "no relevant judgment")
            else:
                assert (name, score.value) == (name, value)
                assert 0 <= value <= 1


@given(ids=RANKINGS, grades=JUDGMENTS, relevant=st.lists(st.sampled_from(TARGETS), unique=True, min_size=1))
def test_a_relevant_set_beside_grades_decides_for_binary_measures(
    ids: list[str], grades: dict[str, int], relevant: list[str]
) -> None:
    entries = [{"docid": name, "relevance": grade} for name, grade in grades.items()]
    expected = {"relevantDocs": relevant, "judgments": entries}
    stated = frozenset(relevant) if grades else None
    known = grades or dict.fromkeys(relevant, 1)
    judged = JudgedRanks.from_lists([ids], [known], relevant=[stated])
    values = compute(judged, list(map(parse_measure, MADE)))
    for name, scorer in MADE.items():
        value = float(values[parse_measure(name)][0])
        score = said(scorer, output=ids, expected=expected)
        assert (name, score.value) == (name, None if isnan(value) else value)
        by_grades = said(scorers.measure(name, relevance="judgments"), output=ids, expected=expected)
        assert by_grades == said(scorer, output=ids, expected=known)


FORMS: Mapping[str, Any] = {
    "ids": ["a", "b"],
    "tuple": ("a", "b"),
    "mapping of grades": {"a": 1, "b": 1},
    "booleans": {"a": True, "b": True, "c": False},
    "integral floats": {"a": 1.0, "b": 1.0},
    "docid and relevance": [{"docid": "a", "relevance": 1}, {"docid": "b", "relevance": 1}],
    "id and grade": [{"id": "a", "grade": 1}, {"id": "b", "grade": 1}],
    "document": [{"document": "a"}, {"document": "b", "relevance": 1}],
    "mixed": ["a", {"document": "b"}],
    "relevantDocs": {"relevantDocs": ["a", "b"]},
    "relevant, as in a set of ours": {"relevant": ["a", {"document": "b", "relevance": 1}]},
    "judgments": {"judgments": [{"docid": "a", "relevance": 1}, {"docid": "b", "relevance": 1}]},
    "judgments by id": {"judgments": {"a": 1, "b": 1, "c": 0}},
    "empty judgments": {"relevantDocs": ["a", "b"], "judgments": []},
    "passages of documents": [
        {"document": "a", "quote": "x"}, {"document": "a", "quote": "y", "relevance": 0}, "b",
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_expectations_are_read_in_every_form(form: str) -> None:
    score = said(scorers.recall(2, level="document"), output=["b", "c", "a"], expected=FORMS[form])
    assert (score.value, score.metadata) == (0.5, {"k": 2, "hits": 1, "total": 2})


def test_one_id_alone_is_an_expectation() -> None:
    assert said(scorers.rr(), output=["b", "a"], expected="a").value == 0.5
    assert said(scorers.rr(), output=[8, 7], expected=7).value == 0.5
    assert said(scorers.rr(), output=["b", "a"], expected={"docid": "a", "relevance": 2}).value == 0.5


def hit(document: str, *, chunk: str, rank: int = 1, start: int = 0, text: str = "text") -> Hit:
    passage = Passage(chunk, document, (), text, start, start + len(text), 1, 1)
    return Hit(chunk, document, 1.0 / rank, rank, (chunk,), passage)


HITS = (
    hit("x.md", chunk="chunk-000000000001", rank=1),
    hit("x.md", chunk="chunk-000000000002", rank=2),
    hit("a.md", chunk="chunk-000000000003", rank=3),
)
OUTPUTS: Mapping[str, Any] = {
    "hits of ours": list(HITS),
    "a search result": SearchResult("q", "fts5", HITS, (), 1.0),
    "hits as JSON keeps them": [asdict(each) for each in HITS],
    "ids": ["x.md", "a.md"],
    "repeated ids": ["x.md", "x.md", "a.md"],
    "pairs": [("x.md", 2.0), ("a.md", 1)],
    "pairs of hits": [(HITS[0], 0.3), (HITS[2], 0.9)],
    "pairs as JSON keeps them": [["x.md", 0.5], ["a.md", 0.4]],
    "docid": [{"docid": "x.md"}, {"docid": "a.md"}],
    "id": [{"id": "x.md", "score": 1}, {"id": "a.md"}],
    "document": [{"document": "x.md", "id": "7"}, {"document": "a.md", "id": "8"}],
    "docids": {"docids": ["x.md", "a.md"], "took": 3},
    "results": {"results": [{"docid": "x.md"}, {"docid": "a.md"}]},
    "hits": {"hits": [{"id": "x.md"}, {"id": "a.md"}]},
    "an array": np.array(["x.md", "a.md"]),
    "a column": pl.Series(["x.md", "a.md"]),
    "keys of a mapping": {"x.md": 0.9, "a.md": 0.8}.keys(),
}


@pytest.mark.parametrize("form", OUTPUTS)
def test_outputs_are_read_in_every_form_and_grouped_by_document(form: str) -> None:
    score = said(scorers.rr(), output=OUTPUTS[form], expected=["a.md"])
    assert (score.value, score.metadata) == (0.5, {"k": None, "rank": 2})


@pytest.mark.parametrize("output", [list(HITS), [asdict(each) for each in HITS]], ids=["objects", "JSON"])
@pytest.mark.parametrize("level", ["chunk", None])
def test_chunks_are_ranked_where_chunks_are_expected(output: list[Any], level: Any) -> None:
    score = said(scorers.rr(level=level), output=output, expected=["chunk-000000000003"])
    assert score.value == pytest.approx(1 / 3)


def test_a_hit_grouped_by_document_stands_for_its_best_chunk() -> None:
    grouped = Hit("a.md", "a.md", 1.0, 1, ("chunk-000000000009", "chunk-000000000003"))
    entry = [{"document": "a.md", "chunk": "chunk-000000000009", "relevance": 2}]
    assert said(scorers.rr(), output=[grouped], expected=entry).value == 1.0


def test_selectors_pick_the_lists() -> None:
    output, expected = {"answer": "…", "sources": [{"ref": "x"}, {"ref": "a"}]}, {"gold": {"docs": ["a"]}}
    by_text = scorers.rr(output="sources[].ref", expected="gold.docs")
    by_function = scorers.rr(
        output=lambda value: [each["ref"] for each in value["sources"]],
        expected=lambda value: value["gold"]["docs"],
    )
    for scorer in (by_text, by_function):
        assert said(scorer, output=output, expected=expected).value == 0.5


@pytest.mark.parametrize("expected", [None, [], {}, {"a": 0}, {"relevantDocs": []}, {"a": -1}])
@pytest.mark.parametrize("make", [scorers.recall, scorers.ndcg, scorers.f1, scorers.err])
def test_without_a_relevant_judgment_it_does_not_apply(make: Callable[[int], Scorer], expected: Any) -> None:
    score = said(make(5), output=["a"], expected=expected)
    assert (score.value, score.reason) == (None, "no relevant judgment")


def test_an_output_without_results_scores_0() -> None:
    assert said(scorers.recall(5), output=[], expected=["a"]).value == 0.0


@pytest.mark.parametrize(
    ("scorer", "metadata"),
    [
        (scorers.recall(2), {"k": 2, "hits": 1, "total": 2}),
        (scorers.precision(2), {"k": 2, "hits": 1}),
        (scorers.rr(), {"k": None, "rank": 2}),
        (scorers.ap(3), {"k": 3, "hits": 2, "total": 2}),
        (scorers.hit_rate(1), {"k": 1, "hits": 0}),
        (scorers.f1(3), {"k": 3, "hits": 2, "total": 2, "retrieved": 3}),
        (scorers.r_cap(1), {"k": 1, "hits": 0, "total": 2}),
        (scorers.rprec(), {"hits": 1, "total": 2}),
        (scorers.bpref(), {"hits": 2, "total": 2, "judged": 3}),
        (scorers.rbp(0.5), {"k": None, "hits": 2, "p": 0.5}),
        (scorers.err(2), {"k": 2, "hits": 1, "max": 4}),
        (scorers.judged(2), {"k": 2, "judged": 2}),
        (scorers.set_precision(), {"hits": 2, "retrieved": 3}),
        (scorers.set_recall(), {"hits": 2, "total": 2}),
    ],
    ids=lambda value: value.name if isinstance(value, Scorer) else "",
)
def test_metadata_tells_what_the_figure_is_made_of(scorer: Scorer, metadata: dict[str, Any]) -> None:
    score = said(scorer, output=["c", "a", "b"], expected={"a": 2, "b": 1, "c": 0})
    assert score.metadata == metadata


@pytest.mark.parametrize("gain", ["linear", "exp2"])
@pytest.mark.parametrize("rel", [1, 2])
def test_ndcg_tells_both_gains(gain: Any, rel: int) -> None:
    score = said(
        scorers.ndcg(3, gain=gain, rel=rel), output=["c", "a", "b"], expected={"a": 3, "b": 1, "c": 0, "d": 2}
    )
    worth = {"linear": [0, 1, 2, 3], "exp2": [0, 1, 3, 7]}[gain]
    low = worth[1] if rel == 1 else 0
    dcg = worth[3] / 1.5849625007211562 + low / 2
    idcg = worth[3] + worth[2] / 1.5849625007211562 + low / 2
    assert score.metadata == {"k": 3, "dcg": pytest.approx(dcg), "idcg": pytest.approx(idcg)}
    assert score.value == score.metadata["dcg"] / score.metadata["idcg"]


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (3.5, r"the output must be a list, best first.*got 3\.5 \(float\)"),
        ("a.md", r"got 'a\.md' \(str\)"),
        (None, r"got None \(NoneType\)"),
        ({"a", "b"}, "which has no order"),
        (pl.DataFrame({"id": ["a"]}), "DataFrame"),
        (SimpleNamespace(x=1), "SimpleNamespace"),
        ({"a": 0.5, "b": 0.1}, "sorted\\(output, key=output.get, reverse=True\\)"),
        ({"answer": "a"}, "mapping with one of docids, results, hits"),
        ((name for name in "ab"), r"\(generator\)"),
        ([["a", "b"]], "result 1 of the output has no id at document level"),
        (
            [{"metadata": {"source": "a"}, "page_content": "x"}],
            r"or id; return ids, such as \[each\.metadata\['source'\] for each in found\]; got",
        ),
        (["a", " "], "result 2 of the output has no id"),
        (["a", 0.5], "result 2 .* got 0.5"),
        (["a", True], "result 2 .* got True"),
        ([{"chunk": "c"}], "needs to be an id or to have document, docid, doc_id or id"),
    ],
)  # fmt: skip
def test_an_output_that_ranks_nothing_is_an_error(output: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        said(scorers.recall(5), output=output, expected=["a"])


@pytest.mark.parametrize(
    ("expected", "says"),
    [
        (3.5, r"what is expected must be ids.*got 3\.5"),
        ({"a": 0.5}, 'the grade of "a" must be a whole number >= 0, got 0.5'),
        ({"a": "high"}, 'the grade of "a" .* got \'high\''),
        ([["a"]], r"got an entry \['a'\]"),
        ([{"name": "a"}], "got an entry"),
        (["a", {"docid": "a", "relevance": 2}], '"a" is judged twice, with grades 1 and 2'),
        (["a", {"chunk": "c"}, {"document": "d"}], "names chunk and document targets; choose one"),
    ],
)  # fmt: skip
def test_an_expectation_that_cannot_be_read_is_an_error(expected: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        said(scorers.recall(5), output=["a"], expected=expected)


def test_chunk_ids_have_no_document() -> None:
    with pytest.raises(InputError, match="has no document id"):
        said(scorers.recall(5, level="document"), output=["a"], expected=["chunk-000000000003"])


def test_grades_beyond_the_scale_are_an_error() -> None:
    with pytest.raises(MeasureError, match="ERR\\(max=9\\)"):
        said(scorers.err(5), output=["a"], expected={"a": 9})
    with pytest.raises(MeasureError, match="gain=exp2 takes grades up to 1000"):
        said(scorers.ndcg(5, gain="exp2"), output=["a"], expected={"a": 1001})


def odd(**options: Any) -> Any:
    """Arguments that a type checker would not let through."""
    return options


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: scorers.recall(0), MeasureError, "must be an integer from 1"),
        (lambda: scorers.recall(True), MeasureError, "must be an integer from 1"),
        (lambda: scorers.ndcg(5, **odd(gain="log")), MeasureError, "must be linear or exp2"),
        (lambda: scorers.rbp(2.0), MeasureError, "between 0 and 1"),
        (lambda: scorers.measure("recal@5"), MeasureError, 'did you mean "R@5"'),
        (lambda: scorers.measure("R"), MeasureError, "R needs a cut"),
        (lambda: scorers.measure(*odd(text=5).values()), MeasureError, "named by text"),
        (lambda: scorers.recall(5, **odd(outputs="x")), UnknownNameError, 'did you mean "output"'),
        (
            lambda: scorers.recall(5, **odd(level="page")),
            InputError,
            "chunk, document, span or None, got 'page'",
        ),
        (lambda: scorers.recall(5, **odd(relevance="x")), InputError, "relevantDocs or judgments, got 'x'"),
        (lambda: scorers.recall(5, output="a["), InputError, "output= is no JMESPath expression"),
        (lambda: scorers.recall(5, **odd(expected=7)), InputError, "expected= is a function"),
        (lambda: scorers.recall(5, weight=-1), InputError, "weight >= 0"),
    ],
)
def test_options_that_make_no_sense_are_refused_when_they_are_written(
    make: Callable[[], Scorer], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        make()


def test_name_and_weight_are_the_authors() -> None:
    scorer = scorers.recall(5, name="found", weight=2)
    assert (scorer.name, scorer.weight) == ("found", 2)


@every_measure
def test_each_is_described_in_a_line(name: str) -> None:
    description = MADE[name].description
    assert description
    assert description[0].isupper() or description[0].isdigit()
    assert "{" not in description
    assert "\n" not in description
    assert len(description) <= 110


@pytest.mark.parametrize(
    ("scorer", "line"),
    [
        (scorers.recall(1), "Share of all relevant targets that the first result finds"),
        (scorers.recall(2), "Share of all relevant targets that the first 2 results find"),
        (scorers.hit_rate(1), "Whether anything relevant is at the first place"),
        (scorers.hit_rate(), "Whether anything relevant is among all results"),
        (scorers.precision(1), "Share of the first place that holds a relevant result"),
    ],
)
def test_one_result_is_spoken_of_as_one(scorer: Scorer, line: str) -> None:
    assert scorer.description == line


def test_common_measures_need_no_numpy() -> None:
    program = (
        "import sys\n"
        "from rankle.scorers import ap, exact, hit_rate, ndcg, precision, recall, rr\n"
        "from rankle.harness.evals.score import ScoreContext\n"
        "context = ScoreContext(None, ['a', 'b'], {'b': 2}, {}, (), 1.0, 0, 'case-1')\n"
        "made = [recall(5), precision(5), ndcg(5, gain='exp2'), rr(), ap(), hit_rate(1), exact()]\n"
        "print([scorer(context).value for scorer in made])\n"
        "print(sorted({'numpy', 'polars', 'jmespath', 'rapidfuzz', 'jsonschema'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["[1.0, 0.2, 0.6309297535714574, 0.5, 0.5, 0.0, False]", "[]"]
