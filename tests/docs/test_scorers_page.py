"""docs/scorers.md: every scorer is documented, and its examples print what they say."""

import io
import re
from contextlib import redirect_stdout

import pytest

from rankle import scorers
from tools.docs_check import REPOSITORY

PAGE = (REPOSITORY / "docs" / "scorers.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_prints_what_stands_beside_it(example: str) -> None:
    said = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(example, "docs/scorers.md", "exec"), {})
    assert said
    assert printed.getvalue().splitlines() == said


@pytest.mark.parametrize("name", scorers.PUBLIC)
def test_every_scorer_is_in_a_table(name: str) -> None:
    assert re.search(rf"^\|.*`{name}\(", PAGE, re.MULTILINE) or name == "measure"
    assert f"`{name}(" in PAGE


@pytest.mark.parametrize("name", sorted(set(re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE))))
def test_every_documented_scorer_is_there(name: str) -> None:
    assert name in scorers.PUBLIC
