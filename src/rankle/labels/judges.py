"""How far judges agree, over whatever they judged in common."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rankle.stats.agreement import Agreement, cohen_kappa, krippendorff_alpha


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Cohen's kappa of two judges."""

    judges: tuple[str, str]
    kappa: Agreement


@dataclass(frozen=True, slots=True)
class JudgesAgreement:
    """How far all of them agree."""

    judges: tuple[str, ...]
    """By name; those who judged nothing that another judged are not among them."""
    alpha: Agreement
    """Krippendorff's, ordinal: a disagreement of neighbouring grades weighs less."""
    pairs: tuple[PairAgreement, ...]
    """Those with something in common."""


def judges_agreement(grades: Mapping[Hashable, Mapping[str, int]]) -> JudgesAgreement | None:
    """None where no two judged the same. grades: of each thing, the grade by judge."""
    common = [by_judge for by_judge in grades.values() if len(by_judge) > 1]
    judges = sorted({judge for by_judge in common for judge in by_judge})
    if not judges:
        return None
    table = np.array([[by_judge.get(judge, np.nan) for by_judge in common] for judge in judges])
    pairs = []
    for (a, first), (b, second) in combinations(enumerate(judges), 2):
        if not (np.isnan(table[a]) | np.isnan(table[b])).all():
            pairs.append(PairAgreement((first, second), cohen_kappa(table[a], table[b])))
    return JudgesAgreement(tuple(judges), krippendorff_alpha(table, scale="ordinal"), tuple(pairs))
