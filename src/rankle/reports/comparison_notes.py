"""What a reader of a comparison must know before the figures are believed."""

from collections.abc import Mapping, Sequence
from typing import Final

from rankle.core.nouns import Noun, asked_at
from rankle.core.run import QueryReport, RunReport
from rankle.reports.comparability import differently_judged, mismatch_words
from rankle.reports.comparison import Mismatch, PairComparison
from rankle.reports.pair_tests import TestPlan
from rankle.stats.paired import WARNINGS

_NAMED: Final = 5
_MANY: Final = 0.05
"""Share of the results looked at from which on unjudged ones could decide."""


def comparison_notes(
    runs: Sequence[RunReport],
    queries: Sequence[Mapping[str, QueryReport]],
    labels: Sequence[str],
    pairs: Sequence[PairComparison],
    found: Sequence[Mismatch],
    plan: TestPlan,
) -> list[str]:
    """What differs although it was forced, what was left out, and what to think of the test."""
    return [
        *(f"forced although {mismatch_words(one, first_label=labels[0])}" for one in found),
        *_failures(queries, labels, asked_at(runs[0].level)),
        *_labels(runs, labels, found),
        *_versions(runs, labels),
        *([WARNINGS[plan.method]] if plan.method in WARNINGS else []),
        *_unjudged(pairs),
    ]


def _failures(queries: Sequence[Mapping[str, QueryReport]], labels: Sequence[str], asked: Noun) -> list[str]:
    """Failed queries are in no mean, and a pair leaves them out of both of its runs."""
    failed = {
        label: [name for name, query in run.items() if query.status == "failed"]
        for label, run in zip(labels, queries, strict=True)
    }
    return [
        f"{label} failed on {asked.counted(len(names))}, left out of both sides: "
        f"{', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else ''}"
        for label, names in failed.items()
        if names
    ]


def _labels(runs: Sequence[RunReport], labels: Sequence[str], found: Sequence[Mismatch]) -> list[str]:
    """Sets that differ in what no measure reads, and equal sets whose labels mean other targets."""
    notes = []
    differing = {one.run for one in found if one.what in ("queries", "cases", "judgments", "set")}
    for label, run in zip(labels[1:], runs[1:], strict=True):
        if label in differing:
            continue
        if run.set.fingerprint != runs[0].set.fingerprint:
            notes.append(
                f"the sets of {labels[0]} and {label} differ, though not in queries or judgments (in tags, "
                "answers or topics), so they are compared"
            )
            continue
        others = differently_judged(runs[0], run)
        if others and run.level == runs[0].level:  # at another level they mean other targets anyway
            notes.append(
                f"of {_counted(len(others), 'query', 'queries')} the labels mean other targets in {label} "
                f"than in {labels[0]}, since what is indexed differs: {', '.join(others[:_NAMED])}"
                f"{', …' if len(others) > _NAMED else ''}"
            )
    return notes


def _versions(runs: Sequence[RunReport], labels: Sequence[str]) -> list[str]:
    if len({run.rankle_version for run in runs}) == 1:
        return []
    each = ", ".join(f"{label} {run.rankle_version}" for label, run in zip(labels, runs, strict=True))
    return [f"the runs were made by different versions of this program: {each}"]


def _unjudged(pairs: Sequence[PairComparison]) -> list[str]:
    """Unjudged results count as not relevant, which is hard on the run that nobody judged the results of."""
    notes = []
    for pair in pairs:
        found = pair.overlap
        if found is None or found.unjudged_only_a == found.unjudged_only_b == 0:
            continue
        more = max((found.unjudged_only_a, pair.a), (found.unjudged_only_b, pair.b))
        less = min((found.unjudged_only_a, pair.a), (found.unjudged_only_b, pair.b))
        if more[0] >= 2 * less[0] and more[0] > _MANY * found.n * (found.k or 1):
            notes.append(
                f"{more[1]} returns {more[0]:,} unjudged results that {less[1]} does not, against "
                f"{less[0]:,} the other way round; they count as not relevant, so {more[1]} may be better "
                "than it looks"
            )
    return notes


def _counted(n: int, one: str, several: str) -> str:
    return f"{n:,} {one if n == 1 else several}"
