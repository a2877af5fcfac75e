"""What a family of measures is: its name, its parameters, and the function that computes it.

Modules of measures import numpy in the functions that compute: the names and titles of measures are read by
commands that only show what is recorded, and importing it would be a third of what these take.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks

Value: TypeAlias = str | int | float

OF_ALL_RESULTS: Final = (
    "it reads all results. To cut the run itself for every measure: --max-results {k}, or max_results={k}"
)


class Cut(StrEnum):
    """Whether a measure is cut at a rank k."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Parameter(NamedTuple):
    """A named parameter of a family, beside `k` and `rel`."""

    name: str
    default: Value
    read: Callable[[str], Value]
    """From text to a valid value; raises ValueError with a message that says what is allowed."""
    always_shown: bool = False
    """Whether the canonical name shows it even at its default."""
    aliases: tuple[str, ...] = ()
    """Other spellings of the name, lower case."""


def needs_relevant(judged: "JudgedRanks", rel: int) -> "NDArray[np.bool_]":
    """A binary measure is defined for the queries with a relevant judgment, shape (Q,)."""
    return judged.n_relevant(rel) > 0


def needs_grades(judged: "JudgedRanks", rel: int) -> "NDArray[np.bool_]":
    """A graded measure is defined for the queries with a grade of at least rel, shape (Q,)."""
    return judged.n_graded(rel) > 0


def always(judged: "JudgedRanks", _rel: int) -> "NDArray[np.bool_]":
    """Defined for every query, shape (Q,)."""
    import numpy as np

    return np.ones(judged.n_queries, dtype=bool)


class Family(NamedTuple):
    """A family of measures.

    Such as nDCG, of which `nDCG@10` and `nDCG(gain=exp2)@5` are members.
    """

    name: str
    """As the canonical name spells it."""
    title: str
    """As tables for people spell it, without the cut."""
    compute: "Callable[..., NDArray[np.float64]]"
    """Called as `compute(judged, k=..., rel=..., **parameters)`, with `k` only where the family is
    cut, `rel` only where it takes one; returns shape (Q,), finite, and 0 where the measure is
    undefined, as trec_eval has it."""
    cut: Cut
    takes_rel: bool = True
    parameters: tuple[Parameter, ...] = ()
    defined: "Callable[[JudgedRanks, int], NDArray[np.bool_]]" = needs_relevant
    """For which queries the measure exists, given the judged ranks and `rel`; shape (Q,)."""
    aliases: tuple[str, ...] = ()
    """Other spellings of the name, lower case, `_` for every separator."""
    variants: tuple[tuple[str, tuple[tuple[str, Value], ...]], ...] = ()
    """Spellings that also set parameters, such as ranx's `ndcg_burges`: (spelling, parameters)."""
    no_cut: str = ""
    """Where there is no cut: why, and what to ask for instead, for the error message. `{k}` is the cut."""
    whole: str | None = None
    """Where a cut is required: the family that measures all results, for the error message."""
    scores_relevance: bool = True
    """Higher means a better ranking. False for what describes the judgments instead, such as
    `Judged@10` and the residual of RBP."""
