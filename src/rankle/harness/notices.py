"""What a reader of a run's figures must know."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rankle.core.evalset import Level
from rankle.core.ports import FLOOR_SET, SystemDescription
from rankle.core.product import NAME
from rankle.core.run import STALE_LABELS
from rankle.harness.preparation import Prepared
from rankle.harness.scoring import Scored, Scores
from rankle.labels.join import JoinedSet
from rankle.labels.unknown import UnknownName

_REUSED: Final = 3
"""Runs that a notice lists from which results were taken."""
_NAMED: Final = 5
"""Unknown names that a notice lists, and remarks of searches that are told."""
_RECORDED: Final = "run:"
"""How the name of a recorded run begins, which has no more of a result than its id."""
_ELSEWHERE: Final = (
    "Where the answers of a [systems.NAME] have ids elsewhere, its option id or document says so, such as "
    'document = "metadata.source"'
)
_ANSWERS: Final = 10
"""How many there must be for their sizes to tell something,"""
_NEARLY_ALL: Final = 0.9
"""and the share of them that must be alike."""
NOTHING_TO_FIND: Final = "queries that nothing answers"
"""How the notice begins that counts them."""


def run_notices(prepared: Prepared, scored: Scores, description: SystemDescription) -> list[str]:
    """Stale labels first, then labels that name nothing; then what the system, the reader of the set, the
    selection and the run remark."""
    return [
        *_stale(prepared),
        *_unknown(prepared.joined),
        *description.notices,
        *prepared.selection.eval_set.notices,
        *prepared.selection.notices,
        *_of_queries(prepared.joined),
        *_of_floor(prepared, description),
        *_of_answers(scored.queries),
        *_of_short_answers(prepared, scored),
        *_of_searches(scored.queries),
        *_of_batches(scored.queries),
        *_of_reuse(scored.queries),
        *_of_names(prepared, scored.queries, description),
    ]


def _stale(prepared: Prepared) -> list[str]:
    """Labels whose targets are no longer where the set says; of documents the next notice tells enough."""
    joined = prepared.joined
    n_absent = joined.n_labels - joined.n_joined
    if joined.level is Level.DOCUMENT or not prepared.has_texts or not joined.n_moved + n_absent:
        return []
    parts = []
    if joined.n_moved:
        guessed = f" ({joined.n_guessed} of them a guess among several)" if joined.n_guessed else ""
        parts.append(f"passages that moved, scored where they stand now: {joined.n_moved}{guessed}")
    if n_absent:
        parts.append(f"what stands nowhere: {n_absent}")
    counted = f"{STALE_LABELS}{joined.n_moved + n_absent} of {joined.n_labels}"
    return [f"{counted} ({'; '.join(parts)}). To see and mend them: {NAME} eval check SET"]


def _unknown(joined: JoinedSet) -> list[str]:
    if not joined.unknown:
        return []
    names = ", ".join(_described(item) for item in joined.unknown[:_NAMED])
    more = f" and {len(joined.unknown) - _NAMED} more" if len(joined.unknown) > _NAMED else ""
    n_lost = joined.n_labels - joined.n_joined
    counted = f"{n_lost} of {joined.n_labels}, counted as not found"
    return [f"labels that name nothing in the index: {counted}: {names}{more}"]


def _of_queries(joined: JoinedSet) -> list[str]:
    notices = []
    n_sharing = sum(n for n in Counter(query.query.text for query in joined.queries).values() if n > 1)
    if n_sharing:
        notices.append(
            f"queries that share their text with another id: {n_sharing}; each is scored as its own"
        )
    n_nothing = sum(not query.query.answerable for query in joined.queries)
    if n_nothing:
        notices.append(f"{NOTHING_TO_FIND}, scored as abstention alone: {n_nothing}")
    return notices


def _of_floor(prepared: Prepared, description: SystemDescription) -> list[str]:
    eval_set = prepared.selection.eval_set
    marks = not all(query.answerable for query in eval_set.queries)
    if not marks or description.floor is None or description.parts.get(FLOOR_SET) != eval_set.fingerprint:
        return []
    return ["the floor was chosen on half of these queries, so abstention looks a little better than it is"]


def _of_answers(queries: Sequence[Scored]) -> list[str]:
    n_duplicates = sum(query.outcome.answer.n_duplicates for query in queries if query.outcome.answer)
    if not n_duplicates:
        return []
    return [f"results that occurred twice in a list, counted once at the best rank: {n_duplicates:,}"]


def _of_short_answers(prepared: Prepared, scored: Scores) -> list[str]:
    """Where a system gives nearly every query the same number of results, too few for the deepest cut: a
    retriever that is built for four, or the first page of a search."""
    answers = [query.outcome.answer for query in scored.queries if query.outcome.answer is not None]
    if prepared.has_catalog or len(answers) < _ANSWERS:
        return []
    deepest = max((measure.k or 0 for measure in scored.columns), default=0)
    (n, n_alike) = Counter(len(each.hits) + each.n_duplicates for each in answers).most_common(1)[0]
    if n == 0 or n_alike < _NEARLY_ALL * len(answers) or all(len(each.hits) >= deepest for each in answers):
        return []
    once = ", fewer where repeated ones count once" if n >= deepest else ""
    told = f"{n_alike} of {len(answers)} answers have {n} results{once}: too few for k = {deepest}"
    then = "what the system does not give counts as not found"
    return [f"{told}; {then}. Ask it for more, such as by its page size or its own k"]


def _of_searches(queries: Sequence[Scored]) -> list[str]:
    """What the system said of single queries, such as that one holds no word to search for."""
    remarks = Counter(
        notice
        for query in queries
        if query.outcome.answer
        for notice in dict.fromkeys(query.outcome.answer.notices)
    )
    return [
        f"search remarked on {n} of {len(queries)} queries: {notice}"
        for notice, n in remarks.most_common(_NAMED)
    ]


def _of_batches(queries: Sequence[Scored]) -> list[str]:
    crashes = [crash for query in queries if (crash := query.outcome.crash_of_batch) is not None]
    if not crashes:
        return []
    asked = f"queries asked one by one, since the batch that they were in crashed: {len(crashes)}"
    return [f"{asked}. The first crash: {crashes[0]}"]


def _of_reuse(queries: Sequence[Scored]) -> list[str]:
    runs = Counter(run for query in queries if (run := query.outcome.reused_from) is not None)
    if not runs:
        return []
    named = ", ".join(run for run, _ in runs.most_common(_REUSED))
    more = f" and {len(runs) - _REUSED} more" if len(runs) > _REUSED else ""
    whose = f"run{'' if len(runs) == 1 else 's'} {named}{more}"
    counted = f"{runs.total()} of {len(queries)}, with the times of then ({whose})"
    taken = "results taken from an earlier run, since nothing changed that search depends on"
    return [f"{taken}: {counted}. To ask again: --no-cache"]


def _of_names(prepared: Prepared, queries: Sequence[Scored], description: SystemDescription) -> list[str]:
    if prepared.has_catalog or any(
        target.id in query.ranks for query in queries for target in query.joined.targets
    ):
        return []
    returned = next((name for query in queries for name in query.ranks), None)
    labelled = next((target.id for query in queries for target in query.joined.targets), None)
    if labelled is None:
        return []
    if returned is None:
        return _of_nothing(queries)
    words = "no result has an id that the set labels; check that set and system name things alike"
    told = f'{words}: the first result is "{returned}", the first label "{labelled}"'
    return [told if description.name.startswith(_RECORDED) else f"{told}. {_ELSEWHERE}"]


def _of_nothing(queries: Sequence[Scored]) -> list[str]:
    """Where a system found nothing for any query, and did not say why."""
    answers = [query.outcome.answer for query in queries if query.outcome.answer is not None]
    if not answers or any(answer.notices for answer in answers):
        return []
    words = "every answer was an empty list; check that the system searches what the set asks about"
    return [f"{words}: {len(answers)} of {len(queries)} queries"]


def _described(item: UnknownName) -> str:
    remarks = [f"line {item.line}"] if item.line else []
    remarks += [f'did you mean "{item.suggestion}"?'] if item.suggestion else []
    return f'"{item.name}" ({"; ".join(remarks)})' if remarks else f'"{item.name}"'
