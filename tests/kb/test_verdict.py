"""What is said of a target that two lists rank by hand, and the settings that would help it."""

from collections.abc import Sequence

import pytest

from rankle.core.evalset import Level
from rankle.core.explanation import Loss, StageStanding, Try
from rankle.kb.candidates import CandidateList, ChunkScore
from rankle.kb.fusion import Fusion, fuse
from rankle.kb.search_request import SearchRequest
from rankle.kb.search_settings import SearchSettings
from rankle.kb.verdict import Case, judge


def ranked(stage: str, order: str) -> CandidateList:
    """Chunks named by letters, each of a document of its own, scores falling evenly."""
    rows = [ChunkScore(ord(name), name, name, len(order) - place) for place, name in enumerate(order)]
    return CandidateList(stage, rows, True, 0.0)


def standing(found: CandidateList, target: str) -> StageStanding:
    names = [row.name for row in found.rows]
    rank = names.index(target) + 1 if target in names else None
    score = found.rows[rank - 1].score if rank else None
    return StageStanding(
        found.stage, len(names), rank, score, target if rank else None, rank, None, None, 0.0
    )


def case(target: str, *, fulltext: str, vector: str, fusion: Fusion, k: int) -> Case:
    lists: Sequence[CandidateList] = (ranked("fts5", fulltext), ranked("vector", vector))
    lists = (*lists, CandidateList("fusion", fuse(lists[0].rows, lists[1].rows, fusion), True, 0.0))
    return Case(
        request=SearchRequest("query", settings=SearchSettings(fusion)),
        method="hybrid",
        has_terms=True,
        target=target,
        level=Level.CHUNK,
        collection="default",
        k=k,
        lists=lists,
        left=(),
        stages=[standing(each, target) for each in lists],
        terms=(),
        vectors_ready=True,
    )


def test_within_the_page_of_one_list_and_lost_when_fused() -> None:
    """Both lists have eight candidates, scaled to 1, 6/7, ... 0: x has the vector weight, and c, which is
    third and fourth, 5/7 less a seventh of it."""
    lost = case("x", fulltext="abcdefgx", vector="xabcdefg", fusion=Fusion(candidates=8), k=3)
    assert [row.name for row in lost.lists[2].rows] == list("abcdxefg")
    judgement = judge(lost)
    assert judgement.lost_at is Loss.FUSED_OUT
    assert judgement.sentence == (
        "The fusion lost it: fts5 ranks it 8, vector ranks it 1; fused (convex, vector weight 0.4), that "
        "makes rank 5, beyond the first 3."
    )
    assert judgement.tries == (
        Try("--method vector", 1),
        Try("--vector-weight 0.7", 3),
    )


def test_every_setting_that_is_advised_does_what_is_said() -> None:
    lost = case("x", fulltext="abcdefghij", vector="klmxabcdef", fusion=Fusion(candidates=5), k=4)
    judgement = judge(lost)
    assert judgement.lost_at is Loss.FUSED_OUT
    for each in judgement.tries:
        option, value = each.option.split()
        if option == "--method":
            order = [row.name for row in lost.lists[("fts5", "vector").index(value)].rows]
        else:
            names = {"--vector-weight": ("vector_weight", float), "--candidates": ("candidates", int)}
            field, read = names.get(option, ("kind", str))
            settings = {"candidates": 5, field: read(value)}
            fusion = Fusion(**settings)
            order = [row.name for row in fuse(lost.lists[0].rows, lost.lists[1].rows, fusion)]
        assert order.index("x") + 1 == each.rank <= 4
    assert judgement.tries


def test_beyond_the_candidates_of_every_list() -> None:
    judgement = judge(case("x", fulltext="abcx", vector="cbax", fusion=Fusion(candidates=2), k=3))
    assert judgement.lost_at is Loss.CANDIDATES
    assert judgement.sentence == (
        "No list has it among the 2 candidates that are fused (fts5 ranks it 4, vector ranks it 4), so it "
        "stands behind all of them, at rank 4."
    )


def test_within_the_page_of_no_list() -> None:
    judgement = judge(case("x", fulltext="abcdx", vector="dcbax", fusion=Fusion(), k=2))
    assert judgement.lost_at is Loss.BELOW_K
    assert judgement.sentence == (
        "No stage has it within the first 2: fts5 ranks it 5, vector ranks it 5, fused 5. "
        "4 results stand above it."
    )
    assert judgement.tries == ()


@pytest.mark.parametrize("target", ["a", "c"])
def test_on_the_page_nothing_is_tried(target: str) -> None:
    judgement = judge(case(target, fulltext="abc", vector="abc", fusion=Fusion(), k=3))
    assert (judgement.lost_at, judgement.tries) == (None, ())


def test_one_list_does_not_find_it() -> None:
    judgement = judge(case("x", fulltext="abcdef", vector="abcdxf", fusion=Fusion(), k=2))
    assert "fts5 does not find it, vector ranks it 5, fused 7" in judgement.sentence
