"""Checks all labels of a set, and writes the set anew with what is certain."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from rankle.core.errors import Fault, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.labels.finding import find_label
from rankle.labels.level import Mentioned, choose_level
from rankle.labels.staleness import Check, Verdict, check_label
from rankle.labels.stored import Stored


class Checked(NamedTuple):
    """A label's verdict, and the query that it is of."""

    query: EvalQuery
    check: Check


@dataclass(frozen=True, slots=True)
class SetCheck:
    """All labels of a set, held against what is stored now."""

    level: Level | None
    """None where labels are of several kinds and nobody said which counts."""
    checks: tuple[Checked, ...]
    """In the order of the set; labels that are in `faults` left out."""
    faults: tuple[Fault, ...]
    """Labels that do not say clearly what they mean, so that the set cannot be scored."""
    level_fault: str | None = None
    """Why the labels cannot be scored together, or not at the level asked for; None where they can."""

    def count(self, verdict: Verdict) -> int:
        return sum(checked.check.verdict is verdict for checked in self.checks)

    @property
    def n_stale(self) -> int:
        """Labels that are not valid."""
        return len(self.checks) - self.count(Verdict.VALID)

    @property
    def unrepaired(self) -> tuple[Checked, ...]:
        """Stale labels that nobody can repair for certain: what moved to several places, and what is gone."""
        return tuple(
            one for one in self.checks if one.check.verdict is not Verdict.VALID and not one.check.repaired
        )


def check_set(eval_set: EvalSet, stored: Stored, *, level: Level | None = None) -> SetCheck:
    """The verdict on every label, also where they do not allow one level, or not the one asked for."""
    mentions = [
        Mentioned(label, find_label(label, stored.names).level)
        for query in eval_set.queries
        for label in query.labels
    ]
    chosen, level_fault = level, None
    try:
        chosen = choose_level(mentions, asked=level)
    except InputError as error:
        level_fault = str(error)
    checks: list[Checked] = []
    faults: list[Fault] = []
    for query in eval_set.queries:
        for label in query.labels:
            found = check_label(label, stored, by_chunk=chosen is Level.CHUNK)
            if isinstance(found, str):
                faults.append(Fault(query.line, found))
            else:
                checks.append(Checked(query, found))
    return SetCheck(chosen, tuple(checks), tuple(faults), level_fault)


def repaired_set(
    eval_set: EvalSet,
    found: SetCheck,
    stored: Stored,
    *,
    drop_gone: bool = False,
    with_passages: bool = False,
) -> EvalSet:
    """The set with every label as it should be now, where that is certain; the others stand as they were.

    drop_gone: leaves out what is gone, as if it had never been labelled; else it stays and is never found.
    with_passages: puts the passage beside chunk ids that have none, so that they last.
    """
    by_query: dict[str, list[Label]] = {}
    for query, check in found.checks:
        labels = by_query.setdefault(query.id, [])
        if check.repaired is None or (check.verdict is Verdict.GONE and not drop_gone):
            labels.append(check.label)
        elif with_passages:
            labels += (_with_passage(label, stored) for label in check.repaired)
        else:
            labels += check.repaired
    queries = (replace(query, labels=tuple(_once(by_query.get(query.id, ())))) for query in eval_set.queries)
    return replace(eval_set, queries=tuple(queries))


def _with_passage(label: Label, stored: Stored) -> Label:
    place = stored.places.get(label.name)
    if label.span is not None or place is None or label.relevant is not None:
        return label
    text = stored.text(place.document).text[place.start : place.end]
    span = Span(text, place.start, place.end)
    return Label(place.document, Level.SPAN, label.grade, span=span, chunk=label.name)


def _once(labels: Iterable[Label]) -> Iterator[Label]:
    """Each target once, with the highest of its grades: repairs can make one of two."""
    kept: dict[object, Label] = {}
    for label in labels:
        before = kept.get(label.target)
        if before is None or label.grade > before.grade:
            kept[label.target] = label
    yield from kept.values()
