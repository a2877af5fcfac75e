"""Limits of a run: failures, labels that name nothing, results that nobody judged, latency."""

from rankle.core.gate import RuleVerdict, Verdict
from rankle.core.nouns import asked_at
from rankle.core.run import RunReport
from rankle.gates.floors import SAME
from rankle.gates.rules import Unjudged
from rankle.gates.words import count, figure, listed


def judge_failures(run: RunReport, *, most: int) -> RuleVerdict:
    """More failures than allowed could not be measured: the queries that are left may be the easy ones."""
    failed = [query for query in run.queries if query.status == "failed"]
    asked = asked_at(run.level)
    of_all = f"{len(failed)} of {asked.counted(len(run.queries))}"
    too_many = len(failed) > most
    first = f"; the first, {failed[0].id}: {failed[0].error}" if failed else ""
    accept = f". To accept them: max_failures = {len(failed)}" if too_many else ""
    return RuleVerdict(
        kind="failures",
        rule=f"failed {asked.several} at most {most}",
        verdict=Verdict.COULD_NOT_MEASURE if too_many else Verdict.PASSED,
        why=f"{of_all}{first}{accept}",
        limit=most,
        value=len(failed),
        n=len(run.queries),
    )


def judge_stale_labels(run: RunReport, *, most: int) -> RuleVerdict:
    """Labels that name nothing in the index could not be measured: the set is out of date, or the index.

    Of a system that does not list what it holds, such as one behind HTTP, none is known to be stale: the rule
    passes, has no value, and says why.
    """
    labels = run.labels
    is_listed = bool(labels.unknown) or labels.n_joined == labels.n_labels
    n_stale = labels.n_labels - labels.n_joined if is_listed else 0
    too_many = n_stale > most
    names = f": {listed(labels.unknown)}" if labels.unknown else ""
    repair = ". See: rankle eval check SET" if too_many else ""
    counted = f"{n_stale} of {count(labels.n_labels, 'label')}{names}{repair}"
    return RuleVerdict(
        kind="stale labels",
        rule=f"labels that name nothing in the index at most {most}",
        verdict=Verdict.COULD_NOT_MEASURE if too_many else Verdict.PASSED,
        why=counted if is_listed else "not looked for: the system does not list what it holds",
        limit=most,
        value=n_stale if is_listed else None,
        n=labels.n_labels,
    )


def judge_unjudged(run: RunReport, rule: Unjudged) -> RuleVerdict:
    """The share of results without a grade among the first of each scored query.

    Queries without a relevant label are in no figure of the run, and not in this one.
    """
    grades = [
        result.grade
        for query in run.queries
        if query.status == "scored"
        for result in query.results
        if result.rank <= rule.within
    ]
    share = sum(grade is None for grade in grades) / len(grades) if grades else None
    if share is None:
        verdict, why = Verdict.COULD_NOT_MEASURE, _without_results(run)
    else:
        verdict = Verdict.BROKEN if share > rule.share + SAME else Verdict.PASSED
        beside = rule.share if verdict is Verdict.BROKEN else None
        n_unjudged = sum(grade is None for grade in grades)
        why = f"{figure(share, beside=beside)}: {n_unjudged:,} of {count(len(grades), 'result')}"
    return RuleVerdict(
        kind="unjudged",
        rule=f"unjudged share of the first {rule.within} results at most {rule.share:g}",
        verdict=verdict,
        why=why,
        limit=rule.share,
        value=share,
        n=len(grades),
    )


def _without_results(run: RunReport) -> str:
    if run.level == "case":
        return "a run of an eval keeps outputs, and no ranked results that could be judged"
    return "the run holds no result of a scored query"


def judge_latency(run: RunReport, *, most_ms: float) -> RuleVerdict:
    """p95 of single searches. A query's share of a batch is no latency, and could not be measured."""
    latency = run.latency_ms
    value = None
    if latency.of == "batch":
        verdict = Verdict.COULD_NOT_MEASURE
        why = (
            f"queries were answered in batches of up to {latency.batch_size}, and a share of a batch is not "
            "what one search takes. Evaluate with --one-by-one"
        )
    elif latency.n_reused:
        verdict = Verdict.COULD_NOT_MEASURE
        why = f"{latency.n_reused} times are those of an earlier run. Evaluate with --no-cache"
    elif latency.p95 is None:
        verdict, why = Verdict.COULD_NOT_MEASURE, "the run has no latencies: nothing was timed"
    else:
        value = latency.p95
        verdict = Verdict.BROKEN if value > most_ms else Verdict.PASSED
        why = f"{value:,.1f} ms"
    return RuleVerdict(
        kind="latency",
        rule=f"latency p95 at most {most_ms:g} ms",
        verdict=verdict,
        why=why,
        limit=most_ms,
        value=value,
        n=sum(query.took_ms is not None for query in run.queries),
    )
