"""Colour for reports on a terminal that shows it: heads bold, failures red, notes yellow, rules, hints dim.

It is put over the finished text, by how its lines begin, so that no report can have other words or widths
with colour than without. Text from elsewhere begins no line, but for names in tables: it is indented, or
stands behind our own words.
"""

import re
from typing import Final

_RESET: Final = "\x1b[0m"
_STYLES: Final = (
    (
        "\x1b[1;31m",
        re.compile(r"Failed (?:queries|cases): .*|Not (?:run|loaded): |Score .*: MISSED$|fault(?=  )"),
    ),
    (
        "\x1b[1m",
        re.compile(
            r"(?:Evaluation|Scores|Funnel): .*|(?:Metric|Measure|Stage|Fate|Abstention)  .*"
            r"|Worst performers .*|Document hit rate .*|(?:Answered|Abstained) though .*"
            r"|(?:Differences|Worse) (?:in|with) .*|Stages of .*"
            r"|(?:Eval|Verdict): .*|(?:Eval|Scorer|Trials)  .*|Worst cases .*"
        ),
    ),
    ("\x1b[33m", re.compile(r"Note:|warning(?=  )")),
    ("\x1b[2m", re.compile(r"─+|--?\w[\w-]* .*")),
)
"""Each style, and the beginning of a line, or the whole of it, that has it."""


def emphasised(text: str) -> str:
    """The text with styles for a terminal; without them it is the same, to the letter."""
    return "\n".join(map(_styled, text.split("\n")))


def _styled(line: str) -> str:
    for style, pattern in _STYLES:
        match = pattern.match(line)
        if match:
            return f"{style}{match[0]}{_RESET}{line[match.end() :]}"
    return line
