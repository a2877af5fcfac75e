"""Whether a run may be held against a baseline: the same queries, judgments, level, depth and ties."""

from msgspec import UNSET

from rankle.core.gate import Baseline
from rankle.core.nouns import asked_at
from rankle.core.run import RunReport
from rankle.records.fingerprints import judgments_fingerprint, queries_fingerprint

_SHOWN = 12
"""Hex digits of a fingerprint that are shown."""


def incomparable(run: RunReport, baseline: Baseline) -> list[str]:
    """What differs, in words, so that the two cannot be compared; empty where they can.

    Sets with one fingerprint are the same, however an index joined their labels. With another, their queries
    and judgments decide, since tags and expected answers change the fingerprint too. The depth of a recorded
    run is what its file happens to hold, and is compared with nothing.
    """
    prints = {
        asked_at(run.level).several: (queries_fingerprint(run), baseline.queries_fingerprint),
        "judgments": (judgments_fingerprint(run), baseline.judgments_fingerprint),
    }
    if run.level == baseline.level == "case":  # the id of a case holds what is expected
        del prints["judgments"]
    found = [
        f"other {name} (fingerprint {before[:_SHOWN]}, now {now[:_SHOWN]})"
        for name, (now, before) in prints.items()
        if now != before and run.set.fingerprint != baseline.set.fingerprint
    ]
    facts: dict[str, tuple[str, str]] = {
        "level": (run.level, baseline.level),
        "order of ties": (run.ties, baseline.ties),
    }
    if not (run.system.path is not UNSET and baseline.system.path is not UNSET):
        facts["depth"] = (str(run.depth), str(baseline.depth))
    found += [
        f"another {name} ({before}, now {now})" for name, (now, before) in facts.items() if now != before
    ]
    return found
