"""docs/scorers.md: every scorer is documented."""

import re

import pytest

from rankle import scorers
from tools.docs_check import REPOSITORY

PAGE = (REPOSITORY / "docs" / "scorers.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", scorers.PUBLIC)
def test_every_scorer_is_in_a_table(name: str) -> None:
    assert re.search(rf"^\|.*`{name}\(", PAGE, re.MULTILINE) or name == "measure"
    assert f"`{name}(" in PAGE


@pytest.mark.parametrize("name", sorted(set(re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE))))
def test_every_documented_scorer_is_there(name: str) -> None:
    assert name in scorers.PUBLIC
