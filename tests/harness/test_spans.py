# ruff: noqa: E501
"""An evaluation by passage, end to end: what is asked, found, scored, lost and told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from fakes.scripted_system import ScriptedSystem, TextScriptedSystem
from rankle.app.evaluate import evaluate
from rankle.core.errors import BadLinesError, InputError
from rankle.core.evalset import EvalQuery, Level
from rankle.core.outcome import Answer, Outcome
from rankle.core.run import CoverageReport, RunReport
from rankle.core.search import Hit
from rankle.core.text_range import Range
from rankle.formats.eval_set import eval_set_of_records
from rankle.harness.evaluation import Stamp, report_run
from rankle.harness.keeping import Plan
from rankle.harness.preparation import prepare
from rankle.harness.settings import Settings
from rankle.harness.spans import span_view
from rankle.harness.stored_plan import pack_plan, unpack_plan
from rankle.labels.coverage import HALF, Coverage
from rankle.labels.join import JoinedQuery, Target

STAMP = Stamp(id="0123456789ab", created="2026-11-30T09:00:00Z")
TEXT = "".join(f"Sentence number {n:02d} says this. " for n in range(20))  # 30 characters each
LENGTH = 30
CHUNKS = {f"c{n}": Range("a.md", 2 * n * LENGTH, (2 * n + 2) * LENGTH) for n in range(10)}


@dataclass
class TextSystem(TextScriptedSystem):
    """A scripted system that stores one text, two sentences a chunk."""

    texts: Mapping[str, str] = field(default_factory=lambda: {"a.md": TEXT, "b.md": "Nothing."})
    places: Mapping[str, Range] = field(default_factory=lambda: CHUNKS)


def sentence(n: int) -> str:
    return TEXT[n * LENGTH : (n + 1) * LENGTH].strip()


def quoted(n: int, grade: int = 1) -> dict[str, object]:
    return {"document": "a.md", "quote": sentence(n), "relevance": grade}


def system(**answers: list[str]) -> TextSystem:
    return TextSystem(
        answers=answers, documents=["a.md", "b.md"], chunks=dict.fromkeys([*CHUNKS, "other"], "a.md")
    )


def run(asked: TextSystem, *records: Mapping[str, object], **options: object) -> RunReport:
    return evaluate(eval_set_of_records(records), system=asked, stamp=STAMP, **options)  # type: ignore[arg-type]


def test_chunks_are_asked_for_and_scored_by_the_passages_that_they_cover() -> None:
    """c5 holds sentences 10 and 11, both labelled; c7 holds neither; c2 holds sentence 4."""
    asked = system(one=["c7", "c5", "c2"])
    record = {"id": "1", "query": "one", "relevant": [quoted(10, 1), quoted(11, 3), quoted(4, 2)]}
    report = run(asked, record, measures="R@1,R@3,P@3,RR@3,AP,nDCG@3,Judged@3")
    assert asked.calls == [("one", 100, Level.CHUNK, None)]
    assert report.level == "span"
    (query,) = report.queries
    ideal = 3 + 2 / log2(3) + 1 / 2
    assert query.scores == pytest.approx(
        {
            "R@1": 0, "R@3": 1, "P@3": 2 / 3, "RR@3": 1 / 2, "AP": (1 / 2 + 1 / 2 + 2 / 3) / 3,
            "nDCG@3": (3 / log2(3) + 2 / 2) / ideal, "Judged@3": 2 / 3,
        }
    )  # fmt: skip
    assert [(result.id, result.grade, result.covers) for result in query.results] == [
        ("c7", None, []),
        ("c5", 3, ["a.md[300:329]", "a.md[330:359]"]),
        ("c2", 2, ["a.md[120:149]"]),
    ]
    assert [
        (target.id, target.grade, target.rank, target.rank_at, target.lost_at) for target in query.targets
    ] == [
        ("a.md[300:329]", 1, 2, {"fts5": 2}, None),
        ("a.md[330:359]", 3, 2, {"fts5": 2}, None),
        ("a.md[120:149]", 2, 3, {"fts5": 3}, None),
    ]
    assert query.first_relevant_rank == 2
    assert [(one.id, one.n_queries, one.n_found) for one in report.documents] == [("a.md", 1, 1)]


def test_a_chunk_that_repeats_what_stood_above_it_is_judged_and_worth_nothing() -> None:
    asked = TextSystem(
        answers={"one": ["first", "second"]}, documents=["a.md"], chunks={"first": "a.md", "second": "a.md"},
        places={"first": Range("a.md", 0, 60), "second": Range("a.md", 30, 90)},
    )  # fmt: skip
    report = run(asked, {"query": "one", "relevant": [quoted(1)]}, measures="P@2,Judged@2,nDCG@2")
    assert report.queries[0].scores == pytest.approx({"P@2": 0.5, "Judged@2": 1.0, "nDCG@2": 1.0})
    assert [result.grade for result in report.queries[0].results] == [1, 0]


def test_a_lost_passage_has_the_fate_of_the_chunks_that_cover_it() -> None:
    asked = system(one=["c7", "c6", "c9", "c5"])
    asked.stages = {"one": {"fts5": ["c5", "c7"], "vector": ["c6", "c9"], "fusion": ["c7", "c6", "c9", "c5"]}}
    report = run(asked, {"query": "one", "relevant": [quoted(10), quoted(0), quoted(19)]}, k=3)
    assert [(target.rank, target.rank_at, target.lost_at) for target in report.queries[0].targets] == [
        (4, {"fts5": 1, "fusion": 4}, "fused out"),
        (None, {}, "no candidate list"),
        (3, {"vector": 2, "fusion": 3}, None),
    ]
    assert report.funnel is not None
    assert report.funnel.n_targets == 3


def test_what_is_stale_is_told_first_and_scored_where_it_stands() -> None:
    asked = system(one=["c5"])
    moved = {"document": "a.md", "quote": sentence(10), "start": 0, "end": 30}
    gone = {"document": "a.md", "quote": "This was never said, not at all."}
    report = run(asked, {"query": "one", "relevant": [moved, gone]}, measures="R@1")
    assert report.queries[0].scores == {"R@1": 0.5}
    assert [target.lost_at for target in report.queries[0].targets] == [None, "not indexed"]
    assert report.notices[:2] == [
        (
            "stale labels: 2 of 2 (passages that moved, scored where they stand now: 1; what stands nowhere: 1). "
            "To see and mend them: rankle eval check SET"
        ),
        (
            "labels that name nothing in the index: 1 of 2, counted as not found: "
            '"a.md: This was never said, not at all." (line 1)'
        ),
    ]
    assert (report.labels.n_labels, report.labels.n_joined) == (2, 1)


def test_an_ambiguous_quote_ends_the_run_before_anything_is_asked() -> None:
    asked = system(one=["c5"])
    with pytest.raises(BadLinesError, match="stands 20 times in"):
        run(asked, {"query": "one", "relevant": [{"document": "a.md", "quote": "says this."}]})
    assert asked.calls == []


def test_the_shares_that_make_coverage_are_options_and_stand_in_the_record() -> None:
    record = {
        "query": "one",
        "relevant": [{"document": "a.md", "start": 44, "end": 75}],
    }  # half in c0, half in c1
    assert run(system(one=["c0"]), record, measures="R@1").queries[0].scores == {"R@1": 1.0}
    strict = run(system(one=["c0"]), record, measures="R@1", coverage=Coverage(0.6, 1.0))
    assert strict.queries[0].scores == {"R@1": 0.0}
    assert strict.coverage == CoverageReport(of_span=0.6, of_chunk=1.0)


def test_a_system_without_texts_scores_passages_by_document_only() -> None:
    plain = ScriptedSystem(answers={"one": ["a.md"]}, documents=["a.md"])
    record = {"query": "one", "relevant": [quoted(3)]}
    with pytest.raises(InputError, match="--level document"):
        evaluate(eval_set_of_records([record]), system=plain, stamp=STAMP)
    by_document = evaluate(eval_set_of_records([record]), system=plain, level="document", stamp=STAMP)
    assert by_document.measures["R@1"].mean == 1


def test_other_levels_have_no_coverage_in_their_record() -> None:
    report = run(system(one=["a.md"]), {"query": "one", "relevant": ["a.md"]})
    assert report.coverage is UNSET
    assert [result.covers for result in report.queries[0].results] == [UNSET]


def test_the_plan_of_a_run_is_kept_with_the_chunks_that_matter_and_scored_again_from_it() -> None:
    asked = system(one=["c7", "c5"])
    eval_set = eval_set_of_records([{"query": "one", "relevant": [quoted(10), quoted(0)]}])
    plan = Plan(prepare(eval_set, asked, Settings(k=(3,))), asked.describe(), Settings(k=(3,)))
    assert plan.prepared.view is not None
    assert set(plan.prepared.view.places) == {"c0", "c5"}
    again = unpack_plan(pack_plan(plan))
    assert again == plan
    hits = tuple(Hit(name, "a.md", 1.0, rank) for rank, name in enumerate(["c7", "c5"], start=1))
    report = report_run(again, [Outcome(Answer(hits, (), 0), None, 1.0)], stamp=STAMP)
    assert report.queries[0].scores["R@3"] == 0.5


ranges = st.builds(
    lambda document, start, length: Range(document, start, start + length),
    st.sampled_from(["a.md", "b.md"]), st.integers(0, 60), st.integers(1, 30),
)  # fmt: skip


@given(st.lists(ranges, max_size=8), st.lists(ranges, max_size=5))
def test_the_chunks_that_matter_are_those_that_share_a_character_with_a_passage(
    chunks: list[Range], passages: list[Range]
) -> None:
    places = {f"c{n}": chunk for n, chunk in enumerate(chunks)}
    targets = tuple(
        Target(str(n), 1, None, (place.document,), indexed=True, place=place)
        for n, place in enumerate(passages)
    )
    view = span_view(places, [JoinedQuery(EvalQuery("1", "x"), targets)], coverage=HALF)
    assert dict(view.places) == {
        name: place for name, place in places.items() if any(place.overlap(passage) for passage in passages)
    }
