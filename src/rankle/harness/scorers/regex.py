"""Whether an answer matches a regular expression."""

import re
from dataclasses import dataclass

from rankle.core.errors import InputError
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import NOTHING_EXPECTED, make_scorer, shown
from rankle.harness.scorers.selecting import Select, Selector
from rankle.harness.scorers.texts import text_of

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class _Regex:
    pattern: str | None
    ignore_case: bool
    whole: bool
    output: Selector
    expected: Selector

    def __call__(self, context: ScoreContext) -> Score:
        pattern = self.pattern if self.pattern is not None else self.expected(context.expected)
        if pattern is None:
            return Score(None, reason=self.expected.reason(context.expected, otherwise=NOTHING_EXPECTED))
        if not isinstance(pattern, str):
            raise InputError(f"what is expected must be a regular expression, got {shown(pattern)}")
        compiled = _compiled(pattern, ignore_case=self.ignore_case)
        text = text_of(self.output.needed(context.output))
        found = compiled.fullmatch(text) if self.whole else compiled.search(text)
        return Score(found is not None, {"match": None if found is None else found[0][:_SHOWN]})


def regex(
    pattern: str | None = None,
    *,
    ignore_case: bool = False,
    whole: bool = False,
    output: Select = None,
    expected: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """1 where the pattern, in the syntax of Python's `re`, stands somewhere in the answer.

    pattern: None takes what is expected. whole: the whole answer must match.
    Raises InputError on what is no regular expression.
    """
    if pattern is not None:
        _compiled(pattern, ignore_case=ignore_case)
    what = "what is expected" if pattern is None else f"/{pattern}/"
    return make_scorer(
        _Regex(pattern, ignore_case, whole, Selector(output, "output"), Selector(expected, "expected")),
        default_name="regex",
        description=f"Whether the {'whole ' if whole else ''}answer matches {what}",
        name=name,
        weight=weight,
    )


def _compiled(pattern: str, *, ignore_case: bool) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE if ignore_case else 0)  # which keeps those of before
    except (re.error, TypeError) as error:
        raise InputError(f"no regular expression: {pattern!r} ({error})") from None
