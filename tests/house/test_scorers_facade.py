"""`rankle.scorers`: the lazy facade of the scorers that come with the product."""

import subprocess
import sys

import pytest

from rankle import scorers


@pytest.mark.parametrize("name", scorers.PUBLIC)
def test_every_public_scorer_is_there_and_says_what_it_is(name: str) -> None:
    made = getattr(scorers, name)
    assert callable(made)
    assert made.__doc__
    assert name in dir(scorers)


def test_any_other_name_is_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = scorers.nothing


def test_importing_it_imports_no_scorer() -> None:
    program = "import sys, rankle.scorers; print(*sorted(m for m in sys.modules if m.startswith('rankle')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["rankle", "rankle.scorers"]
