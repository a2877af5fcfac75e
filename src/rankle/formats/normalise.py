"""Normalisations of ids, a small closed set: what makes ids equal that differ in their spelling only."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rankle.core.errors import InputError, UnknownNameError
from rankle.formats.trec import Conflicts
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

_ZEROS: Final = re.compile(r"(?<![0-9.,])0+(?=[0-9])")
_FLOAT: Final = re.compile(r"([0-9]+)\.0+")
_EXTENSION: Final = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")

PLAIN: Final[Mapping[str, Callable[[str], str]]] = {
    "space": lambda name: " ".join(name.split()),
    "unicode": lambda name: unicodedata.normalize("NFC", name),
    "case": str.casefold,
    "zeros": lambda name: _ZEROS.sub("", name),
    "float": lambda name: _FLOAT.sub(r"\1", name) if _FLOAT.fullmatch(name) else name,
    "extension": lambda name: _EXTENSION.sub("", name),
    "folder": lambda name: re.split(r"[/\\]", name)[-1],
}
"""Those that need no text: white space at the ends and doubled; composed characters; case; zeros before
whole numbers; `.0` behind whole numbers; a file's extension; the folders of a path."""
_WITH_TEXT: Final = ("prefix", "suffix")


@dataclass(frozen=True, slots=True)
class Step:
    """One normalisation."""

    name: str
    text: str = ""
    """What `prefix` and `suffix` drop, where it is there."""

    def __str__(self) -> str:
        return f"{self.name}:{self.text}" if self.name in _WITH_TEXT else self.name

    def __call__(self, name: str) -> str:
        """The id, normalised; as it is where nothing would be left of it."""
        if self.name == "prefix":
            changed = name.removeprefix(self.text)
        elif self.name == "suffix":
            changed = name.removesuffix(self.text)
        else:
            changed = PLAIN[self.name](name)
        return changed or name


@dataclass(frozen=True, slots=True)
class Normalisation:
    """What is done to the ids of queries and of targets, step by step."""

    queries: tuple[Step, ...] = ()
    targets: tuple[Step, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.queries or self.targets)


def parse_normalisation(texts: Iterable[str]) -> Normalisation:
    """From texts such as `ids=case,prefix:doc-`, `queries=zeros`, `targets=extension`; `ids` are both.

    Raises InputError on another form, UnknownNameError on a name that is none.
    """
    queries: tuple[Step, ...] = ()
    targets: tuple[Step, ...] = ()
    for text in texts:
        what, equals, names = text.partition("=")
        if not equals or what not in ("ids", "queries", "targets"):
            raise InputError(
                f'--normalise must be ids=…, queries=… or targets=…, such as ids=case,zeros; got "{text}"'
            )
        steps = tuple(_step(name) for name in names.split(","))
        queries += steps if what in ("ids", "queries") else ()
        targets += steps if what in ("ids", "targets") else ()
    return Normalisation(queries, targets)


def _step(text: str) -> Step:
    name, colon, rest = text.partition(":")
    if name in _WITH_TEXT:
        if rest:
            return Step(name, rest)
        raise InputError(f"normalisation {name} needs the text that it drops, such as {name}:doc-")
    if name not in PLAIN or colon:
        known = (*PLAIN, *_WITH_TEXT)
        raise UnknownNameError(
            what="normalisation", name=text, known=known, hint=f"There is: {', '.join(known)}"
        )
    return Step(name)


def normalise(names: Sequence[str], steps: Sequence[Step]) -> list[str]:
    """Ids, normalised."""
    known: dict[str, str] = {}
    for name in names:
        if name not in known:
            known[name] = _normalised(name, steps)
    return [known[name] for name in names]


def _normalised(name: str, steps: Sequence[Step]) -> str:
    for step in steps:
        name = step(name)
    return name


def normalise_qrels(
    qrels: Qrels, normalisation: Normalisation, *, conflicts: Conflicts = Conflicts.ERROR
) -> Qrels:
    """Judgments with normalised ids; those that become one target of a query count once.

    Raises InputError where they contradict each other and `conflicts` does not decide.
    """
    if not normalisation:
        return qrels
    queries = normalise(qrels.queries, normalisation.queries)
    judgments: dict[str, dict[str, int]] = {query: {} for query in queries}
    n_merged = 0
    for query, judged in zip(queries, qrels.by_query, strict=True):
        names = normalise(list(judged), normalisation.targets)
        into = judgments[query]
        for target, name, grade in zip(judged, names, judged.values(), strict=True):
            n_merged += name in into
            into[name] = _decided(into.get(name, grade), grade, conflicts, query=query, target=target)
    merged = [f"judgments that normalising made one with another: {n_merged}"] if n_merged else []
    return replace(Qrels.from_dict(judgments), notices=(*qrels.notices, *merged))


def _decided(before: int, grade: int, conflicts: Conflicts, *, query: str, target: str) -> int:
    if before != grade and conflicts is Conflicts.ERROR:
        raise InputError(
            f'normalised, "{target}" of query "{query}" is one with another target that has grade {before}, '
            f"not {grade}. Choose one: --conflicts highest, first or last; or normalise less"
        )
    return grade if conflicts.decides(before, grade) else before


def normalise_run(run: Run, normalisation: Normalisation) -> Run:
    """Results with normalised ids. Raises InputError where two queries become one."""
    if not normalisation:
        return run
    queries = normalise(run.queries, normalisation.queries)
    if len(set(queries)) < len(queries):
        first = next(name for n, name in enumerate(queries) if name in queries[:n])
        several = ", ".join(
            f'"{name}"' for name, new in zip(run.queries, queries, strict=True) if new == first
        )
        raise InputError(f'normalised, the queries {several} of the run are all "{first}"; normalise less')
    targets = normalise(list(run.targets), normalisation.targets)
    return replace(run, queries=tuple(queries), targets=targets)
