"""A measure as a value: its name, its parameters, its cut."""

from collections.abc import Mapping
from dataclasses import dataclass

from rankle.core.errors import MeasureError
from rankle.metrics.family import Cut, Family, Value
from rankle.metrics.spelling import read_list, read_spelling
from rankle.metrics.table import BY_NAME

_GREATEST = 1_000_000_000
"""Far beyond any list of results, and small enough for every array."""
_COUNT = f"must be an integer from 1 to {_GREATEST}"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure, such as `nDCG(gain=exp2)@10`.

    Equal measures have equal names and hashes: parameters that are not given take their defaults
    when the measure is made. Raises MeasureError on what its family does not allow.
    """

    family: str
    """Name of the family as `rankle.metrics.table` spells it."""
    k: int | None = None
    """Only the first k results count; None for all of them."""
    rel: int = 1
    """Lowest grade that is relevant."""
    parameters: tuple[tuple[str, Value], ...] = ()
    """The family's own parameters, all of them, in the family's order."""

    def __post_init__(self) -> None:
        if self.family not in BY_NAME:
            raise MeasureError(f'no family of measures is named "{self.family}"')
        self._check_cut()
        self._check_rel()
        object.__setattr__(self, "parameters", _complete(BY_NAME[self.family], dict(self.parameters)))

    def _check_cut(self) -> None:
        cut = BY_NAME[self.family].cut
        if self.k is None:
            if cut is Cut.REQUIRED:
                whole = BY_NAME[self.family].whole
                raise MeasureError(
                    f"{self.family} needs a cut, such as {self.family}@10"
                    + (f"; over all results it is {whole}" if whole else "")
                )
        elif cut is Cut.NONE:
            reason = BY_NAME[self.family].no_cut.format(k=self.k)
            raise MeasureError(f"{self.family} takes no cut, got @{self.k}: {reason}")
        elif not _is_count(self.k):
            raise MeasureError(f"the cut of {self.family} {_COUNT}, got {self.k!r}")

    def _check_rel(self) -> None:
        if not _is_count(self.rel):
            raise MeasureError(f"rel of {self.family} {_COUNT}, got {self.rel!r}")
        if self.rel != 1 and not BY_NAME[self.family].takes_rel:
            raise MeasureError(f"{self.family} reads grades as they are and takes no rel, got rel={self.rel}")

    def __str__(self) -> str:
        """The canonical name; `parse_measure` gives back an equal measure."""
        shown = self._shown()
        return f"{self.family}{f'({shown})' if shown else ''}{'' if self.k is None else f'@{self.k}'}"

    @property
    def title(self) -> str:
        """The name for people, without the cut: Recall, Precision, MRR, NDCG, Hit Rate, ...

        Parameters other than the defaults stand behind it, since they make another measure.
        """
        shown = self._shown()
        return f"{BY_NAME[self.family].title}{f' ({shown})' if shown else ''}"

    def _shown(self) -> str:
        parts = [f"rel={self.rel}"] if self.rel != 1 else []
        for parameter, (name, value) in zip(BY_NAME[self.family].parameters, self.parameters, strict=True):
            if parameter.always_shown or value != parameter.default:
                parts.append(f"{name}={value}")
        return ",".join(parts)


def parse_measure(text: str) -> Measure:
    """Read one measure in our spelling, or in trec_eval's, ranx', BEIR's or ir_measures'.

    Such as `nDCG@10`, `ndcg_cut_10`, `ndcg_cut.10`, `recip_rank`, `MRR@10`, `hit_rate@5`,
    `P(rel=2)@5`, `precision@5-l2`, `rbp.95`. `parse_measure(str(measure)) == measure`.
    Raises MeasureError on anything else, with the nearest known names.
    """
    spelling = read_spelling(text)
    return Measure(spelling.family, k=spelling.k, rel=spelling.rel, parameters=spelling.parameters)


def parse_measures(text: str) -> tuple[Measure, ...]:
    """Read a list of measures, separated by commas; repeated ones are passed over.

    A bare number repeats the measure before it at another cut, as trec_eval's `P.5,10` does.
    Raises MeasureError if the list is empty or holds anything that is not a measure.
    """
    return tuple(dict.fromkeys(parse_measure(item) for item in read_list(text)))


def _complete(family: Family, given: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    known = {parameter.name: parameter for parameter in family.parameters}
    for name in given:
        if name not in known:
            allowed = [*(["rel"] if family.takes_rel else []), *known]
            raise MeasureError(
                f'{family.name} has no parameter "{name}"; '
                + (f"it takes {', '.join(allowed)}" if allowed else "it takes none")
            )
    complete = []
    for name, parameter in known.items():
        value = given.get(name, parameter.default)
        try:
            complete.append((name, parameter.read(str(value))))
        except ValueError as error:
            raise MeasureError(
                f"{name} of {family.name} {_reason(error, parameter.default)}, got {value!r}"
            ) from None
    return tuple(complete)


def _reason(error: ValueError, default: Value) -> str:
    """Python's own conversion errors speak of literals; ours say what is allowed."""
    message = str(error)
    return message if message.startswith("must ") else f"must be a number such as {default}"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _GREATEST
