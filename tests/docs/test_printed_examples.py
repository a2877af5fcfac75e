"""Pages whose Python examples say what they print: that is what they print."""

import io
import re
from contextlib import redirect_stdout

import pytest

from tools.docs_check import REPOSITORY

PAGES = ("docs/evals.md", "docs/scorers.md")
EXAMPLES = [
    pytest.param(page, example, id=f"{page}:{place}")
    for page in PAGES
    for place, example in enumerate(
        re.findall(
            r"^```python\n(.*?)^```",
            (REPOSITORY / page).read_text(encoding="utf-8"),
            re.MULTILINE | re.DOTALL,
        )
    )
]


@pytest.mark.parametrize(("page", "example"), EXAMPLES)
def test_an_example_prints_what_stands_beside_it(page: str, example: str) -> None:
    said = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(example, page, "exec"), {})
    assert said
    assert printed.getvalue().splitlines() == said
