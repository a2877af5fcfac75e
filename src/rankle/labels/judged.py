"""The judgments of several people, written into the labels of a set."""

from collections.abc import Mapping
from dataclasses import replace

from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.core.judgment import Judgment, latest_judgments
from rankle.labels.consensus import lower_median


def judged_queries(
    eval_set: EvalSet, judgments: list[Judgment], *, by_document: bool
) -> dict[str, EvalQuery]:
    """The queries that judgments change, by id, with their labels as they should be now.

    Of each judge the latest grade counts, of several the median, the lower of two. A label of the same chunk
    or document gets the grade; what nobody judged stays as it is. Queries that are not in the set are passed
    over.
    """
    by_query: dict[str, list[Label]] = {}
    for (query, _), by_judge in latest_judgments(judgments).items():
        by_query.setdefault(query, []).append(_label(by_judge, by_document=by_document))
    changed = {}
    for query_ in eval_set.queries:
        labels = _merged(query_.labels, by_query.get(query_.id, []))
        if labels != query_.labels:
            changed[query_.id] = replace(query_, labels=labels)
    return changed


def _label(by_judge: Mapping[str, Judgment], *, by_document: bool) -> Label:
    grade = lower_median([judgment.grade for judgment in by_judge.values()])
    last = max(by_judge.values(), key=lambda judgment: judgment.at)
    if by_document:
        return Label(last.document, None, grade)
    span = Span(last.quote, last.start, last.end)
    return Label(last.document, Level.SPAN, grade, span=span, chunk=last.target)


def _merged(labels: tuple[Label, ...], judged: list[Label]) -> tuple[Label, ...]:
    merged = list(labels)
    apart = any(label.relevant is not None for label in labels)
    for new in judged:
        place = next((n for n, label in enumerate(merged) if _same(label, new)), None)
        stated = new.grade > 0 if apart and new.span is None else None
        if place is None:
            merged.append(replace(new, relevant=stated))
        else:
            merged[place] = replace(merged[place], grade=new.grade, relevant=stated)
    return tuple(merged)


def _same(label: Label, new: Label) -> bool:
    if new.span is None:
        return label.span is None and label.name == new.name
    return new.chunk in (label.chunk, label.name) or label.target == new.target
