"""Floors in the workspace's file: a row a method, kept, replaced, cleared, and told when they are broken."""

import pytest

from kb.conftest import Bench
from rankle.core.errors import InputError, UnknownNameError, WorkspaceError
from rankle.kb.floors import Floor
from rankle.kb.knowledge_base import KnowledgeBase


def floor(method: str = "fts5", value: float = 0.5) -> Floor:
    basis = {"weights": {"title": 2.0}, "fusion": {"kind": "convex", "vector_weight": 0.4}}
    return Floor(
        method=method,
        value=value,
        chosen="2026-11-30T09:00:00Z",
        basis=basis,
        set_name="set.jsonl",
        set_fingerprint="0" * 64,
        index="1" * 64,
    )


def test_a_floor_is_kept_for_its_method_alone_and_outlives_the_opened_workspace(bench: Bench) -> None:
    bench.kb.floors.keep(floor())
    with KnowledgeBase(bench.kb.folder, name="again") as again:
        assert again.floors.of("fts5") == floor()
        assert again.floors.of("hybrid") is None
        assert again.info().floors == (floor(),)


def test_a_later_floor_takes_the_place_of_the_one_before(bench: Bench) -> None:
    for value in (0.5, 0.75):
        bench.kb.floors.keep(floor(value=value))
    bench.kb.floors.keep(floor("hybrid", 0.1))
    assert [(one.method, one.value) for one in bench.kb.floors.all()] == [("hybrid", 0.1), ("fts5", 0.75)]


def test_clearing_says_whether_there_was_one(bench: Bench) -> None:
    bench.kb.floors.keep(floor())
    assert [bench.kb.floors.clear("fts5"), bench.kb.floors.clear("fts5")] == [True, False]
    assert bench.kb.floors.all() == ()


def test_search_and_the_fingerprint_of_the_content_do_not_look_at_it(bench: Bench) -> None:
    bench.write(a="apple pie", b="apple and pear")
    bench.kb.index(bench.docs)
    before, content = bench.found("apple"), bench.kb.fingerprint()
    bench.kb.floors.keep(floor(value=1e9))
    assert (bench.found("apple"), bench.kb.fingerprint()) == (before, content)


def test_an_index_leaves_floors_as_they_are(bench: Bench) -> None:
    bench.kb.floors.keep(floor())
    bench.write(a="apple pie")
    bench.kb.index(bench.docs)
    assert bench.kb.floors.all() == (floor(),)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_value_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(InputError, match="a floor must be a finite number"):
        floor(value=value)


def test_what_is_no_method_is_refused(bench: Bench) -> None:
    for use in (bench.kb.floors.of, bench.kb.floors.clear, floor):
        with pytest.raises(UnknownNameError, match='unknown method "ftss"'):
            use("ftss")


@pytest.mark.parametrize("text", ["{", '{"method": "fts5"}', '{"method": "fts5", "value": "high"}'])
def test_a_row_that_cannot_be_read_says_how_to_be_rid_of_it(text: str, bench: Bench) -> None:
    with bench.kb._database.writing() as connection:
        connection.execute("INSERT INTO meta VALUES ('floor:fts5', ?)", (text,))
    with pytest.raises(WorkspaceError, match=r"Drop it: rankle eval floor --clear --method fts5"):
        bench.kb.floors.all()
    assert bench.kb.floors.clear("fts5") is True
    assert bench.kb.floors.all() == ()
