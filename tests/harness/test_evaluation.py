# ruff: noqa: E501  (tables and messages stand whole)
"""One evaluation end to end over a scripted system, every figure worked out by hand."""

import asyncio
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.hand_worked import RECORDS, STAMP, scripted_clock, scripted_system, write_set
from fakes.scripted_system import ScriptedSystem
from rankle.core.errors import CannotMeasureError, InputError, MeasureError, UnknownNameError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level
from rankle.core.run import RunReport
from rankle.formats.eval_set import read_eval_set
from rankle.harness.evaluation import evaluate_system
from rankle.harness.settings import Settings
from rankle.metrics.measure import parse_measure

AT_1_3 = Settings(k=(1, 3))
N = (1 / math.log2(3)) / (1 + 1 / math.log2(3))


def run(eval_set: EvalSet, system: ScriptedSystem, settings: Settings = AT_1_3, **options: Any) -> RunReport:
    given: dict[str, Any] = {"clock": lambda: 0.0, "on_progress": lambda done, total: None} | options
    return asyncio.run(evaluate_system(eval_set, system, settings, stamp=STAMP, **given))


def simple(*labels: Label, n: int = 1) -> EvalSet:
    queries = tuple(EvalQuery(str(number), f"q{number}", labels) for number in range(1, n + 1))
    return EvalSet("set", queries)


@pytest.fixture
def report(tmp_path: Path) -> RunReport:
    return run(read_eval_set(write_set(tmp_path)), scripted_system(), clock=scripted_clock())


def test_every_mean_is_the_hand_worked_one(report: RunReport) -> None:
    means = {name: summary.mean for name, summary in report.measures.items()}
    assert means == pytest.approx(
        {
            "R@1": 1 / 4,
            "R@3": 3 / 8,
            "P@1": 1 / 4,
            "P@3": 1 / 6,
            "RR@3": 3 / 8,
            "nDCG@1": 1 / 4,
            "nDCG@3": (1 + N) / 4,
            "Hit@1": 1 / 4,
            "Hit@3": 1 / 2,
            "Judged@3": 1 / 6,
        },
        abs=1e-12,
    )
    assert list(means) == [
        "R@1",
        "R@3",
        "P@1",
        "P@3",
        "RR@3",
        "nDCG@1",
        "nDCG@3",
        "Hit@1",
        "Hit@3",
        "Judged@3",
    ]


def test_every_mean_has_its_denominator(report: RunReport) -> None:
    counts = {
        name: (summary.n_scored, summary.n_undefined, summary.n_failed, summary.n_missing)
        for name, summary in report.measures.items()
    }
    assert set(counts.values()) == {(4, 1, 1, 0)}


def test_hit_rates_have_wilson_intervals(report: RunReport) -> None:
    hit = report.measures["Hit@3"]
    # Wilson at 2 of 4: (0.5 + z²/8 ± z sqrt(1/16 + z²/64)) / (1 + z²/4) with z = 1.95996.
    assert (hit.low, hit.high) == pytest.approx((0.150039, 0.849961), abs=1e-6)


def test_every_query_has_its_scores_ranks_and_fate(report: RunReport) -> None:
    queries = {query.id: query for query in report.queries}
    assert list(queries) == ["one", "two", "three", "four", "five", "six"]
    assert [query.status for query in report.queries] == [
        "scored", "scored", "scored", "undefined", "failed", "scored",
    ]  # fmt: skip
    assert [query.first_relevant_rank for query in report.queries] == [1, 2, None, None, None, None]
    assert queries["two"].scores == pytest.approx(
        {
            "R@1": 0, "R@3": 1 / 2, "P@1": 0, "P@3": 1 / 3, "RR@3": 1 / 2, "nDCG@1": 0, "nDCG@3": N,
            "Hit@1": 0, "Hit@3": 1, "Judged@3": 1 / 3,
        }
    )  # fmt: skip
    assert queries["four"].scores == {}
    assert queries["five"].scores == {}
    assert queries["five"].error == "RuntimeError: boom"
    fates = {
        query.id: [(t.id, t.rank, t.rank_at, t.lost_at) for t in query.targets] for query in report.queries
    }
    assert fates == {
        "one": [("a.md", 1, {"fts5": 1}, None)],
        "two": [("a.md", 4, {"fts5": 4}, "below k"), ("b.md", 2, {"fts5": 2}, None)],
        "three": [("gone.md", None, {}, "not indexed")],
        "four": [],
        "five": [("a.md", None, {}, None)],
        "six": [("c.md", None, {}, "no candidate list")],
    }
    assert [(r.rank, r.id, r.score, r.grade) for r in queries["two"].results] == [
        (1, "c.md", 1.0, None), (2, "b.md", 1 / 2, 1), (3, "d.md", 1 / 3, None), (4, "a.md", 1 / 4, 1),
    ]  # fmt: skip
    assert (queries["one"].tags, queries["one"].language) == (["easy"], "en")


def test_latency_is_measured_over_the_answered_queries(report: RunReport) -> None:
    assert (report.latency_ms.p50, report.latency_ms.p95) == pytest.approx((3.0, 10.0))
    assert [query.took_ms for query in report.queries] == pytest.approx([1, 2, 3, 4, None, 10])


def test_documents_stand_with_the_share_of_their_queries_that_find_them(report: RunReport) -> None:
    rates = [(d.id, d.n_found, d.n_queries, d.hit_rate) for d in report.documents]
    assert rates == [("c.md", 0, 1, 0.0), ("gone.md", 0, 1, 0.0), ("a.md", 1, 2, 0.5), ("b.md", 1, 1, 1.0)]


def test_the_record_says_what_was_measured(report: RunReport, tmp_path: Path) -> None:
    assert (report.id, report.created) == ("0123456789ab", "2026-11-30T09:00:00Z")
    assert (report.set.name, report.set.n_queries, report.set.n_in_file) == ("set.jsonl", 6, 6)
    assert report.set.fingerprint == read_eval_set(write_set(tmp_path)).fingerprint
    assert (report.level, report.depth, report.k, report.ties) == ("document", 100, [1, 3], "system")
    assert (report.system.name, report.system.method, report.system.stages) == ("scripted", "fts5", ["fts5"])
    assert (report.labels.n_labels, report.labels.n_joined, report.labels.unknown) == (6, 5, ["gone.md"])
    assert report.notices == [
        'labels that name nothing in the index: 1 of 6, counted as not found: "gone.md" (line 3)'
    ]


@pytest.mark.parametrize("concurrency", [1, 2, 10])
def test_concurrency_changes_no_figure(tmp_path: Path, report: RunReport, concurrency: int) -> None:
    settings = Settings(k=(1, 3), concurrency=concurrency)
    other = run(read_eval_set(write_set(tmp_path)), scripted_system(), settings)
    assert other.measures == report.measures
    assert [query.results for query in other.queries] == [query.results for query in report.queries]


def test_the_order_of_queries_changes_no_mean(tmp_path: Path, report: RunReport) -> None:
    eval_set = read_eval_set(write_set(tmp_path))
    turned = replace(eval_set, queries=eval_set.queries[::-1])
    means = {name: summary.mean for name, summary in run(turned, scripted_system()).measures.items()}
    assert means == pytest.approx({name: summary.mean for name, summary in report.measures.items()})


def test_progress_is_told_after_each_query(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    run(
        read_eval_set(write_set(tmp_path)),
        scripted_system(),
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(done, 6) for done in range(1, 7)]


def test_the_system_is_asked_for_depth_level_and_collection() -> None:
    system = ScriptedSystem(documents=["a"], collections={"a": "guides"})
    queries = (EvalQuery("1", "x", (Label("a"),), collection="guides"), EvalQuery("2", "y", (Label("a"),)))
    run(EvalSet("s", queries), system, Settings(k=(1,), depth=7))
    assert system.calls == [("x", 7, Level.DOCUMENT, "guides"), ("y", 7, Level.DOCUMENT, None)]


def test_a_repeated_result_counts_once_at_its_best_rank() -> None:
    system = ScriptedSystem({"q1": ["b", "a", "b", "c", "a", "d"]}, documents=["a", "b", "c", "d"])
    report = run(simple(Label("c")), system)
    assert [result.id for result in report.queries[0].results] == ["b", "a", "c", "d"]
    assert report.measures["RR@3"].mean == pytest.approx(1 / 3)
    assert report.n_duplicates_dropped == 2
    assert report.notices == ["results that occurred twice in a list, counted once at the best rank: 2"]


def test_more_results_than_asked_for_are_cut() -> None:
    system = ScriptedSystem({"q1": ["b", "c", "a"]}, documents=["a", "b", "c"])
    report = run(simple(Label("a")), system, Settings(k=(1, 2), depth=2))
    assert [result.id for result in report.queries[0].results] == ["b", "c"]
    assert report.queries[0].targets[0].lost_at == "below k"


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_is_a_failure_of_the_system(score: float) -> None:
    system = ScriptedSystem({"q1": ["b", "a"], "q2": ["b"]}, documents=["a", "b"], scores={"a": score})
    report = run(simple(Label("b"), n=2), system)
    assert [query.status for query in report.queries] == ["failed", "scored"]
    assert report.queries[0].error == f'result 2 ("a") has the score {score}, which is no number'


def test_where_every_query_fails_there_is_a_record_and_no_mean() -> None:
    report = run(
        simple(Label("a"), n=2), ScriptedSystem({"q1": OSError("x"), "q2": OSError("y")}, documents=["a"])
    )
    for summary in report.measures.values():
        assert (summary.mean, summary.low, summary.high, summary.n_failed) == (None, None, None, 2)
    assert (report.latency_ms.p50, report.documents) == (None, [])


def test_a_wrong_question_is_no_failure_of_the_system() -> None:
    system = ScriptedSystem({"q1": InputError("this method needs vectors")}, documents=["a"])
    with pytest.raises(InputError, match="this method needs vectors"):
        run(simple(Label("a")), system)


def test_an_interrupt_is_no_failure_of_the_system() -> None:
    class Interrupted(ScriptedSystem):
        async def search(self, query: str, **options: Any) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(simple(Label("a")), Interrupted(documents=["a"]))


GRADED = {
    "query": "q1",
    "relevantDocs": ["a", "b"],
    "judgments": [
        {"docid": "a", "relevance": 0},
        {"docid": "b", "relevance": 1},
        {"docid": "c", "relevance": 3},
    ],
}


@pytest.mark.parametrize(
    ("relevance", "recall", "relevant"),
    # Results c, a: of the stated set {a, b} one of two is found; of the graded {b, c} also one of two,
    # but at rank 1.
    [
        ("relevantDocs", {"R@1": 0.0, "R@3": 0.5}, ["b", "a"]),
        ("judgments", {"R@1": 0.5, "R@3": 0.5}, ["b", "c"]),
    ],
)
def test_relevant_docs_feed_the_binary_measures_and_judgments_the_grades(
    tmp_path: Path, relevance: Any, recall: dict[str, float], relevant: Sequence[str]
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(GRADED), encoding="utf-8")
    report = run(
        read_eval_set(path, relevance=relevance),
        ScriptedSystem({"q1": ["c", "a"]}, documents=["a", "b", "c"]),
    )
    scores = report.queries[0].scores
    assert {name: scores[name] for name in ("R@1", "R@3")} == recall
    # DCG@3 = 3; the ideal is 3 + 1 / log2 3, whatever is stated beside the grades.
    assert scores["nDCG@3"] == pytest.approx(3 / (3 + 1 / math.log2(3)))
    assert sorted(target.id for target in report.queries[0].targets if target.relevant) == sorted(relevant)


def test_a_negative_grade_is_unjudged() -> None:
    labels = (Label("a", None, -1), Label("b", None, 1))
    report = run(simple(*labels), ScriptedSystem({"q1": ["a", "b"]}, documents=["a", "b"]), Settings(k=(2,)))
    assert [(result.id, result.grade) for result in report.queries[0].results] == [("a", None), ("b", 1)]
    assert [target.id for target in report.queries[0].targets] == ["b"]
    assert report.measures["Judged@2"].mean == pytest.approx(1 / 2)


def test_chunks_are_scored_at_their_own_level_and_documents_by_their_chunks() -> None:
    chunks = {"chunk-aaaaaaaaaaaa": "a.md", "chunk-bbbbbbbbbbbb": "a.md"}
    labels = (Label("chunk-aaaaaaaaaaaa"), Label("chunk-bbbbbbbbbbbb"))
    system = ScriptedSystem({"q1": ["chunk-bbbbbbbbbbbb"]}, documents=["a.md"], chunks=chunks)
    report = run(simple(*labels), system, Settings(k=(1,)))
    assert (report.level, report.measures["R@1"].mean) == ("chunk", 0.5)
    assert [(result.id, result.document) for result in report.queries[0].results] == [
        ("chunk-bbbbbbbbbbbb", "a.md")
    ]
    assert [(d.id, d.n_found, d.n_queries) for d in report.documents] == [("a.md", 1, 1)]
    by_document = run(
        simple(*labels),
        ScriptedSystem({"q1": ["a.md"]}, documents=["a.md"], chunks=chunks),
        Settings(k=(1,), level=Level.DOCUMENT),
    )
    assert (by_document.level, by_document.measures["R@1"].mean) == ("document", 1.0)


def test_max_queries_asks_the_first_ones_only(tmp_path: Path) -> None:
    system = scripted_system()
    report = run(read_eval_set(write_set(tmp_path)), system, Settings(k=(1, 3), max_queries=2))
    assert [query.id for query in report.queries] == ["one", "two"]
    assert (report.set.n_queries, report.set.n_in_file, len(system.calls)) == (2, 6, 2)
    assert report.notices == ["only the first 2 of 6 queries were asked (--max-queries)"]


def in_collections(*names: str | None) -> EvalSet:
    queries = tuple(
        EvalQuery(str(n), f"q{n}", (Label("a"),), collection=name) for n, name in enumerate(names)
    )
    return EvalSet("set.jsonl", queries)


def test_a_collection_leaves_out_the_queries_of_others() -> None:
    system = ScriptedSystem(documents=["a", "b"], collections={"a": "guides"})
    report = run(in_collections("guides", None, "default"), system, Settings(k=(1,), collection="guides"))
    assert [(query.id, query.collection) for query in report.queries] == [("0", "guides"), ("1", None)]
    assert [call[3] for call in system.calls] == ["guides", "guides"]
    assert report.notices == ["queries left out because they name another collection: 1"]


def test_collections_that_do_not_exist_are_named() -> None:
    system = ScriptedSystem(documents=["a"], collections={"a": "guides"})
    with pytest.raises(UnknownNameError) as flag:
        run(in_collections(None), system, Settings(collection="guide"))
    assert str(flag.value) == 'unknown collection "guide"; did you mean "guides"? There is: "guides"'
    with pytest.raises(InputError) as member:
        run(in_collections(None, "x", "x"), system)
    assert str(member.value) == (
        'set.jsonl: queries that name the unknown collection "x": 2\n'
        '  There is: "guides". Index one with: rankle index PATH --collection NAME'
    )
    with pytest.raises(
        CannotMeasureError, match='every query of the set names another collection than "guides"'
    ):
        run(in_collections("x"), system, Settings(collection="guides"))


def test_a_set_without_a_relevant_label_cannot_be_measured() -> None:
    for eval_set in (simple(), simple(Label("a", None, 0))):
        with pytest.raises(CannotMeasureError, match="no query of set has a relevant label"):
            run(eval_set, ScriptedSystem(documents=["a"]))
    with pytest.raises(CannotMeasureError, match="set holds no query"):
        run(EvalSet("set", ()), ScriptedSystem(documents=["a"]))


def test_grades_that_a_measure_refuses_stop_before_the_system_is_asked() -> None:
    system = ScriptedSystem(documents=["a"])
    with pytest.raises(MeasureError):
        run(simple(Label("a", None, 9)), system, Settings(measures=(parse_measure("ERR@5"),)))
    assert system.calls == []


def test_unanswerable_queries_are_counted_aloud() -> None:
    queries = (EvalQuery("1", "q1", (Label("a"),)), EvalQuery("2", "q2", answerable=False))
    report = run(EvalSet("s", queries), ScriptedSystem(documents=["a"]))
    assert report.queries[1].status == "undefined"
    assert report.notices == ["queries that nothing answers, scored as abstention alone: 1"]


def test_a_system_without_a_catalog_joins_by_id_and_warns_when_nothing_does() -> None:
    found = run(simple(Label("a")), ScriptedSystem({"q1": ["a"]}))
    assert (found.measures["R@1"].mean, found.notices) == (1.0, [])
    assert run(simple(Label("a")), ScriptedSystem({"q1": ["b"]})).notices == [
        (
            "no result has an id that the set labels; check that set and system name things alike: the first "
            'result is "b", the first label "a". Where the answers of a [systems.NAME] have ids elsewhere, its '
            'option id or document says so, such as document = "metadata.source"'
        )
    ]


def test_answers_that_are_all_cut_above_the_deepest_k_are_told_of() -> None:
    def notices(n_results: int, *, n_queries: int = 10, others: int = 0, **known: Any) -> list[str]:
        found = {f"q{n}": [f"a{each}" for each in range(n_results)] for n in range(1, n_queries + 1)}
        found |= {f"q{n}": ["a0", "x", "y", "z"] for n in range(1, others + 1)}
        return run(simple(Label("a0"), n=n_queries), ScriptedSystem(found, **known)).notices

    said = (
        "10 of 10 answers have 2 results: too few for k = 3; what the system does not give counts as not "
        "found. Ask it for more, such as by its page size or its own k"
    )
    assert notices(2) == [said]
    found = {f"q{n}": ["a", "a", "b"] for n in range(1, 11)}
    repeated = run(simple(Label("a"), n=10), ScriptedSystem(found)).notices[1]
    assert "have 3 results, fewer where repeated ones count once: too few for k = 3" in repeated
    assert notices(2, others=1) == [said.replace("10 of 10", "9 of 10")]
    assert notices(2, others=2) == []  # as many as it has
    assert notices(3) == []
    assert notices(2, n_queries=9) == []
    assert notices(2, documents=["a0", "a1"]) == []  # which is all that there is


def test_a_system_that_finds_nothing_for_any_query_is_told() -> None:
    assert run(simple(Label("a")), ScriptedSystem({"q1": []})).notices == [
        "every answer was an empty list; check that the system searches what the set asks about: 1 of 1 queries"
    ]


def test_where_nothing_was_answered_nothing_is_said_of_names() -> None:
    assert run(simple(Label("a")), ScriptedSystem({"q1": RuntimeError("down")})).notices == []


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": ()}, InputError, "k must be one or more integers >= 1, got []"),
        ({"k": (0, 1)}, InputError, "k must be one or more integers >= 1, got [0, 1]"),
        ({"depth": 0}, InputError, "depth must be at least 1, got 0"),
        ({"concurrency": 0}, InputError, "concurrency must be at least 1, got 0"),
        ({"max_queries": -1}, InputError, "max_queries must be at least 1, got -1"),
        (
            {"k": (3,), "measures": (parse_measure("R@1"), parse_measure("R@5"))},
            InputError,
            "k = 3 and the measures, which go to 5, would cut the lists differently; leave k out, or name measures at 3",
        ),
        (
            {"k": (1, 200)},
            InputError,
            "k = 200 is deeper than the 100 results that the system is asked for; raise the depth: --depth 200",
        ),
        (
            {"measures": (parse_measure("R@500"),)},
            MeasureError,
            "R@500 is deeper than the 100 results that the system is asked for; raise the depth: --depth 500",
        ),
    ],
)
def test_settings_that_cannot_be_met_are_refused(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        Settings(**options)
    assert str(caught.value) == message


def test_cuts_are_sorted_and_measures_replace_the_default_ones() -> None:
    asked = (parse_measure("AP"), parse_measure("nDCG@2"), parse_measure("AP"))
    settings = Settings(measures=asked)
    assert (settings.cuts, [str(measure) for measure in settings.all_measures]) == ((2,), ["AP", "nDCG@2"])
    assert Settings(k=(5, 1, 5)).cuts == (1, 5)
    assert [str(measure) for measure in Settings().all_measures] == [
        "R@1", "R@5", "R@10", "P@1", "P@5", "P@10", "RR@10", "nDCG@1", "nDCG@5", "nDCG@10",
        "Hit@1", "Hit@5", "Hit@10", "Judged@10",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("k", "measures", "cuts"),
    [
        (None, "", (1, 5, 10)),
        ((3,), "", (3,)),
        (None, "R@5,P@3", (3, 5)),
        (None, "R@5,AP", (5,)),
        ((5,), "R@5,P@3", (3, 5)),
        (None, "AP", (10,)),
        ((20,), "AP,RR", (20,)),
    ],
)
def test_the_measures_say_how_deep_a_first_hit_may_stand(k: Any, measures: str, cuts: Any) -> None:
    asked = tuple(parse_measure(name) for name in measures.split(",") if name)
    settings = Settings(k=k, measures=asked)
    assert settings.cuts == cuts
    others = [f"d{number}" for number in range(cuts[-1])]
    system = ScriptedSystem({"q1": [*others, "a"]}, documents=[*others, "a"])
    report = run(simple(Label("a")), system, settings)
    assert report.k == list(cuts)
    assert report.queries[0].targets[0].lost_at == "below k"
    assert report.documents[0].hit_rate == 0.0


def test_a_measure_without_a_cut_goes_no_deeper_than_the_depth() -> None:
    assert Settings(measures=(parse_measure("AP"),), depth=5).cuts == (5,)


def test_a_target_in_another_collection_than_was_searched_is_lost_there() -> None:
    system = ScriptedSystem(
        {"q1": ["a"]}, documents=["a", "b", "c"], collections={"a": "guides", "c": "guides"}
    )
    labels = (Label("a"), Label("b"), Label("c"), Label("gone"))
    query = EvalQuery("1", "q1", labels, collection="guides")
    fates = {"a": None, "b": "in another collection", "c": "no candidate list", "gone": "not indexed"}
    by_member = run(EvalSet("s", (query,)), system)
    by_flag = run(simple(*labels), system, Settings(k=(1,), collection="guides"))
    for report in (by_member, by_flag):
        assert {target.id: target.lost_at for target in report.queries[0].targets} == fates


def test_a_chunk_of_another_collection_is_lost_there_too() -> None:
    chunks = {"chunk-aaaaaaaaaaaa": "a", "chunk-bbbbbbbbbbbb": "b"}
    system = ScriptedSystem({}, documents=["a", "b"], chunks=chunks, collections={"a": "guides"})
    report = run(simple(*map(Label, chunks)), system, Settings(k=(1,), collection="guides"))
    assert [target.lost_at for target in report.queries[0].targets] == [
        "no candidate list", "in another collection",
    ]  # fmt: skip


def test_a_stale_chunk_is_no_document() -> None:
    chunks = {"chunk-aaaaaaaaaaaa": "a.md"}
    system = ScriptedSystem({"q1": ["chunk-aaaaaaaaaaaa"]}, documents=["a.md"], chunks=chunks)
    labels = (Label("chunk-aaaaaaaaaaaa"), Label("chunk-bbbbbbbbbbbb"))
    report = run(simple(*labels), system, Settings(k=(1,)))
    assert [document.id for document in report.documents] == ["a.md"]
    assert report.labels.unknown == ["chunk-bbbbbbbbbbbb"]
    assert report.measures["R@1"].mean == 0.5
    without_catalog = run(simple(*labels), ScriptedSystem({"q1": ["chunk-aaaaaaaaaaaa"]}), Settings(k=(1,)))
    assert without_catalog.documents == []
    assert without_catalog.measures["R@1"].mean == 0.5


def test_queries_that_share_their_text_are_counted_among_those_that_are_asked() -> None:
    texts = ["q1", "q2", "q1", "q2", "q1"]
    queries = tuple(EvalQuery(str(n), text, (Label("a"),)) for n, text in enumerate(texts))
    system = ScriptedSystem(documents=["a"])
    words = "queries that share their text with another id: {}; each is scored as its own"
    assert run(EvalSet("s", queries), system).notices == [words.format(5)]
    assert words.format(2) in run(EvalSet("s", queries), system, Settings(max_queries=3)).notices
    (only,) = run(EvalSet("s", queries), system, Settings(max_queries=2)).notices
    assert only.startswith("only the first 2")


def test_what_is_unknown_is_told_first_of_all() -> None:
    queries = tuple(EvalQuery(str(n), "q1", (Label("a"), Label("b"))) for n in range(2))
    report = run(EvalSet("s", queries, notices=("a remark of the reader",)), ScriptedSystem(documents=["a"]))
    assert report.notices[0].startswith("labels that name nothing in the index: 2 of 4")


def test_what_the_system_says_of_itself_and_of_its_searches_is_told() -> None:
    system = ScriptedSystem(
        documents=["a"],
        remarks={"q1": ["no word to search for"] * 2, "q2": ["no word to search for"], "q3": ["other"]},
        described={"notices": ("searched by full text alone",), "settings": {"collapse": True}},
    )
    report = run(simple(Label("a"), n=4), system)
    assert report.notices == [
        "searched by full text alone",
        "search remarked on 2 of 4 queries: no word to search for",
        "search remarked on 1 of 4 queries: other",
    ]
    assert report.system.settings == {"collapse": True}


def test_a_query_that_is_not_scored_is_in_no_mean_whatever_is_measured() -> None:
    """Two results of q1 are judged, and all of q2, which has no relevant label."""
    queries = (
        EvalQuery("1", "q1", (Label("a"), Label("b", None, 0))),
        EvalQuery("2", "q2", (Label("a", None, 0),)),
    )
    system = ScriptedSystem({"q1": ["a", "b", "c", "d"], "q2": ["a"]}, documents=["a", "b", "c", "d"])
    names = ("Judged@4", "Judged", "RBP_resid(p=0.5)", "R@4")
    report = run(EvalSet("s", queries), system, Settings(measures=tuple(map(parse_measure, names))))
    assert {(each.n_scored, each.n_undefined) for each in report.measures.values()} == {(1, 1)}
    assert report.measures["Judged@4"].mean == 0.5
    assert report.queries[1].scores == {}
    for name, summary in report.measures.items():
        assert summary.mean == report.queries[0].scores[name]


def test_the_record_survives_its_json(report: RunReport) -> None:
    assert msgspec.json.decode(msgspec.json.encode(report), type=RunReport) == report
    assert len(RECORDS) == report.set.n_queries
