import pytest

from rankle.harness.evals.supply import Supply


def taken(supply: Supply[str], n: int) -> list[str | None]:
    return [supply.take() for _ in range(n)]


def test_lines_are_served_in_order_up_to_the_limit() -> None:
    supply = Supply[str](3, {})
    first = supply.add("ab", n=2)
    supply.add("cd", n=2)
    assert taken(supply, 4) == ["a", "b", "c", None]
    supply.give_back(first)
    assert supply.is_free
    assert taken(supply, 2) == ["d", None]
    assert supply.n_waiting == 0


def test_a_line_that_has_what_it_may_have_lets_others_go_first() -> None:
    supply = Supply[str](9, {})
    narrow = supply.add("abc", n=3, limit=1)
    supply.add("x", n=1)
    assert taken(supply, 3) == ["a", "x", None]
    supply.give_back(narrow)
    assert taken(supply, 2) == ["b", None]


def test_lines_that_use_the_same_share_its_limit() -> None:
    supply = Supply[str](9, {"gpu": 2})
    first = supply.add("ab", n=2, resources=["gpu", "gpu"])
    second = supply.add("c", n=1, resources=["gpu", "network"])
    supply.add("x", n=1, resources=["network"])
    assert taken(supply, 4) == ["a", "b", "x", None]
    supply.give_back(first)
    assert taken(supply, 2) == ["c", None]
    supply.give_back(second)
    assert (first.in_flight, second.in_flight, supply.in_flight) == (1, 0, 2)


def test_nothing_is_given_once_it_is_stopped() -> None:
    stopped: list[bool] = []
    supply = Supply[str](2, {}, lambda: bool(stopped))
    supply.add("ab", n=2)
    assert supply.take() == "a"
    stopped.append(True)
    assert supply.take() is None
    assert supply.n_waiting == 1


@pytest.mark.parametrize("n", [0, 1])
def test_things_are_made_when_they_begin(n: int) -> None:
    made: list[int] = []

    def make(place: int) -> int:
        made.append(place)
        return place

    supply = Supply[int](5, {})
    supply.add((make(place) for place in range(n)), n=n)
    assert made == []
    assert supply.take() == (0 if n else None)
    assert supply.take() is None
