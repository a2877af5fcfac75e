"""Whether an answer contains given texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rankle.core.errors import InputError
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import NOTHING_EXPECTED, make_scorer
from rankle.harness.scorers.selecting import Select, Selector
from rankle.harness.scorers.texts import expected_texts, text_of


@dataclass(frozen=True, slots=True)
class _Contains:
    texts: tuple[str, ...] | None
    match: Literal["all", "any"]
    ignore_case: bool
    output: Selector
    expected: Selector

    def __call__(self, context: ScoreContext) -> Score:
        wanted = self.texts
        if wanted is None:
            expected = self.expected(context.expected)
            if expected is None or not (wanted := tuple(expected_texts(expected))):
                return Score(None, reason=self.expected.reason(context.expected, otherwise=NOTHING_EXPECTED))
        text = self._plain(text_of(self.output.needed(context.output)))
        found = [one for one in wanted if self._plain(one) in text]
        missing = [one for one in wanted if one not in found]
        value = not missing if self.match == "all" else bool(found)
        return Score(value, {"found": found, "missing": missing})

    def _plain(self, text: str) -> str:
        return text.casefold() if self.ignore_case else text


def contains(
    text: str | Sequence[str] | None = None,
    *,
    match: Literal["all", "any"] = "all",
    ignore_case: bool = False,
    output: Select = None,
    expected: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """1 where the answer contains the text, or all (any) of several; None takes what is expected.

    Where nothing is expected it does not apply. Raises InputError on texts that are none, or empty.
    """
    texts = None if text is None else tuple(expected_texts(text))
    if texts is not None and not all(texts):
        raise InputError(
            f"contains needs texts that are not empty, got {text!r}; every answer contains nothing"
        )
    if match not in ("all", "any"):
        raise InputError(f"match= of contains is all or any, got {match!r}")
    what = "what is expected" if texts is None else ", ".join(f'"{one}"' for one in texts)
    is_plain = len(texts) == 1 if texts else match == "all"
    several = "" if is_plain else f"{match} of "
    return make_scorer(
        _Contains(texts, match, ignore_case, Selector(output, "output"), Selector(expected, "expected")),
        default_name="contains",
        description=f"Whether the answer contains {several}{what}",
        name=name,
        weight=weight,
    )
