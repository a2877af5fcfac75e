"""docs/measures.md: every measure has its formula, worked out as it is computed."""

import re
from itertools import pairwise

import pytest

import rankle
from rankle.metrics.table import BY_NAME
from tools.docs_check import REPOSITORY

PAGE = (REPOSITORY / "docs" / "measures.md").read_text(encoding="utf-8")
FORMULAS = PAGE.split("## Formulas")[1].split("## ")[0]
ROWS = re.findall(r"^\| `([^`]+)` \| (.+) \| `([^`]+)`: (.+) \|$", FORMULAS, re.MULTILINE)


def family(name: str) -> str:
    return re.split(r"[@(]", name)[0]


def test_every_measure_has_a_formula_and_a_line_that_says_what_it_is() -> None:
    assert [family(name) for name, *_ in ROWS] == list(BY_NAME)
    for name in BY_NAME:
        assert re.search(rf"`{name}[`@(]", PAGE.split("## Formulas")[0]), name


@pytest.mark.parametrize(("name", "worked"), [(row[2], row[3]) for row in ROWS])
def test_the_example_is_worked_out_as_it_is_computed(name: str, worked: str) -> None:
    judged = {"q": {"a": 2, "c": 0, "d": 1, "e": 1}}
    results = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
    computed = rankle.score(judged, results, [name]).means[name].mean
    for said, other in pairwise([*(value(step) for step in worked.split(" = ")), computed]):
        assert said == pytest.approx(other, abs=5.1e-5)


def value(arithmetic: str) -> float:
    """What a line such as `2 / 3` comes to."""
    assert re.fullmatch(r"[\d. ()/·+-]+", arithmetic)
    return float(eval(arithmetic.replace("·", "*")))
