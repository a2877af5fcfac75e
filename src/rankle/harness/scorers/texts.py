"""Reads the text of an answer, and of what is expected of one."""

from collections.abc import Sequence
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.harness.scorers.making import shown
from rankle.harness.scorers.members import member

_TEXTS: Final = ("answer", "text")
"""Members of an output that hold its text; the first that is there is taken."""


def text_of(output: Any) -> str:
    """The text that an output is, or has under `answer` or `text`. Raises InputError where it has none."""
    found = output if isinstance(output, str) else member(output, _TEXTS)
    if not isinstance(found, str):
        raise InputError(
            f"the output must be text, or have it under {' or '.join(_TEXTS)}; select it with output=; "
            f"got {shown(output)}"
        )
    return found


def expected_texts(expected: Any) -> list[str]:
    """One text, or each of a list. Raises InputError on anything else."""
    found = [expected] if isinstance(expected, str) else expected
    if not isinstance(found, Sequence) or not all(isinstance(one, str) for one in found):
        raise InputError(
            "what is expected must be a text or a list of texts; select it with expected=; "
            f"got {shown(expected)}"
        )
    return list(found)
