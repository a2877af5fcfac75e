"""What several methods find, put together: what tells most, and in which order it is judged."""

import math

import pytest

from rankle.core.evalset import EvalQuery
from rankle.core.search import Hit, Passage
from rankle.labels.judges import judges_agreement
from rankle.labels.pooling import information, most_informative, pool, shuffled

QUERY = EvalQuery("q1", "reset it")


def hits(*names: str) -> list[Hit]:
    return [
        Hit(name, "a.md", 1.0, rank, passage=Passage(name, "A", (), "text", 0, 4, 1, 1))
        for rank, name in enumerate(names, start=1)
    ]


def test_every_result_stands_once_with_its_rank_in_each_method() -> None:
    pooled = pool(QUERY, {"fts5": hits("a", "b"), "vector": hits("c", "a")})
    assert [(item.target, dict(item.ranks)) for item in pooled] == [
        ("a", {"fts5": 1, "vector": 2}), ("c", {"vector": 1}), ("b", {"fts5": 2}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ranks", "n_methods", "value"),
    [
        ({"a": 1}, 1, 1.0),
        ({"a": 3}, 1, 0.5),
        ({"a": 1}, 2, 1.5),  # one has it first, the other not at all
        ({"a": 1, "b": 1}, 2, 1.0),
        ({"a": 1, "b": 3}, 2, 0.5 + 0.75),
        ({"a": 10}, 2, 1.5 / math.log2(11)),
    ],
    ids=str,
)
def test_information_is_disagreement_plus_weight(ranks: dict[str, int], n_methods: int, value: float) -> None:
    assert information(ranks, n_methods=n_methods) == pytest.approx(value)


def test_what_methods_disagree_on_at_the_top_comes_first() -> None:
    pooled = pool(QUERY, {"fts5": hits("both", "low", "lower"), "vector": hits("both", "low", "only vector")})
    assert [item.target for item in most_informative(pooled)] == ["both", "lower", "only vector", "low"]
    pooled = pool(QUERY, {"fts5": hits("x", "both"), "vector": hits("y", "both")})
    assert [item.target for item in most_informative(pooled)] == ["x", "y", "both"]


def test_the_order_of_judging_is_the_same_for_one_seed_and_judge_and_tells_nothing_of_ranks() -> None:
    pooled = pool(QUERY, {"fts5": hits(*map(str, range(10)))})
    names = [item.target for item in pooled]
    first = [item.target for item in shuffled(pooled, seed=0, judge="anna")]
    assert first == [item.target for item in shuffled(pooled[::-1], seed=0, judge="anna")]
    assert sorted(first) == sorted(names)
    assert first != names
    assert first != [item.target for item in shuffled(pooled, seed=1, judge="anna")]
    assert first != [item.target for item in shuffled(pooled, seed=0, judge="ben")]
    assert shuffled([], seed=0, judge="anna") == []


def test_agreement_is_over_what_several_judged() -> None:
    assert judges_agreement({"x": {"anna": 1}, "y": {"ben": 0}}) is None
    found = judges_agreement(
        {
            "x": {"anna": 1, "ben": 1},
            "y": {"anna": 0, "ben": 0, "cleo": 2},
            "z": {"anna": 2, "dora": 2},
            "w": {},
        }
    )
    assert found is not None
    assert found.judges == ("anna", "ben", "cleo", "dora")
    assert found.alpha.n_items == 3
    assert [(pair.judges, pair.kappa.n_items) for pair in found.pairs] == [
        (("anna", "ben"), 2), (("anna", "cleo"), 1), (("anna", "dora"), 1), (("ben", "cleo"), 1),
    ]  # fmt: skip
    assert found.pairs[0].kappa.value == 1.0
