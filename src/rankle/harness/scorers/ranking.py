"""Ranking measures as scorers: what stands in an output, held against what is expected, by the one engine."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, Unpack

from rankle.core.errors import InputError, UnknownNameError
from rankle.core.evalset import Level
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.asked_measure import AskedMeasure, measure_of, read_measure
from rankle.harness.scorers.expectation import judged_at, read_expectation
from rankle.harness.scorers.making import make_scorer
from rankle.harness.scorers.ranking_value import NO_RELEVANT, score_ids
from rankle.harness.scorers.ranking_words import describe
from rankle.harness.scorers.retrieved import ranked_ids
from rankle.harness.scorers.selecting import Select, Selector

if TYPE_CHECKING:
    from rankle.labels.coverage import Coverage

Relevance = Literal["relevantDocs", "judgments"]
_RELEVANCE: Final = ("relevantDocs", "judgments")


class RankingOptions(TypedDict, total=False):
    """Options of every ranking measure."""

    output: Select
    """The ranked list in the output: a function of the output, or a JMESPath text."""
    expected: Select
    """The judgments in what is expected, in the same way."""
    level: Literal["document", "chunk", "span"] | None
    """What is ranked; None takes what the expectation points at, documents where it does not say."""
    relevance: Relevance
    """Where a relevant set stands beside grades, it decides for binary measures; or grades do for all."""
    coverage: "Coverage | None"
    """When a hit covers a passage; None where it has half of the passage, or is half of it."""
    name: str | None
    weight: float


@dataclass(frozen=True, slots=True)
class _Ranking:
    """Scores one output by one measure."""

    measure: AskedMeasure
    output: Selector
    expected: Selector
    level: Level | None
    relevance: Relevance
    coverage: "Coverage | None"

    def __call__(self, context: ScoreContext) -> Score:
        expected = self.expected(context.expected)
        if expected is None:
            return Score(None, reason=self.expected.reason(context.expected, otherwise=NO_RELEVANT))
        expectation = read_expectation(expected, grades_decide=self.relevance == "judgments")
        level = self.level or expectation.level
        output = self.output.needed(context.output)
        if level is Level.SPAN:
            from rankle.harness.scorers.passages import score_passages

            return score_passages(self.measure, output, expectation, coverage=self.coverage)
        return score_ids(self.measure, ranked_ids(output, level), judged_at(expectation, level))


def measure(text: str, **options: Unpack[RankingOptions]) -> Scorer:
    """Any measure by its name, such as `nDCG@10`, in any spelling that `rankle score` reads."""
    return _scorer(read_measure(text), options)


def recall(k: int, *, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Share of all relevant targets that the first k results find."""
    return _scorer(measure_of("R", k=k, rel=rel), options)


def precision(k: int, *, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Relevant results among the first k, over k."""
    return _scorer(measure_of("P", k=k, rel=rel), options)


def ndcg(
    k: int | None = None,
    *,
    gain: Literal["linear", "exp2"] = "linear",
    rel: int = 1,
    **options: Unpack[RankingOptions],
) -> Scorer:
    """Discounted gain over that of the ideal ranking of all judged targets, both cut at k."""
    return _scorer(measure_of("nDCG", k=k, rel=rel, gain=gain), options)


def rr(k: int | None = None, *, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """1 over the rank of the first relevant result; its mean over cases is the MRR."""
    return _scorer(measure_of("RR", k=k, rel=rel), options)


def ap(k: int | None = None, *, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Average precision; its mean over cases is the MAP."""
    return _scorer(measure_of("AP", k=k, rel=rel), options)


def hit_rate(k: int | None = None, *, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Whether anything relevant is among the first k."""
    return _scorer(measure_of("Hit", k=k, rel=rel), options)


def f1(k: int | None = None, *, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Harmonic mean of precision and recall."""
    return _scorer(measure_of("F1", k=k, rel=rel), options)


def r_cap(k: int, *, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Relevant targets that the first k results find, over the most that k results could hold."""
    return _scorer(measure_of("R_cap", k=k, rel=rel), options)


def rprec(*, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Precision at the number of relevant targets."""
    return _scorer(measure_of("Rprec", rel=rel), options)


def bpref(*, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Share of judged non-relevant results that stand below the relevant ones."""
    return _scorer(measure_of("Bpref", rel=rel), options)


def rbp(p: float = 0.8, *, k: int | None = None, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Rank-biased precision of a reader who goes on with probability p."""
    return _scorer(measure_of("RBP", k=k, rel=rel, p=p), options)


def err(
    k: int | None = None,
    *,
    max: int = 4,  # noqa: A002 - as the measure's name has it
    **options: Unpack[RankingOptions],
) -> Scorer:
    """Expected reciprocal rank on a scale of grades up to `max`."""
    return _scorer(measure_of("ERR", k=k, max=max), options)


def judged(k: int | None = None, **options: Unpack[RankingOptions]) -> Scorer:
    """Share of the first k places that hold a judged result."""
    return _scorer(measure_of("Judged", k=k), options)


def set_precision(*, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Share of all results that is relevant, in whatever order."""
    return _scorer(measure_of("SetP", rel=rel), options)


def set_recall(*, rel: int = 1, **options: Unpack[RankingOptions]) -> Scorer:
    """Share of all relevant targets that any result finds."""
    return _scorer(measure_of("SetR", rel=rel), options)


def _scorer(asked: AskedMeasure, options: RankingOptions) -> Scorer:
    for name in options:
        if name not in RankingOptions.__annotations__:
            raise UnknownNameError(
                what=f"option of {asked.name}", name=name, known=RankingOptions.__annotations__
            )
    relevance = options.get("relevance", "relevantDocs")
    if relevance not in _RELEVANCE:
        raise InputError(f"relevance= of {asked.name} is {' or '.join(_RELEVANCE)}, got {relevance!r}")
    call = _Ranking(
        asked,
        output=Selector(options.get("output"), "output"),
        expected=Selector(options.get("expected"), "expected"),
        level=_level(options.get("level"), asked.name),
        relevance=relevance,
        coverage=options.get("coverage"),
    )
    return make_scorer(
        call,
        default_name=asked.name,
        description=describe(asked),
        name=options.get("name"),
        weight=options.get("weight", 1.0),
    )


def _level(given: Any, measure_name: str) -> Level | None:
    try:
        return None if given is None else Level(given)
    except ValueError:
        raise InputError(f"level= of {measure_name} is {', '.join(Level)} or None, got {given!r}") from None
