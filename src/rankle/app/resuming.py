"""Finds the runs that an interrupted evaluation left, and says why they cannot be gone on with."""

from collections.abc import Iterable, Sequence

from rankle.core.errors import InputError
from rankle.core.product import NAME
from rankle.records.run_info import RunFacts, RunInfo, RunState


def find_interrupted(runs: Iterable[RunInfo], facts: RunFacts) -> tuple[RunInfo, ...]:
    """The runs of the newest interrupted command that asked what `facts` ask.

    runs: of a store, newest first. facts: of one run of the command that goes on.
    Raises InputError where there is none, with what differs in the newest that comes near.
    """
    families: dict[str, list[RunInfo]] = {}
    for info in runs:
        if info.eval is not None:
            continue
        families.setdefault(info.family, []).append(info)
    unfinished = [family for family in families.values() if _is_unfinished(family)]
    for family in unfinished:
        if not differences(_counterpart(family, facts), facts):
            return tuple(family)
    raise InputError(_why_none(unfinished, facts))


def run_of(family: Iterable[RunInfo], facts: RunFacts) -> RunInfo | None:
    """The run that one of a command began for a method; None where it did not come so far."""
    return next((info for info in family if _system(info) == _system(facts)), None)


def differences(info: RunInfo, facts: RunFacts) -> list[str]:
    """What was asked otherwise then than now, so that results of then cannot stand beside those of now.

    Empty where nothing was. The fingerprint of the system counts only where both are of one method.
    """
    compared = [
        ("set", info.set_name, facts.set_name),
        ("number of queries", info.n_queries, facts.n_queries),
        ("level", info.level, facts.level),
        ("depth", info.depth, facts.depth),
        ("collection", info.settings.get("collection"), facts.settings.get("collection")),
        ("methods", _methods(info), _methods(facts)),
    ]
    found = [
        f"{what}: {then or 'none'} then, {now or 'none'} now" for what, then, now in compared if then != now
    ]
    if not found and info.set_fingerprint != facts.set_fingerprint:
        found.append(f"the queries or judgments of {info.set_name} were changed")
    if _system(info) == _system(facts) and info.system_fingerprint != facts.system_fingerprint:
        found.append(f"{_changed_part(info, facts)} of {info.system_name} changed")
    return found


def _changed_part(info: RunInfo, facts: RunFacts) -> str:
    parts = [what for what in ("model", "index", "code") if info.parts.get(what) != facts.parts.get(what)]
    if info.settings.get("search") != facts.settings.get("search"):
        parts.append("search settings")
    return f"the {' and the '.join(parts)}" if parts else "the fingerprint"


def _is_unfinished(family: Sequence[RunInfo]) -> bool:
    if any(info.state is RunState.RUNNING for info in family):
        return False
    return len(family) < family[0].family_size or any(info.state is not RunState.COMPLETE for info in family)


def _counterpart(family: Sequence[RunInfo], facts: RunFacts) -> RunInfo:
    """The run to compare with: that of the same method, or any of the command."""
    return run_of(family, facts) or family[0]


def _why_none(unfinished: Sequence[Sequence[RunInfo]], facts: RunFacts) -> str:
    afresh = "To begin a new run, leave out --resume"
    if not unfinished:
        return f"there is no interrupted run to go on with; see: {NAME} history. {afresh}"
    near = [_counterpart(family, facts) for family in unfinished]
    info = next((info for info in near if info.set_name == facts.set_name), near[0])
    told = "; ".join(differences(info, facts))
    return (
        f"run {info.id} ({info.set_name}, {info.method}, {info.n_done} of {info.n_queries} queries) cannot "
        f"be gone on with, since something differs. {told[:1].upper()}{told[1:]}. {afresh}"
    )


def _system(run: RunFacts) -> tuple[str, str]:
    return run.system_name, run.method


def _methods(run: RunFacts) -> str:
    named = run.settings.get("methods")
    return ", ".join(map(str, named)) if isinstance(named, list | tuple) else ""
