"""Score a recorded run by the labels that its set has now, without asking the system again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rankle.app.evaluation_options import queries_of
from rankle.app.normalise_labels import normalise_labels
from rankle.app.wiring.knowledge_base import knowledge_base_systems, open_knowledge_base
from rankle.app.wiring.settings import load_settings
from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError
from rankle.core.evalset import EvalSet, Level
from rankle.core.outcome import Outcome
from rankle.core.ports import CatalogSource, SystemDescription
from rankle.core.product import NAME
from rankle.formats.eval_record import Relevance
from rankle.formats.kinds import ReadOptions
from rankle.harness.keeping import Plan
from rankle.harness.plan import Item
from rankle.harness.preparation import prepare
from rankle.kb.methods import FULLTEXT
from rankle.systems.opening import KB
from rankle.systems.uri import is_uri, parse_uri


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """A set, and how it is read: as it was for the run, since a run does not tell."""

    path: Path
    relevance: str = Relevance.RELEVANT_DOCS
    reading: ReadOptions = ReadOptions()  # noqa: RUF009 - frozen
    normalise: tuple[str, ...] = ()
    """See `normalise_labels`; empty for none."""

    def read(self, catalog: Catalog | None) -> EvalSet:
        """catalog: what its labels are to join. Raises what reading a set raises."""
        found = queries_of(self.path, relevance=self.relevance, reading=self.reading)
        return normalise_labels(found, catalog, self.normalise) if self.normalise else found


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A run as it would have been planned with other labels."""

    plan: Plan
    outcomes: tuple[Outcome, ...]
    """Of the queries that the set has now, in its order."""


def relabel(plan: Plan, outcomes: Sequence[Outcome], labels: LabelledSet, *, run: str) -> Relabelled:
    """The plan of a run with the labels of a set, and what its queries came to.

    The labels are joined to what the workspace holds now; a system that tells nothing of what it holds takes
    them as they are written. Queries that the set does not have any more are left out.
    run: what the user calls the run, for messages.

    Raises CannotMeasureError on queries that the run was not asked, on chunks and passages of an index that
    is not that of the run, and on a system that is no workspace and tells what it holds; and what reading the
    set and opening the workspace raise.
    """
    level = plan.prepared.joined.level
    settings = replace(plan.settings, level=level, max_queries=None)
    with _holder(plan, run=run) as holder:
        if level is not Level.DOCUMENT and _index(holder.describe()) != _index(plan.description):
            raise CannotMeasureError(
                f"what is indexed is not what run {run} searched, and its labels are of {level}s; "
                f"evaluate again: {NAME} eval {labels.path}"
            )
        prepared = prepare(labels.read(holder.catalog()), holder, settings)
    places = _places(plan.prepared.items, prepared.items, run=run, path=labels.path)
    return Relabelled(Plan(prepared, plan.description, settings), tuple(outcomes[place] for place in places))


@contextmanager
def _holder(plan: Plan, *, run: str) -> Iterator[CatalogSource]:
    """What tells which documents and chunks there are, as the system of the run did."""
    if not plan.prepared.has_catalog:
        yield _Unlisted(plan.description)
        return
    workspace = _workspace(plan.description)
    if workspace is None:
        raise CannotMeasureError(
            f"run {run} is of {plan.description.name}, which told what it holds; only a workspace can be "
            "asked that again"
        )
    with open_knowledge_base(load_settings(workspace=workspace, given_as=f"run {run}")) as kb:
        (system,) = knowledge_base_systems(kb, methods=[FULLTEXT])
        yield system


def _workspace(description: SystemDescription) -> str | None:
    """The workspace that was searched, as the run or the table of its system names it; None for another."""
    named = str(description.settings.get("uri", description.name))
    uri = parse_uri(named) if is_uri(named) else None
    return None if uri is None or uri.scheme != KB else uri.rest


@dataclass(frozen=True, slots=True)
class _Unlisted:
    """A system that does not tell what it holds."""

    description: SystemDescription

    def describe(self) -> SystemDescription:
        return self.description

    def catalog(self) -> Catalog | None:
        return None


def _index(description: SystemDescription) -> str | None:
    return description.parts.get("index")


def _places(asked: Sequence[Item], wanted: Sequence[Item], *, run: str, path: Path) -> list[int]:
    """Where each query of the set stands among those that the run was asked."""
    known = {(item.id, item.query, item.collection): place for place, item in enumerate(asked)}
    by_text = {(item.query, item.collection): place for place, item in enumerate(asked)}
    found = [
        known.get((item.id, item.query, item.collection), by_text.get((item.query, item.collection)))
        for item in wanted
    ]
    missing = [item.query for item, place in zip(wanted, found, strict=True) if place is None]
    if missing:
        raise CannotMeasureError(
            f"run {run} was not asked {len(missing)} of the {len(wanted)} queries of {path.name}, such "
            f'as "{missing[0]}"; evaluate again: {NAME} eval {path}'
        )
    return [place for place in found if place is not None]
