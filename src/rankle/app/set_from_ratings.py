"""Write a set of queries made of the ratings of a workspace."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rankle.app.set_output import check_free, check_set_output
from rankle.app.wiring.knowledge_base import open_knowledge_base, passage_source
from rankle.app.wiring.settings import Settings
from rankle.core.errors import CannotMeasureError
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.formats.writing import write_eval_set
from rankle.labels.from_ratings import DEFAULT_MINIMUM, RatedSet, set_from_ratings
from rankle.labels.staleness import Verdict, check_label
from rankle.labels.stored import Stored


@dataclass(frozen=True, slots=True)
class WrittenSet:
    """What was written, and what was left out."""

    path: Path
    minimum: int
    rated: RatedSet
    queries: tuple[EvalQuery, ...]
    """As they were written."""
    n_gone: int
    """Passages left out since no indexed document holds them any more."""
    n_queries_gone: int
    """Queries left out since that is so of all their passages."""
    n_without_relevant: int
    """Queries whose passages are all judged not relevant."""

    @property
    def n_labels(self) -> int:
        return sum(len(query.labels) for query in self.queries)


def write_set_from_ratings(
    settings: Settings, output: Path, *, minimum: int = DEFAULT_MINIMUM, force: bool = False
) -> WrittenSet:
    """Write the set; labels say where passages stand now, with the chunks that hold them now.

    force: writes over a file that is there. Raises InputError where there is one, for a name that is not of
    JSON, or a minimum that is no rating, CannotMeasureError where no rating makes a label.
    """
    check_set_output(output, what="the set")
    check_free(output, force=force)
    with open_knowledge_base(settings) as kb:
        rated = set_from_ratings(kb.ratings.read(), minimum=minimum)
        stored = Stored(kb.catalog(), passage_source(kb), folder=None)
        current = [replace(query, labels=tuple(_current(query.labels, stored))) for query in rated.queries]
    queries = tuple(query for query in current if query.labels)
    n_before = sum(len(query.labels) for query in rated.queries)
    written = WrittenSet(
        path=output,
        minimum=minimum,
        rated=rated,
        queries=queries,
        n_gone=n_before - sum(len(query.labels) for query in queries),
        n_queries_gone=len(current) - len(queries),
        n_without_relevant=sum(all(label.grade == 0 for label in query.labels) for query in queries),
    )
    if not queries:
        raise CannotMeasureError(_nothing(written))
    write_eval_set(EvalSet(output.name, queries), output)
    return written


def _current(labels: Sequence[Label], stored: Stored) -> list[Label]:
    """The labels as somebody would give them now; those of what is gone left out."""
    found: dict[object, Label] = {}
    for label in labels:
        check = check_label(label, stored, guessing=False)  # what is only like it was not rated
        if not isinstance(check, str) and check.verdict is Verdict.GONE:
            continue
        kept = (label,) if isinstance(check, str) or check.repaired is None else check.repaired
        for each in kept:
            found.setdefault(each.target, each)  # the best grade comes first
    return list(found.values())


def _nothing(written: WrittenSet) -> str:
    rated = written.rated
    if not rated.n_ratings:
        return "there are no ratings to make a set of. Give some: rankle rate"
    if written.n_gone:
        return "no indexed document holds a passage that was rated. Index them again, or rate: rankle rate"
    return (
        f"all {rated.n_between} rated passages lie between not relevant (1 and 2) and the least rating "
        f"{written.minimum}; lower it with --min-rating, or rate more: rankle rate"
    )
