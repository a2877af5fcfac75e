"""A report scored by other measures from itself is the one that an evaluation by these would have made."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.hand_worked import RECORDS, STAMP, scripted_system
from fakes.scripted_system import ScriptedSystem, TextScriptedSystem
from rankle.app.evaluate import evaluate
from rankle.core.errors import CannotMeasureError, MeasureError
from rankle.core.run import RunReport
from rankle.core.text_range import Range
from rankle.formats.eval_set import eval_set_of_records
from rankle.harness.rescoring import rescore_report
from rankle.metrics.measure import parse_measures

MEASURES = (
    "nDCG@2,nDCG(gain=exp2)@5,R@1,R@7,R(rel=2)@5,P@5,RR,AP,AP(rel=2),Hit@3,RBP(p=0.8),Bpref,ERR(max=4)@5,Rprec,"
    "Judged@4,F1@5,R_cap@3,SetP,SetR"
)
DOCUMENTS = [f"{name}.md" for name in "abcdefgh"]
CHUNKS = {f"c{n}": DOCUMENTS[n % 8] for n in range(16)}
TEXT = "".join(f"Sentence number {n:02d} says this. " for n in range(20))  # 30 characters each
PLACES = {f"c{n}": Range("a.md", 45 * n, 45 * n + 60) for n in range(12)}


@dataclass(frozen=True)
class Scene:
    """A set and the system that is asked."""

    records: Sequence[Mapping[str, Any]]
    system: ScriptedSystem


def evaluated(scene: Scene, measures: str) -> RunReport:
    queries = eval_set_of_records(scene.records)
    return evaluate(queries, system=scene.system, measures=measures, depth=10, stamp=STAMP, clock=lambda: 0.0)


def read_back(report: RunReport) -> RunReport:
    """As a file has it."""
    return msgspec.json.decode(msgspec.json.encode(report), type=RunReport)


def check(scene: Scene) -> None:
    """From a shallow cut to deep ones, and back."""
    for before, after in (("nDCG@3,Hit@1", MEASURES), (MEASURES, "P@1")):
        again = rescore_report(read_back(evaluated(scene, before)), parse_measures(after))
        expected = evaluated(scene, after)
        assert msgspec.json.format(msgspec.json.encode(again)) == msgspec.json.format(
            msgspec.json.encode(expected)
        )


grades = st.integers(-1, 4)
rankings = st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=8)


def scripted(answers: Mapping[str, Sequence[str] | Exception], **more: Any) -> ScriptedSystem:
    """With two lists and their fusion for every query that was answered; the second list is cut short."""
    stages = {
        query: {"fts5": answer[::-1], "vector": answer[1:4], "fusion": answer}
        for query, answer in answers.items()
        if not isinstance(answer, Exception)
    }
    return ScriptedSystem(answers=answers, documents=DOCUMENTS, stages=stages, **more)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.dictionaries(st.sampled_from([*DOCUMENTS, "gone.md"]), grades), rankings), min_size=1
    )
)
def test_documents(drawn: Sequence[tuple[Mapping[str, int], Sequence[str]]]) -> None:
    """Grades of all kinds, unjudged too, a document that is not there, a failure, another collection."""
    records: list[dict[str, Any]] = [
        {
            "query": f"q{n}",
            "relevant": [{"document": name, "relevance": grade} for name, grade in known.items()],
        }
        for n, (known, _) in enumerate(drawn)
    ]
    records.append({"query": "sure", "relevant": ["a.md"]})
    records.append({"query": "fails", "relevant": ["a.md"]})
    records.append({"query": "there", "relevant": ["h.md", "a.md"], "collection": "other"})
    answers: dict[str, Any] = {f"q{n}": ranking for n, (_, ranking) in enumerate(drawn)}
    answers |= {"sure": ["b.md", "a.md"], "fails": RuntimeError("boom"), "there": ["h.md"]}
    check(Scene(records, scripted(answers, collections={"h.md": "other"})))


@settings(deadline=None, max_examples=40)
@given(
    st.sets(st.sampled_from(DOCUMENTS), min_size=1),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4)),
    rankings,
)
def test_a_relevant_set_beside_grades_that_say_otherwise(
    relevant: set[str], known: Mapping[str, int], ranking: Sequence[str]
) -> None:
    judgments = [{"docid": name, "relevance": grade} for name, grade in known.items()]
    record = {"query": "one", "relevantDocs": sorted(relevant), "judgments": judgments}
    check(Scene([record], scripted({"one": ranking})))


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from(sorted(CHUNKS)), unique=True, min_size=1),
    st.lists(st.sampled_from(sorted(CHUNKS)), unique=True, max_size=10),
)
def test_chunks(labelled: Sequence[str], ranking: Sequence[str]) -> None:
    record = {"query": "one", "relevant": [{"chunk": name} for name in labelled]}
    check(Scene([record], scripted({"one": ranking}, chunks=CHUNKS)))


@settings(deadline=None, max_examples=40)
@given(
    st.dictionaries(st.integers(0, 19), grades, min_size=1),
    st.lists(st.sampled_from(sorted(PLACES)), unique=True, max_size=10),
)
def test_passages(known: Mapping[int, int], ranking: Sequence[str]) -> None:
    """Chunks overlap, so that results repeat passages; one of two queries has something relevant for sure."""
    system = TextScriptedSystem(
        answers={"one": ranking, "sure": ranking},
        documents=["a.md"],
        chunks=dict.fromkeys(PLACES, "a.md"),
        texts={"a.md": TEXT},
        places=PLACES,
    )
    labels = [
        {"document": "a.md", "quote": TEXT[30 * n : 30 * n + 29], "relevance": grade}
        for n, grade in known.items()
    ]
    sure = [{"document": "a.md", "quote": TEXT[:29]}]
    check(Scene([{"query": "one", "relevant": labels}, {"query": "sure", "relevant": sure}], system))


def test_what_a_report_does_not_hold_is_said() -> None:
    report = evaluated(Scene(RECORDS, scripted_system()), "nDCG@3")
    with pytest.raises(CannotMeasureError, match="infAP looks at targets that were pooled and not judged"):
        rescore_report(report, parse_measures("AP,infAP"))
    with pytest.raises(MeasureError, match="nDCG@20 is deeper than the 10 results"):
        rescore_report(report, parse_measures("nDCG@20"))
    with pytest.raises(CannotMeasureError, match="made of judgments and a run file"):
        rescore_report(msgspec.structs.replace(report, funnel=None), parse_measures("AP"))


@pytest.mark.parametrize("part", ["results", "targets"])
def test_a_report_without_all_that_its_figures_were_made_from_is_refused(part: str) -> None:
    value = json.loads(msgspec.json.encode(evaluated(Scene(RECORDS, scripted_system()), "nDCG@3")))
    value["queries"][1][part].pop(1)
    with pytest.raises(
        CannotMeasureError, match=r'query "two" has nDCG@3 0\.386853, and its results and targets give'
    ):
        rescore_report(msgspec.json.decode(json.dumps(value), type=RunReport), parse_measures("AP"))
