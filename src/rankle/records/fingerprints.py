"""Tells, of the report of a run alone, whether another asked the same queries under the same judgments."""

from rankle.core.canonical import fingerprint
from rankle.core.run import QueryReport, RunReport


def queries_fingerprint(report: RunReport) -> str:
    """Changes with the id, text or collection of a query; their order is no matter, as everywhere that runs
    are compared query by query."""
    return fingerprint([[query.id, query.query, query.collection] for query in _by_id(report)])


def judgments_fingerprint(report: RunReport) -> str:
    """Changes with a judged target, its grade or whether it is relevant; their order is no matter.

    Targets are those that the labels were joined to, so it also changes where an index was renamed. What is
    pooled and unjudged does not count.
    """
    return fingerprint(
        [
            [query.id, sorted([target.id, target.grade, target.relevant] for target in query.targets)]
            for query in _by_id(report)
        ]
    )


def _by_id(report: RunReport) -> list[QueryReport]:
    return sorted(report.queries, key=lambda query: query.id)
