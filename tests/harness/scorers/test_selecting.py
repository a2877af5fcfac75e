"""The `repr` of a scorer changes with what it does, and with nothing else: fingerprints are made of it."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rankle import scorers
from rankle.harness.scorers.selecting import Selector, stable_repr

PROGRAM = (
    "from rankle.scorers import exact, recall\n"
    "key = 'docs'\n"
    "def made(part):\n"
    "    return lambda value: value[part] if part in {'docs', 'ids', 'hits'} else [x for x in value]\n"
    "print(repr(recall(5, output=made('docs'), expected='gold.docs')), repr(exact(expected=made('ids'))))\n"
)


def test_it_is_the_same_in_every_process() -> None:
    printed = {
        subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
        for _ in range(3)
    }
    (text,) = printed
    assert "0x" not in text
    assert "'gold.docs'" in text


def of(part: str) -> Callable[[Any], Any]:
    return lambda value: value[part]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda value: value["a"], lambda value: value["b"]),
        (lambda value: value["a"], lambda value: value.get("a")),
        (of("a"), of("b")),
        (lambda value, part="a": value[part], lambda value, part="b": value[part]),
        (lambda value: [each["a"] for each in value], lambda value: [each["b"] for each in value]),
        ("a", "b"),
        ("a", None),
    ],
    ids=["constant", "call", "closure", "default", "nested", "text", "none"],
)
def test_it_tells_apart_what_selects_otherwise(one: Any, other: Any) -> None:
    assert repr(Selector(one, "output")) != repr(Selector(other, "output"))


def test_it_is_the_same_for_equal_functions() -> None:
    assert stable_repr(of("a")) == stable_repr(of("a"))
    assert repr(scorers.recall(5, output=of("a"))) == repr(scorers.recall(5, output=of("a")))


def test_objects_are_named_by_their_class() -> None:
    class Pick:
        def __call__(self, value: Any) -> Any:
            return value

    assert "Pick " in stable_repr(Pick())
    assert stable_repr(Pick()) == stable_repr(Pick())
