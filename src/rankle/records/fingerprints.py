"""Tells, of the report of a run alone, whether another asked the same queries under the same judgments."""

from rankle.core.canonical import fingerprint
from rankle.core.run import RunReport


def queries_fingerprint(report: RunReport) -> str:
    """Changes with the id, text or collection of a query, and with their order."""
    return fingerprint([[query.id, query.query, query.collection] for query in report.queries])


def judgments_fingerprint(report: RunReport) -> str:
    """Changes with a judged target, its grade or whether it is relevant; the order of targets is no matter.

    Targets are those that the labels were joined to, so it also changes where an index was renamed. What is
    pooled and unjudged does not count.
    """
    return fingerprint(
        [
            [query.id, sorted([target.id, target.grade, target.relevant] for target in query.targets)]
            for query in report.queries
        ]
    )
