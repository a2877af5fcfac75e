"""Joins the labels of a set to what a system holds, at one level."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from rankle.core.catalog import Catalog
from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level
from rankle.core.ids import is_chunk_id
from rankle.labels.level import Mentioned, choose_level
from rankle.labels.names import Names
from rankle.labels.unknown import UnknownName, check_that_some_join, with_suggestions

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


@dataclass(frozen=True, slots=True)
class _Found:
    """A label with what its name fits."""

    label: Label
    level: Level | None
    """None where nobody can say what the name is."""
    documents: tuple[str, ...]
    indexed: bool


def join_labels(eval_set: EvalSet, catalog: Catalog | None, *, level: Level | None = None) -> JoinedSet:
    """Resolve every label; infer the level unless it is given.

    catalog: None where the system cannot list what it holds: then every name is an id as it stands.
    Raises BadLinesError where names fit several documents, InputError where the labels do not allow
    one level or not the level asked for, CannotMeasureError where no label at all joins.
    """
    names = None if catalog is None else Names(catalog, folder=eval_set.folder)
    found = [[_find(label, names) for label in query.labels] for query in eval_set.queries]
    faults = list(_ambiguous(eval_set.queries, found, names)) if names is not None else []
    if faults:
        raise BadLinesError(path=eval_set.name, faults=faults)
    chosen = choose_level([Mentioned(item.label, item.level) for row in found for item in row], asked=level)
    if chosen is Level.SPAN:
        raise InputError("passages are scored by document only as yet; use --level document")
    if chosen is Level.CHUNK:
        found = [[_as_chunk(item, names) for item in row] for row in found]
    unknown = _unknown(eval_set.queries, found)
    n_labels = sum(len(row) for row in found)
    n_joined = sum(item.indexed for row in found for item in row)
    if catalog is not None and names is not None:
        check_that_some_join(unknown, n_joined=n_joined, catalog=catalog, names=names)
        unknown = with_suggestions(unknown, catalog, names)
    queries = []
    for query, row in zip(eval_set.queries, found, strict=True):
        targets, conflicts = _targets(query, row, level=chosen)
        faults += conflicts
        queries.append(JoinedQuery(query, targets))
    if faults:
        raise BadLinesError(path=eval_set.name, faults=faults)
    return JoinedSet(chosen, tuple(queries), n_labels, n_joined, unknown)


def _find(label: Label, names: Names | None) -> _Found:
    if label.span is not None:
        documents = (label.name,) if names is None else names.documents(label.name)
        return _Found(label, Level.SPAN, documents or (label.name,), indexed=bool(documents))
    stated = label.level or (Level.CHUNK if is_chunk_id(label.name) else None)
    itself = () if stated is Level.CHUNK else (label.name,)
    if names is None:
        return _Found(label, stated or Level.DOCUMENT, itself, indexed=True)
    if stated is not Level.DOCUMENT:
        holders = names.chunk_documents(label.name)
        if holders:
            return _Found(label, Level.CHUNK, holders, indexed=True)
    if stated is not Level.CHUNK:
        documents = names.documents(label.name)
        if documents:
            return _Found(label, Level.DOCUMENT, documents, indexed=True)
    return _Found(label, stated, itself, indexed=False)


def _as_chunk(item: _Found, names: Names | None) -> _Found:
    """A passage as the chunk beside it; everything else as it is."""
    if item.label.chunk is None:
        return item
    return _find(replace(item.label, name=item.label.chunk, level=Level.CHUNK, span=None, chunk=None), names)


def _ambiguous(
    queries: Sequence[EvalQuery], found: Sequence[Sequence[_Found]], names: Names
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


def _unknown(queries: Sequence[EvalQuery], found: Sequence[Sequence[_Found]]) -> tuple[UnknownName, ...]:
    lines: dict[str, int | None] = {}
    for query, row in zip(queries, found, strict=True):
        for item in row:
            if not item.indexed:
                lines.setdefault(item.label.name, query.line)
    return tuple(UnknownName(name, line) for name, line in lines.items())


def _targets(
    query: EvalQuery, row: Sequence[_Found], *, level: Level
) -> tuple[tuple[Target, ...], list[Fault]]:
    """The targets of a query, each once, and labels that contradict each other.

    Chunks and passages of one document are one target at document level, with the highest grade among
    them; two names of one target must agree.
    """
    targets: dict[str, Target] = {}
    written: dict[str, _Found] = {}
    faults: list[Fault] = []
    for item in row:
        for target in _as_targets(item, level=level):
            before = targets.get(target.id)
            if before is None:
                targets[target.id], written[target.id] = target, item
                continue
            nested = {item.level, written[target.id].level} & {Level.CHUNK, Level.SPAN}
            if not (nested and level is Level.DOCUMENT) and before.grade != target.grade:
                faults.append(_conflict(query, written[target.id], item, target.id))
            targets[target.id] = _merged(before, target)
    return tuple(targets.values()), faults


def _as_targets(item: _Found, *, level: Level) -> Iterator[Target]:
    label = item.label
    if level is Level.DOCUMENT and item.indexed and item.documents:
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
    )


def _conflict(query: EvalQuery, one: _Found, other: _Found, target: str) -> Fault:
    return Fault(
        query.line,
        f'"{one.label.name}" and "{other.label.name}" are both {target}, '
        f"with relevance {one.label.grade} and {other.label.grade}; keep one",
    )
