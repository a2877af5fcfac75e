"""Whatever a system answers, read as hits."""

from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
import polars as pl
import pytest

from rankle.core.errors import InputError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.search import Hit
from rankle.systems.options import Reading
from rankle.systems.results import HitReader


@dataclass
class Node:
    """As LlamaIndex has them, one in the other."""

    node_id: str
    score: float | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    text: str = ""


def read(answer: object, level: Level = Level.DOCUMENT, **options: Any) -> tuple[Hit, ...]:
    return HitReader(Reading(**options), method="m").read(answer, "q", level=level, took_ms=1.0).hits


def ids(answer: object, level: Level = Level.DOCUMENT, **options: Any) -> list[str]:
    return [hit.id for hit in read(answer, level, **options)]


Named = namedtuple("Named", "id score")  # noqa: PYI024 - as a user may write it


@pytest.mark.parametrize(
    "answer",
    [
        ["a", "b"],
        ("a", "b"),
        [("a", 2.0), ("b", 1)],
        [("a", 2.0), ("b", None)],
        [["a", 2.0], ["b", 1.0]],
        [{"id": "a"}, {"id": "b"}],
        [{"_id": "a", "_score": 3.0}, {"_id": "b", "_score": 1.0}],
        [{"doc_id": "a", "id": "chunk-1"}, {"doc_id": "b", "id": "chunk-9"}],
        [{"metadata": {"document_id": "a"}, "id": "u1"}, {"metadata": {"document_id": "b"}, "id": "u2"}],
        [
            {"metadata": {"source": "a"}, "page_content": "x"},
            {"metadata": {"source": "b"}, "page_content": "y"},
        ],
        [Node("a"), Node("b")],
        [(Node("a"), 0.5), (Node("b"), 0.25)],
        [Named("a", 1.0), Named("b", 0.5)],
        {"results": ["a", "b"]},
        {"hits": {"total": 2, "hits": [{"_id": "a"}, {"_id": "b"}]}},
        {"documents": [Node("a"), Node("b")]},
        np.array(["a", "b"]),
        [(np.str_("a"), np.float32(2.0)), (np.str_("b"), np.float32(1.0))],
    ],
)
def test_the_usual_forms_are_read(answer: object) -> None:
    assert ids(answer) == ["a", "b"]


def test_numbers_are_ids_as_they_are_written() -> None:
    assert ids([7, {"id": 12}]) == ["7", "12"]
    assert ids([(np.int64(7), np.float32(0.5)), np.int32(12)]) == ["7", "12"]
    assert ids(np.array([7, 12], dtype=np.int64)) == ["7", "12"]
    assert ids([UUID(int=5)]) == ["00000000-0000-0000-0000-000000000005"]


class Frame:
    """As pandas has tables: what it gives one by one are the names of its columns."""

    columns = ("id", "score")

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        return [{"id": "a", "score": 2.0}, {"id": "b", "score": 1.0}]


def test_of_a_table_the_rows_are_read_and_not_the_names_of_its_columns() -> None:
    assert [(hit.id, hit.score) for hit in read(Frame())] == [("a", 2.0), ("b", 1.0)]


def test_a_table_that_is_not_made_yet_is_made() -> None:
    assert ids(pl.LazyFrame({"doc_id": ["a", "b"], "score": [2.0, 1.0]})) == ["a", "b"]


def test_scores_are_kept_and_where_one_is_missing_all_fall_by_rank() -> None:
    assert [hit.score for hit in read([("a", 7), ("b", 2.5)])] == [7.0, 2.5]
    assert [hit.score for hit in read([("a", 7), "b", {"id": "c"}])] == [3.0, 2.0, 1.0]


def test_chunks_of_one_document_are_one_result_where_its_best_stands() -> None:
    answer = [
        {"id": "c1", "document": "a", "score": 9.0},
        {"id": "c2", "document": "b", "score": 8.0},
        {"id": "c3", "document": "a", "score": 7.0},
    ]
    assert [(hit.id, hit.chunks, hit.score) for hit in read(answer)] == [
        ("a", ("c1", "c3"), 9.0),
        ("b", ("c2",), 8.0),
    ]
    at_chunks = read(answer, Level.CHUNK)
    assert [(hit.id, hit.document) for hit in at_chunks] == [("c1", "a"), ("c2", "b"), ("c3", "a")]


def test_a_result_that_occurs_twice_stays_so_that_it_is_counted() -> None:
    assert ids(["a", "b", "a"]) == ["a", "b", "a"]


def test_texts_are_kept_with_their_place() -> None:
    (hit,) = read([{"id": "a", "text": "one\ntwo", "title": "T", "start": 5, "end": 12}])
    assert hit.passage is not None
    assert (hit.passage.text, hit.passage.title, hit.passage.start, hit.passage.end) == (
        "one\ntwo",
        "T",
        5,
        12,
    )
    (bare,) = read(["a"])
    assert bare.passage is None


@dataclass
class InnerNode:
    """What a result of LlamaIndex is made of; the result itself has no document and no place."""

    ref_doc_id: str
    start_char_idx: int
    end_char_idx: int


@dataclass
class NodeWithScore:
    node: InnerNode
    node_id: str
    score: float
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)


def test_the_document_and_the_place_of_a_node_stand_in_what_it_is_made_of() -> None:
    answer = [
        NodeWithScore(InnerNode("a.md", 5, 8), "n1", 2.0, "one"),
        NodeWithScore(InnerNode("a.md", 9, 12), "n2", 1.0, "two"),
    ]
    assert [(hit.id, hit.chunks) for hit in read(answer)] == [("a.md", ("n1", "n2"))]
    at_chunks = read(answer, Level.CHUNK)
    assert [(hit.id, hit.document) for hit in at_chunks] == [("n1", "a.md"), ("n2", "a.md")]
    assert [(hit.passage.start, hit.passage.end) for hit in at_chunks if hit.passage] == [(5, 8), (9, 12)]


def test_a_document_that_is_a_text_is_no_id() -> None:
    assert ids([{"id": "a", "document": "many words\nof text"}]) == ["a"]


def test_paths_say_where_things_stand() -> None:
    answer = {"payload": {"list": [{"ref": {"slug": "a"}, "rel": 0.5}, {"ref": {"slug": "b"}, "rel": 0.25}]}}
    hits = read(answer, results="payload.list", id="ref.slug", score="rel")
    assert [(hit.id, hit.score) for hit in hits] == [("a", 0.5), ("b", 0.25)]


def test_paths_lead_into_objects() -> None:
    assert ids([Node("x", metadata={"file": "a.md"})], document="metadata.file") == ["a.md"]


def test_an_id_that_is_said_counts_for_more_than_a_usual_name() -> None:
    assert ids([{"document": "d", "slug": "a"}], id="slug") == ["a"]


def test_a_template_makes_an_id_of_several_parts() -> None:
    assert ids([{"space": "docs", "page": 7}], id="{{ space }}/{{ page }}.md") == ["docs/7.md"]


def test_of_results_that_are_equal_in_a_field_the_best_stays() -> None:
    answer = [
        {"id": "a", "url": "u"},
        {"id": "b", "url": "u"},
        {"id": "c", "url": "v"},
        {"id": "d"},
        {"id": "e"},
    ]
    assert ids(answer, deduplicate="url") == ["a", "c", "d", "e"]


def test_stages_are_read_where_they_are_named() -> None:
    answer = {
        "results": ["b", "a"],
        "stages": [
            {"name": "words", "results": ["a", "b"], "took_ms": 2},
            {"name": "rerank", "ids": ["b", "a"]},
        ],
    }
    result = HitReader(Reading(stages=("words", "rerank")), method="m").read(
        answer, "q", level=Level.DOCUMENT, took_ms=1.0
    )
    assert [(stage.name, stage.took_ms) for stage in result.stages] == [("words", 2.0), ("rerank", 0.0)]
    assert {name: rank.rank for name, rank in result.stages[0].ranks.items()} == {"a": 1, "b": 2}


def test_a_stage_that_did_not_run_is_a_failure() -> None:
    reader = HitReader(Reading(stages=("words", "rerank")), method="m")
    with pytest.raises(SystemFailureError, match='no stage "rerank"; its stages: words'):
        reader.read({"results": [], "stages": {"words": []}}, "q", level=Level.DOCUMENT, took_ms=1.0)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "nothing found is an empty list"),
        ("a", "an answer must be a list"),
        ({"a", "b"}, "which has no order"),
        ({"a": 1.0}, r"with the option results, or give pairs: list\(answer\.items\(\)\)"),
        ({"a": "b"}, "say where the list stands, with the option results$"),
        ([{"name": "a"}], "result 1 has no id"),
        (["a", {"score": 1}], "result 2 has no id"),
        ([("a", "high")], "result 1 has no id"),
        ([{"id": "a", "score": "high"}], "the score of result 1 is no number"),
    ],
)
def test_what_ranks_nothing_is_a_failure_of_the_system(answer: object, words: str) -> None:
    with pytest.raises(SystemFailureError, match=words):
        read(answer)


def test_a_path_that_leads_nowhere_is_a_failure_and_never_an_empty_list() -> None:
    with pytest.raises(SystemFailureError, match="nothing where its results should be"):
        read({"found": []}, results="hits")
    assert read({"found": []}, results="found") == ()


@pytest.mark.parametrize("text", ["a[", "{{ a", "{{ a | nonsense }}"])
def test_an_expression_that_is_none_is_refused_before_anything_is_asked(text: str) -> None:
    with pytest.raises(InputError):
        HitReader(Reading(id=text), method="m")


def test_a_template_reaches_nothing_but_the_result() -> None:
    with pytest.raises(SystemFailureError, match="asks for what is not there"):
        ids([{"a": 1}], id="{{ a.__class__.__mro__ }}x")


def test_a_check_takes_an_answer_that_can_be_read_at_one_level_alone() -> None:
    reader = HitReader(Reading(), method="m")
    reader.check([{"chunk_id": "c"}])
    reader.check([{"docno": "d"}])
    with pytest.raises(SystemFailureError, match="result 1 has no id"):
        reader.check([{"name": "a"}])
