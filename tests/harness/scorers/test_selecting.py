"""Parts that scorers select, and their `repr`: it changes with what a scorer does, and with nothing else."""

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError
from rankle.harness.evals.scorer import Scorer
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


MADE = [
    scorers.recall(5),
    scorers.err(5),
    scorers.exact(),
    scorers.contains("a"),
    scorers.regex("a"),
    scorers.levenshtein(),
    scorers.numeric(),
    scorers.json_schema({"type": "object"}),
    scorers.latency_budget(5),
    scorers.latency_limit(lambda context: 5),
    scorers.token_budget(5),
    scorers.cost_budget(5),
    scorers.citations_present(),
    scorers.citations_valid(sources=of("a")),
    scorers.citations_covering("expected", expected=of("a")),
    scorers.topics_covered(["a"]),
]


@pytest.mark.parametrize("scorer", MADE, ids=lambda scorer: scorer.name)
def test_no_scorer_is_written_with_an_address(scorer: Scorer) -> None:
    assert " at 0x" not in repr(scorer)


READERS: dict[str, Callable[..., Scorer]] = {
    "recall": lambda **options: scorers.recall(5, **options),
    "contains": scorers.contains,
    "regex": scorers.regex,
    "levenshtein": scorers.levenshtein,
    "numeric": scorers.numeric,
}
every_reader = pytest.mark.parametrize("name", READERS)


@every_reader
@pytest.mark.parametrize(
    ("select", "reason"),
    [("gold.dcos", 'expected="gold.dcos" selects nothing'), (of("a"), "selects nothing$")],
)
def test_an_expectation_that_a_selector_misses_says_so(name: str, select: Any, reason: str) -> None:
    score = said(
        READERS[name](expected=select), output="a.md", expected={"gold": {"docs": ["a.md"]}, "a": None}
    )
    assert score.value is None
    assert re.search(reason, str(score.reason))


@every_reader
def test_an_output_that_a_selector_misses_is_an_error(name: str) -> None:
    scorer = READERS[name](output="dcos", expected="docs")
    with pytest.raises(InputError, match=r'output="dcos" selects nothing from \{'):
        said(scorer, output={"docs": ["a.md"]}, expected={"docs": 1 if name == "numeric" else "a"})
