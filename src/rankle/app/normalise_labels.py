"""Joins the labels of a set to the documents of a system where their ids differ in spelling only."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rankle.core.catalog import Catalog
from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level
from rankle.core.ids import is_chunk_id
from rankle.formats.normalise import Step, normalise, parse_normalisation
from rankle.labels.names import Names, listed


def normalise_labels(
    eval_set: EvalSet, catalog: Catalog | None, normalisation: str | Iterable[str]
) -> EvalSet:
    """The set with the documents' own ids in the place of names that join only once both are normalised.

    normalisation: texts such as `ids=case,extension`; queries join nothing here, so `queries=` alone is
        refused. Names that join as they are stay, and so do those of chunks.
    Raises InputError where nothing is to be done or the system cannot list its documents, BadLinesError
    with every name that then fits several documents.
    """
    texts = [normalisation] if isinstance(normalisation, str) else normalisation
    steps = parse_normalisation(texts).targets
    if not steps:
        raise InputError("a set joins by its targets alone: --normalise targets=…, such as targets=case")
    if catalog is None:
        raise InputError("the system cannot list its documents, so there are no ids to normalise labels to")
    joiner = _Joiner(catalog, steps, folder=eval_set.folder)
    queries = tuple(replace(query, labels=joiner.labels(query)) for query in eval_set.queries)
    if joiner.faults:
        raise BadLinesError(path=eval_set.name, faults=joiner.faults)
    notice = f"labels that join by their normalised ids: {joiner.n_joined}"
    return replace(eval_set, queries=queries, notices=(*eval_set.notices, notice))


class _Joiner:
    """What normalised ids fit, and what was met on the way."""

    def __init__(self, catalog: Catalog, steps: Sequence[Step], *, folder: str | None) -> None:
        self._names = Names(catalog, folder=folder)
        self._steps = steps
        ids = [document.id for document in catalog.documents]
        self._documents: dict[str, list[str]] = {}
        for name, new in zip(ids, normalise(ids, steps), strict=True):
            self._documents.setdefault(new, []).append(name)
        self.faults: list[Fault] = []
        self.n_joined = 0

    def labels(self, query: EvalQuery) -> tuple[Label, ...]:
        return tuple(self._label(label, query.line) for label in query.labels)

    def _label(self, label: Label, line: int | None) -> Label:
        if label.level is Level.CHUNK or is_chunk_id(label.name) or self._names.documents(label.name):
            return label
        found = self._documents.get(normalise([label.name], self._steps)[0], [])
        if not found:
            return label
        if len(found) > 1:
            message = f'"{label.name}", normalised, fits several documents: {listed(found)}; normalise less'
            self.faults.append(Fault(line, message))
            return label
        self.n_joined += 1
        return replace(label, name=found[0])
