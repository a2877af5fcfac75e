"""Whether the output is what was expected."""

from dataclasses import dataclass
from typing import Any

from rankle.harness.evals.outputs import REPR, as_json
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import NOTHING_EXPECTED, make_scorer
from rankle.harness.scorers.selecting import Select, Selector


@dataclass(frozen=True, slots=True)
class _Exact:
    ignore_case: bool
    strip: bool
    output: Selector
    expected: Selector

    def __call__(self, context: ScoreContext) -> Score:
        output, expected = self.output(context.output), self.expected(context.expected)
        if expected is None:
            return Score(None, reason=self.expected.reason(context.expected, otherwise=NOTHING_EXPECTED))
        return Score(self._plain(output) == self._plain(expected))

    def _plain(self, value: Any) -> Any:
        """A value as JSON would keep it, so that an output from the cache equals one that was just made; true
        and 1 are two."""
        if isinstance(value, str):
            text = value.strip() if self.strip else value
            return text.casefold() if self.ignore_case else text
        if isinstance(value, bool):
            return (bool, value)
        if isinstance(value, list | tuple):
            return [self._plain(one) for one in value]
        if isinstance(value, dict):
            return {key: self._plain(one) for key, one in value.items()}
        if value is None or isinstance(value, int | float):
            return value
        as_kept = as_json(value)
        return value if isinstance(as_kept, dict) and REPR in as_kept else self._plain(as_kept)


def exact(
    *,
    ignore_case: bool = False,
    strip: bool = False,
    output: Select = None,
    expected: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """1 where the output equals what is expected, whatever it is; texts inside too.

    ignore_case, strip: of texts, case does not count, and white space at the ends does not.
    Where nothing is expected it does not apply.
    """
    return make_scorer(
        _Exact(ignore_case, strip, Selector(output, "output"), Selector(expected, "expected")),
        default_name="exact",
        description="Whether the output equals what is expected"
        + (", case aside" if ignore_case else "")
        + (", white space at the ends aside" if strip else ""),
        name=name,
        weight=weight,
    )
