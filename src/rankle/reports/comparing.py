"""Compares runs over the same queries: every pair by every measure, with what moved and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.core.nouns import Noun, asked_at
from rankle.core.product import VERSION
from rankle.core.run import QueryReport, RunReport
from rankle.reports.abstention_change import abstention_change
from rankle.reports.comparability import (
    check_comparable,
    check_different,
    chosen_measures,
    common_queries,
    mismatches,
)
from rankle.reports.comparison import SCHEMA, ComparedRun, Comparison, MeasureVerdict, PairComparison
from rankle.reports.comparison_notes import comparison_notes
from rankle.reports.differences import main_of
from rankle.reports.pair_details import moves, overlap, slice_differences
from rankle.reports.pair_tests import Correction, TestPlan, tested_pairs
from rankle.reports.system_changes import system_changes
from rankle.reports.verdicts import pair_sentence, several_sentence
from rankle.stats.paired import Method

Pairs = Literal["all", "first"]
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How runs are to be compared."""

    measures: tuple[str, ...] | None = None
    """As a user spells them; None takes the deepest cut of each kind that all runs have."""
    alpha: float = 0.05
    """The chance of any false alarm among all tests of the comparison that is accepted."""
    test: Method = "randomisation"
    pairs: Pairs | None = None
    """Of more than two runs: all pairs, by randomised Tukey HSD, or each against the first, by Holm; None
    takes all, and the first where the test is none that Tukey's could be."""
    seed: int = 0
    force: bool = False
    """Whether to compare what runs have in common that differ in more than their systems."""

    def __post_init__(self) -> None:
        """Raises InputError on what is out of range."""
        if not 0.0 < self.alpha < 1.0:
            raise InputError(f"alpha must be between 0 and 1, got {self.alpha:g}; 0.05 is 5 %")
        if self.test not in get_args(Method):
            raise UnknownNameError(what="test", name=self.test, known=get_args(Method))
        if self.seed < 0:
            raise InputError(f"the seed must be an integer >= 0, got {self.seed}")
        if self.pairs is not None and self.pairs not in get_args(Pairs):
            raise InputError(f'pairs must be "all" or "first", got "{self.pairs}"')
        if self.measures is not None and not self.measures:
            raise InputError("no measure is named; name one, such as nDCG@10, or leave it open")

    def correction(self, *, n_runs: int, n_measures: int) -> Correction:
        """How p-values are adjusted. Raises InputError where Tukey's test is asked for with another one."""
        if n_runs > 2 and self.pairs != "first" and self.test == "randomisation":
            return "tukey"
        if n_runs > 2 and self.pairs == "all":
            raise InputError(
                f'all pairs are compared by randomisation (Tukey HSD), not by "{self.test}"; '
                "compare each with the first (--pairs first), or leave the test as it is"
            )
        return "holm" if (n_runs - 1) * n_measures > 1 else "none"


def compare_runs(
    runs: Sequence[RunReport], names: Sequence[str], request: Request, *, advice: str | None = None
) -> Comparison:
    """Compare two or more runs, each with a name that a user knows it by.

    advice: what else than --force to do where they cannot be compared.

    Queries on which a run failed are in none of its pairs, and a note says which. Raises InputError on one
    run that is named twice and on measures that cannot be compared by, CannotMeasureError on runs that
    differ in more than their systems unless forced, and where no query was scored by two of them.
    """
    if len(runs) < 2:
        raise InputError(f"a comparison takes two runs or more, got {len(runs)}")
    check_different(runs, names)
    labels = labels_of(len(runs))
    found = mismatches(runs, labels, measures_matter=request.measures is None)
    if not request.force:
        check_comparable(found, first_label=labels[0], otherwise=advice)
    measures = chosen_measures(runs, labels, request.measures)
    queries = _shared(runs)
    plan = TestPlan(
        correction=request.correction(n_runs=len(runs), n_measures=len(measures)),
        method=request.test,
        alpha=request.alpha,
        seed=request.seed,
    )
    pairs = _pairs(runs, queries, labels, measures, plan)
    return Comparison(
        schema=SCHEMA,
        rankle_version=VERSION,
        level=runs[0].level,
        depth=min(run.depth for run in runs),
        n_queries=len(queries[0]),
        forced=bool(found),
        mismatches=list(found),
        test=plan.method,
        correction=plan.correction,
        n_tests=len(pairs) * len(measures),
        alpha=plan.alpha,
        seed=plan.seed,
        main_measure=_main(measures),
        runs=[_described(*one) for one in zip(labels, names, runs, strict=True)],
        verdicts=_verdicts(pairs, measures, plan, asked_at(runs[0].level)),
        notes=comparison_notes(runs, queries, labels, pairs, found, plan),
        pairs=pairs,
    )


def _shared(runs: Sequence[RunReport]) -> Sequence[Mapping[str, QueryReport]]:
    """Of each run, what all of them were asked. Raises CannotMeasureError where that is nothing."""
    queries = common_queries(runs)
    if not queries[0]:
        asked = asked_at(runs[0].level)
        raise CannotMeasureError(f"these runs have no {asked.one} in common, so there is nothing to compare")
    return queries


def labels_of(n: int) -> list[str]:
    """A, B, …, Z, A2, B2, …: short names for columns."""
    size = len(_ALPHABET)
    return [_ALPHABET[place % size] + (str(place // size + 1) if place >= size else "") for place in range(n)]


def _pairs(
    runs: Sequence[RunReport],
    queries: Sequence[Mapping[str, QueryReport]],
    labels: Sequence[str],
    measures: Sequence[str],
    plan: TestPlan,
) -> list[PairComparison]:
    tested = tested_pairs(queries, labels, measures, plan)
    pairs = []
    for pair in tested:
        a, b = queries[pair.a], queries[pair.b]
        pairs.append(
            PairComparison(
                a=labels[pair.a],
                b=labels[pair.b],
                changed=system_changes(
                    runs[pair.a].system, runs[pair.b].system, is_eval=runs[pair.a].level == "case"
                ),
                measures=pair.measures,
                moves=moves(a, b, _main(measures)),
                slices=slice_differences(a, b, _main(measures), alpha=plan.alpha, seed=plan.seed),
                overlap=overlap(a, b, measures=measures),
                abstention=abstention_change(
                    (runs[pair.a], runs[pair.b]), (a, b), alpha=plan.alpha, seed=plan.seed
                ),
            )
        )
    if not any(map(_tells, pairs)):
        raise CannotMeasureError(_nothing_scored(runs[0].level))
    return pairs


def _tells(pair: PairComparison) -> bool:
    """Whether any query tells the two apart: by a score, or by whether each run abstained on it."""
    change = pair.abstention
    told = 0 if change is None else change.recall.n + change.answered.n
    return told > 0 or any(one.n for one in pair.measures)


def _nothing_scored(level: str) -> str:
    asked = asked_at(level)
    why = (
        "where a scorer gave it a value and the task did not fail"
        if level == "case"
        else "where the set has a relevant label for it and the system did not fail"
    )
    return (
        f"no {asked.one} was scored by two of these runs, so there is nothing to compare. "
        f"A {asked.one} is scored {why}"
    )


def _main(measures: Sequence[str]) -> str:
    found = main_of(measures)
    assert found is not None, "measures to compare by all rank"
    return found


def _verdicts(
    pairs: Sequence[PairComparison], measures: Sequence[str], plan: TestPlan, asked: Noun
) -> list[MeasureVerdict]:
    n_tests = len(pairs) * len(measures)
    verdicts = []
    for place, measure in enumerate(measures):
        each = [(pair.a, pair.b, pair.measures[place]) for pair in pairs]
        if len(each) == 1:
            sentence = pair_sentence(
                each[0][2], label=each[0][1], alpha=plan.alpha, n_tests=n_tests, asked=asked
            )
        else:
            sentence = several_sentence(each, alpha=plan.alpha, n_tests=n_tests, asked=asked)
        verdicts.append(MeasureVerdict(measure=measure, sentence=sentence))
    return verdicts


def _described(label: str, name: str, run: RunReport) -> ComparedRun:
    return ComparedRun(
        label=label,
        name=name,
        id=run.id,
        created=run.created,
        rankle_version=run.rankle_version,
        system=run.system.name,
        method=run.system.method,
        system_fingerprint=run.system.fingerprint,
        set=run.set,
        n_failed=sum(query.status == "failed" for query in run.queries),
    )
