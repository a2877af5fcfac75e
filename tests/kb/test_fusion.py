"""Fusing two lists: scores by hand, ties, and the law that depth changes no order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import InputError, UnknownNameError
from rankle.kb.candidates import ChunkScore
from rankle.kb.fusion import DEFAULT_FUSION, Fusion, fuse


def rows(**scores: float) -> list[ChunkScore]:
    """Chunks by a letter, in the order that is given."""
    return [ChunkScore(ord(name), name, f"{name}.md", score) for name, score in scores.items()]


def fused(
    fulltext: list[ChunkScore], vector: list[ChunkScore], fusion: Fusion = DEFAULT_FUSION
) -> list[tuple[str, float]]:
    return [(row.name, pytest.approx(row.score)) for row in fuse(fulltext, vector, fusion)]  # type: ignore[misc]


def test_scaled_scores_are_weighted_and_added() -> None:
    """Both lists are cut at three candidates, so the third is the lower end of each."""
    fulltext, vector = rows(a=12, b=10, c=8), rows(c=0.9, d=0.8, a=0.7)
    assert fused(fulltext, vector, Fusion(candidates=3)) == [
        ("a", 0.6 * 1 + 0.4 * 0),
        ("c", 0.6 * 0 + 0.4 * 1),
        ("b", 0.6 * 0.5),
        ("d", 0.4 * 0.5),
    ]


def test_where_few_match_in_full_text_a_score_of_zero_is_the_lower_end() -> None:
    """All other chunks have a BM25 of 0; else the last match would count as none at all."""
    assert fused(rows(a=10, b=8), []) == [("a", 0.6), ("b", 0.6 * 0.8)]
    assert fused(rows(a=10, b=8), [], Fusion(candidates=2)) == [("a", 0.6), ("b", 0)]


def test_vectors_are_scaled_between_the_best_and_the_last() -> None:
    assert fused([], rows(a=0.9, b=0.8, c=0.7)) == [("a", 0.4), ("b", 0.2), ("c", 0)]


@pytest.mark.parametrize("kind", ["convex", "rrf"])
def test_a_single_hit_counts_whole(kind: str) -> None:
    one = 1.0 if kind == "convex" else 2 / 61
    fusion = Fusion(kind)  # type: ignore[arg-type]
    weight = fusion.weight
    assert fused(rows(a=3), [], fusion) == [("a", (1 - weight) * one)]
    assert fused([], rows(a=0.8), fusion) == [("a", weight * one)]
    assert fused(rows(a=3), rows(a=0.8), fusion) == [("a", one)]
    assert fused([], [], fusion) == []


def test_where_all_scores_are_equal_all_count_whole_and_ranks_decide() -> None:
    assert fused([], rows(a=0.5, b=0.5, c=0.5)) == [("a", 0.4), ("b", 0.4), ("c", 0.4)]
    equal = rows(a=2, b=2, c=2)
    assert fused(equal, [], Fusion(candidates=3)) == [("a", 0.6), ("b", 0.6), ("c", 0.6)]


def test_reciprocal_ranks_are_added() -> None:
    fulltext, vector = rows(a=3, b=2), rows(b=0.9, c=0.8)
    assert fused(fulltext, vector, Fusion("rrf")) == [("b", 1 / 62 + 1 / 61), ("a", 1 / 61), ("c", 1 / 62)]
    weighted = Fusion("rrf", vector_weight=0.9, rrf_k=0)
    assert fused(fulltext, vector, weighted) == [("b", 0.2 / 2 + 1.8), ("c", 1.8 / 2), ("a", 0.2)]


def test_of_equal_scores_the_better_rank_stands_first_then_full_text() -> None:
    fulltext, vector = rows(z=3, y=2), rows(a=0.9, b=0.8)
    assert [name for name, _score in fused(fulltext, vector, Fusion("rrf"))] == ["z", "a", "y", "b"]


def test_a_weight_of_one_leaves_the_order_of_one_list() -> None:
    fulltext, vector = rows(a=3, b=2, c=1), rows(c=0.9, b=0.8, d=0.7)
    assert [name for name, _ in fused(fulltext, vector, Fusion(vector_weight=1))][:2] == ["c", "b"]
    assert [name for name, _ in fused(fulltext, vector, Fusion(vector_weight=0))][:3] == ["a", "b", "c"]


def test_what_is_no_candidate_follows_by_its_better_rank_with_scores_below_zero() -> None:
    fulltext = rows(a=9, b=8, c=7, d=6)
    vector = rows(a=0.9, e=0.8, d=0.7, f=0.6, c=0.5)
    found = fused(fulltext, vector, Fusion(candidates=2))
    assert found[:3] == [("a", 1), ("b", 0), ("e", 0)]
    assert found[3:] == [("c", 2 / 3 - 1), ("d", 2 / 3 - 1), ("f", 2 / 4 - 1)]


_LISTS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 4)), max_size=30, unique_by=lambda pair: pair[0]
).map(
    lambda pairs: [
        ChunkScore(chunk, str(chunk), "d", score / 4)
        for chunk, score in sorted(pairs, key=lambda pair: -pair[1])
    ]
)


@given(_LISTS, _LISTS, st.sampled_from(["convex", "rrf"]), st.integers(1, 12), st.floats(0, 1))
def test_longer_lists_never_change_the_order_of_what_shorter_ones_gave(
    fulltext: list[ChunkScore], vector: list[ChunkScore], kind: str, candidates: int, weight: float
) -> None:
    fusion = Fusion(kind, vector_weight=weight, candidates=candidates)  # type: ignore[arg-type]
    whole = fuse(fulltext, vector, fusion)
    assert {row.chunk for row in whole} == {row.chunk for row in (*fulltext, *vector)}
    assert len(whole) == len({row.chunk for row in whole})
    assert [row.score for row in whole] == sorted((row.score for row in whole), reverse=True)
    for limit in range(candidates, 31):
        shorter = fuse(fulltext[:limit], vector[:limit], fusion)
        assert shorter == whole[: len(shorter)]
        assert len(shorter) >= min(limit, max(len(fulltext), len(vector)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "rff"}, 'unknown fusion "rff"; did you mean "rrf"? Known: convex, rrf.'),
        ({"vector_weight": 1.1}, "vector weight must be a number in 0 to 1, got 1.1"),
        ({"vector_weight": -0.1}, "vector weight must be a number in 0 to 1, got -0.1"),
        ({"vector_weight": float("nan")}, "vector weight must be a number in 0 to 1, got nan"),
        ({"vector_weight": "0.4"}, "vector weight must be a number in 0 to 1, got 0.4"),
        ({"candidates": 0}, "candidates must be an integer >= 1, got 0"),
        ({"candidates": 2.5}, "candidates must be an integer >= 1, got 2.5"),
        ({"candidates": True}, "candidates must be an integer >= 1, got True"),
        ({"rrf_k": -1}, "rrf k must be a number >= 0, got -1"),
        ({"rrf_k": float("inf")}, "rrf k must be a number >= 0, got inf"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, UnknownNameError)) as caught:
        Fusion(**settings)  # type: ignore[arg-type]
    assert str(caught.value) == message
