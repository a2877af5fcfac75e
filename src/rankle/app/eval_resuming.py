"""Finds the evals that an interrupted command left, and says why they cannot be gone on with."""

from collections.abc import Iterable, Sequence

from rankle.core.errors import InputError
from rankle.core.product import NAME
from rankle.records.run_info import RunFacts, RunInfo, RunState

_AFRESH = "To begin a new run, leave out --resume"


def find_interrupted_evals(runs: Iterable[RunInfo], facts: RunFacts) -> tuple[RunInfo, ...]:
    """The evals of the newest interrupted command that ran this eval as it is now.

    runs: of a store, newest first. facts: of the first eval of the command that goes on. Where no command
    came so far as to begin it, the newest that was asked the same is taken.
    Raises InputError where there is none, with what differs in the newest that comes near.
    """
    families: dict[str, list[RunInfo]] = {}
    for info in runs:
        if info.eval is not None and info.family_state is RunState.INTERRUPTED:
            families.setdefault(info.family, []).append(info)
    with_it = [family for family in families.values() if eval_of(family, facts) is not None]
    for family in with_it:
        if not _differences(eval_of(family, facts), facts):
            return tuple(family)
    if not with_it:
        same = (family for family in families.values() if family[0].settings == facts.settings)
        found = next(same, None)
        if found is not None:
            return tuple(found)
    raise InputError(_why_none(list(families.values()), with_it, facts))


def eval_of(family: Iterable[RunInfo], facts: RunFacts) -> RunInfo | None:
    """The eval of the same key; None where the command did not come so far as to begin it."""
    assert facts.eval is not None
    key = facts.eval.key
    return next((info for info in family if info.eval is not None and info.eval.key == key), None)


def check_same(info: RunInfo, facts: RunFacts) -> None:
    """Raise InputError where trials of then cannot stand beside those of now, with what differs."""
    changed = _differences(info, facts)
    if changed:
        raise InputError(
            f"run {info.family} cannot be gone on with, since something differs in {_named(info)}. "
            f"{_sentence(changed)}. {_AFRESH}"
        )


def _differences(info: RunInfo | None, facts: RunFacts) -> list[str]:
    assert info is not None
    assert info.eval is not None
    assert facts.eval is not None
    then, now = info.eval, facts.eval
    compared = [
        ("number of cases", str(info.n_queries), str(facts.n_queries)),
        ("trials", str(then.trials), str(now.trials)),
        ("scorers", ", ".join(then.scorers), ", ".join(now.scorers)),
    ]
    found = [
        f"{what}: {one or 'none'} then, {two or 'none'} now" for what, one, two in compared if one != two
    ]
    if info.set_fingerprint != facts.set_fingerprint:
        found.append("the inputs or expectations in its data were changed")
    elif then.cases_fingerprint != now.cases_fingerprint and info.n_queries == facts.n_queries:
        found.append("other cases are run, or in another order")
    if info.system_fingerprint != facts.system_fingerprint:
        found.append("its task, or what that declares to depend on, was changed")
    return found


def _why_none(
    unfinished: Sequence[Sequence[RunInfo]], with_it: Sequence[Sequence[RunInfo]], facts: RunFacts
) -> str:
    assert facts.eval is not None
    if not unfinished:
        return f"there is no interrupted run of evals to go on with; see: {NAME} history. {_AFRESH}"
    if not with_it:
        info = unfinished[0][0]
        begun = ", ".join(_named(one) for one in unfinished[0][::-1])
        return (
            f"run {info.family} cannot be gone on with: it was asked otherwise, and {facts.eval.key} is not "
            f"among what it began ({begun}). {_AFRESH}"
        )
    near = eval_of(with_it[0], facts)
    assert near is not None
    return (
        f"run {near.family} ({_named(near)}, {near.n_done} of {near.n_queries} cases) cannot be gone on "
        f"with, since something differs. {_sentence(_differences(near, facts))}. {_AFRESH}"
    )


def _named(info: RunInfo) -> str:
    return info.set_name if info.eval is None else info.eval.key


def _sentence(parts: Sequence[str]) -> str:
    told = "; ".join(parts)
    return f"{told[:1].upper()}{told[1:]}"
