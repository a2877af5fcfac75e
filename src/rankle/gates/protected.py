"""Protected targets: what every query that needs them must find, whatever the averages say."""

from dataclasses import dataclass

from msgspec import UNSET

from rankle.core.errors import nearest
from rankle.core.gate import RuleVerdict, Verdict
from rankle.core.run import RunReport
from rankle.gates.rules import Protected
from rankle.gates.words import count, listed


def judge_protected(run: RunReport, rule: Protected) -> RuleVerdict:
    """Broken where a query does not have a protected target that it needs within the first results.

    Could not be measured where no query needs one of the targets (a typo would protect nothing), where the
    system failed on a query that does, and where results were cut above the rank that is asked.
    """
    found = _look(run, rule)
    problems = _problems(run, rule, found)
    verdict = Verdict.BROKEN if found.lost else Verdict.PASSED
    lost = f"; lost: {listed(found.lost)}" if found.lost else ""
    why = f"{found.n_needed - len(found.lost)} of {count(found.n_needed, 'target')} found{lost}"
    return RuleVerdict(
        kind="protected",
        rule=f"{count(len(rule.targets), 'protected target')} found in the first {rule.within}",
        verdict=Verdict.COULD_NOT_MEASURE if problems else verdict,
        why="; ".join([why, *problems]),
        limit=rule.within,
        value=len(found.lost),
        n=found.n_needed,
        lost=found.lost,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    n_needed: int
    """Protected targets of answered queries; one that two queries need counts twice."""
    lost: list[str]
    failed: list[str]
    needed: frozenset[str]
    """Protected targets that any query needs."""


def _look(run: RunReport, rule: Protected) -> _Found:
    wanted = frozenset(rule.targets)
    pairs = [
        (query, target)
        for query in run.queries
        for target in query.targets
        if target.relevant and target.id in wanted
    ]
    answered = [(query, target) for query, target in pairs if query.status != "failed"]
    return _Found(
        n_needed=len(answered),
        lost=[
            f"{target.id} ({query.id})"
            for query, target in answered
            if target.rank is None or target.rank > rule.within
        ],
        failed=list(dict.fromkeys(query.id for query, _ in pairs if query.status == "failed")),
        needed=frozenset(target.id for _, target in pairs),
    )


def _problems(run: RunReport, rule: Protected, found: _Found) -> list[str]:
    problems = [_unneeded(run, name) for name in rule.targets if name not in found.needed]
    if found.failed:
        problems.append(f"the system failed on queries that need one: {listed(found.failed)}")
    if run.system.path is UNSET and rule.within > run.depth:
        problems.append(f"only {run.depth} results were asked for; raise the depth: --depth {rule.within}")
    return problems


def _unneeded(run: RunReport, name: str) -> str:
    known = {target.id for query in run.queries for target in query.targets if target.relevant}
    close = nearest(name, known)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    return f"no query of the set needs {name}{hint}"
