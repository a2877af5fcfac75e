"""How alike an answer and what is expected are, by edits of characters."""

from dataclasses import dataclass

from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import NOTHING_EXPECTED, make_scorer
from rankle.harness.scorers.selecting import Select, Selector
from rankle.harness.scorers.texts import expected_texts, text_of


@dataclass(frozen=True, slots=True)
class _Levenshtein:
    ignore_case: bool
    strip: bool
    output: Selector
    expected: Selector

    def __call__(self, context: ScoreContext) -> Score:
        from rapidfuzz import distance  # costs 20 ms, and only this scorer needs it

        expected = self.expected(context.expected)
        if expected is None or not (allowed := expected_texts(expected)):
            return Score(None, reason=self.expected.reason(context.expected, otherwise=NOTHING_EXPECTED))
        text = self._plain(text_of(self.output.needed(context.output)))
        measure = distance.Levenshtein
        likeness = {one: measure.normalized_similarity(text, self._plain(one)) for one in allowed}
        best = max(likeness, key=lambda one: likeness[one])
        edits = measure.distance(text, self._plain(best))
        return Score(likeness[best], {"distance": edits, "length": max(len(text), len(self._plain(best)))})

    def _plain(self, text: str) -> str:
        stripped = text.strip() if self.strip else text
        return stripped.casefold() if self.ignore_case else stripped


def levenshtein(
    *,
    ignore_case: bool = False,
    strip: bool = False,
    output: Select = None,
    expected: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """1 - edits / length of the longer text: 1 where both are equal, 0 where nothing is in common.

    Edits insert, delete or replace one character. Of several expected texts the one most alike counts.
    Where nothing is expected it does not apply. Source: Levenshtein 1966, normalised by the longer text.
    """
    return make_scorer(
        _Levenshtein(ignore_case, strip, Selector(output, "output"), Selector(expected, "expected")),
        default_name="levenshtein",
        description="Likeness to what is expected: 1 - edits / length of the longer text",
        name=name,
        weight=weight,
    )
