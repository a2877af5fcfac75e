"""Joins the labels of a set to what a system holds, at one level."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from rankle.core.catalog import Catalog
from rankle.core.errors import BadLinesError, Fault
from rankle.core.evalset import EvalQuery, EvalSet, Level
from rankle.core.ids import content_hash, short_content_id
from rankle.core.ports import PassageSource
from rankle.core.text_range import Range
from rankle.labels.finding import Named, as_chunk, find_label
from rankle.labels.level import Mentioned, choose_level
from rankle.labels.names import Names
from rankle.labels.sites import site_labels, stored_by
from rankle.labels.unknown import UnknownName, check_that_some_join, with_suggestions

_QUOTED: Final = 60
"""Characters of a quote that name a passage; the hash of a longer one tells it from others."""
_LISTED: Final = 5
"""Documents of an ambiguous name that a fault lists."""


@dataclass(frozen=True, slots=True)
class Target:
    """What one judgment points at, at the level that is scored."""

    id: str
    """As results spell it; the name as written where nothing that is known fits."""
    grade: int
    """0 is judged not relevant; negative is unjudged."""
    relevant: bool | None
    """Member of a relevant set stated apart from the grades; None where the grade decides."""
    documents: tuple[str, ...]
    """Documents that the target is or is part of; the name itself where no document fits it, and none for a
    chunk that nobody knows."""
    indexed: bool
    """Whether the system holds it; True where the system cannot tell."""
    place: Range | None = None
    """Where it stands, at level SPAN; None at the others, and where it stands nowhere."""

    @property
    def is_relevant(self) -> bool:
        return self.grade >= 1 if self.relevant is None else self.relevant


@dataclass(frozen=True, slots=True)
class JoinedQuery:
    """One query with its targets."""

    query: EvalQuery
    targets: tuple[Target, ...]

    @property
    def judgments(self) -> dict[str, int]:
        """Target to grade, negative ones too, as the measures read them."""
        return {target.id: target.grade for target in self.targets}

    @property
    def stated_relevant(self) -> frozenset[str] | None:
        """The relevant set that the query states apart from its grades; None where it states none."""
        if all(target.relevant is None for target in self.targets):
            return None
        return frozenset(target.id for target in self.targets if target.relevant)


@dataclass(frozen=True, slots=True)
class JoinedSet:
    """A set whose labels are joined to a system, at one level."""

    level: Level
    queries: tuple[JoinedQuery, ...]
    n_labels: int
    n_joined: int
    unknown: tuple[UnknownName, ...]
    """Names that nothing fits, in order of their first use."""
    n_moved: int = 0
    """Labels of passages that stand elsewhere than they say, at level SPAN; scored where they stand."""
    n_guessed: int = 0
    """Of these, the ones whose quote several places hold: the one nearest to where it was is taken."""


def join_labels(
    eval_set: EvalSet,
    catalog: Catalog | None,
    *,
    level: Level | None = None,
    source: PassageSource | None = None,
) -> JoinedSet:
    """Resolve every label; infer the level unless it is given.

    catalog: None where the system cannot list what it holds: then every name is an id as it stands.
    source: where the texts are that passages are looked for in; needed at level SPAN only.
    Raises BadLinesError where names fit several documents, a quote several places, or labels contradict each
    other, InputError where the labels or the system do not allow one level or not the level asked for,
    CannotMeasureError where no label at all joins.
    """
    names = None if catalog is None else Names(catalog, folder=eval_set.folder)
    found = [[find_label(label, names) for label in query.labels] for query in eval_set.queries]
    _raise(eval_set, _ambiguous(eval_set.queries, found, names) if names is not None else ())
    chosen = choose_level([Mentioned(item.label, item.level) for row in found for item in row], asked=level)
    sited = None
    if chosen is Level.CHUNK:
        found = [[as_chunk(item, names) for item in row] for row in found]
    elif chosen is Level.SPAN:
        sited = site_labels(found, stored_by(catalog, source, folder=eval_set.folder))
        _raise(eval_set, (Fault(eval_set.queries[place].line, fault) for place, fault in sited.faults))
        found = sited.rows
    unknown = _unknown(eval_set.queries, found)
    n_joined = sum(item.indexed for row in found for item in row)
    if catalog is not None and names is not None:
        check_that_some_join(unknown, n_joined=n_joined, catalog=catalog, names=names)
        unknown = with_suggestions(unknown, catalog, names)
    queries, faults = [], list[Fault]()
    for query, row in zip(eval_set.queries, found, strict=True):
        targets, conflicts = _targets(query, row, level=chosen)
        faults += conflicts
        queries.append(JoinedQuery(query, targets))
    _raise(eval_set, faults)
    n_labels = sum(len(row) for row in found)
    moved = (sited.n_moved, sited.n_guessed) if sited else (0, 0)
    return JoinedSet(chosen, tuple(queries), n_labels, n_joined, unknown, *moved)


def _raise(eval_set: EvalSet, faults: Iterable[Fault]) -> None:
    every = list(faults)
    if every:
        raise BadLinesError(path=eval_set.name, faults=every)


def _ambiguous(
    queries: Sequence[EvalQuery], found: Sequence[Sequence[Named]], names: Names
) -> Iterator[Fault]:
    for query, row in zip(queries, found, strict=True):
        for item in row:
            if item.level is not Level.CHUNK and len(item.documents) > 1:
                spelled = {document: names.spelling(document) for document in item.documents}
                listed = ", ".join(_spelled(*pair) for pair in islice(spelled.items(), _LISTED))
                more = f" and {len(spelled) - _LISTED} more" if len(spelled) > _LISTED else ""
                yield Fault(
                    query.line,
                    f'"{item.label.name}" fits several documents: {listed}{more}; '
                    "write the name in the quotes of the one that is meant",
                )


def _spelled(document: str, spelling: str | None) -> str:
    """A name in quotes that fits this document alone, and the id where that is another."""
    if spelling == document:
        return f'"{document}"'
    return f'"{spelling}" ({document})' if spelling else f"{document} (a copy that no name tells apart)"


def _unknown(queries: Sequence[EvalQuery], found: Sequence[Sequence[Named]]) -> tuple[UnknownName, ...]:
    lines: dict[str, int | None] = {}
    for query, row in zip(queries, found, strict=True):
        for item in row:
            if not item.indexed:
                lines.setdefault(_written(item), query.line)
    return tuple(UnknownName(name, line) for name, line in lines.items())


def _targets(
    query: EvalQuery, row: Sequence[Named], *, level: Level
) -> tuple[tuple[Target, ...], list[Fault]]:
    """The targets of a query, each once, and labels that contradict each other.

    Chunks and passages of one document are one target at document level, with the highest grade among
    them; two names of one target must agree.
    """
    targets: dict[str, Target] = {}
    written: dict[str, Named] = {}
    faults: list[Fault] = []
    for item in row:
        for target in _as_targets(item, level=level):
            before = targets.get(target.id)
            if before is None:
                targets[target.id], written[target.id] = target, item
                continue
            others = (item, written[target.id])
            nested = any(one.nested for one in others) or (
                level is Level.DOCUMENT and any(one.level is not Level.DOCUMENT for one in others)
            )
            if not nested and before.grade != target.grade:
                faults.append(_conflict(query, written[target.id], item, target.id))
            targets[target.id] = _merged(before, target)
    return tuple(targets.values()), faults


def _as_targets(item: Named, *, level: Level) -> Iterator[Target]:
    label = item.label
    if level is Level.SPAN:
        grade = max(label.grade, 1) if label.relevant else label.grade
        yield Target(_span_id(item), grade, None, item.documents, indexed=item.indexed, place=item.place)
    elif level is Level.DOCUMENT and item.indexed and item.documents:
        for document in item.documents:
            yield Target(document, label.grade, label.relevant, (document,), indexed=True)
    else:
        yield Target(label.name, label.grade, label.relevant, item.documents, indexed=item.indexed)


def _merged(one: Target, other: Target) -> Target:
    flags = [flag for flag in (one.relevant, other.relevant) if flag is not None]
    return Target(
        one.id,
        max(one.grade, other.grade),
        any(flags) if flags else None,
        one.documents,
        indexed=one.indexed,
        place=one.place,
    )


def _span_id(item: Named) -> str:
    """The document with the range, which tells passages apart; what the label says where it has no place."""
    place = item.place
    return _written(item) if place is None else f"{place.document}[{place.start}:{place.end}]"


def _written(item: Named) -> str:
    """The target as the set writes it."""
    span = item.label.span
    if span is None or not item.is_document_known:
        return item.label.name
    if span.quote is None:
        return f"{item.label.name}[{span.start}:{span.end}]"
    quote = " ".join(span.quote.split())
    if len(quote) > _QUOTED:
        quote = f"{quote[:_QUOTED]}…{short_content_id(content_hash(span.quote.encode()))}"
    return f"{item.label.name}: {quote}"


def _conflict(query: EvalQuery, one: Named, other: Named, target: str) -> Fault:
    return Fault(
        query.line,
        f'"{_written(one)}" and "{_written(other)}" are both {target}, '
        f"with relevance {one.label.grade} and {other.label.grade}; keep one",
    )
