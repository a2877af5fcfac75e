"""The table of all families of measures. A new measure is one small file, and one line here."""

from types import MappingProxyType
from typing import Final

from rankle.metrics import (
    average_precision,
    bpref,
    err,
    f1,
    hit_rate,
    infap,
    judged_share,
    ndcg,
    precision,
    rbp,
    recall,
    reciprocal_rank,
    set_based,
)
from rankle.metrics.family import Family

FAMILIES: Final[tuple[Family, ...]] = (
    recall.FAMILY,
    precision.FAMILY,
    reciprocal_rank.FAMILY,
    ndcg.FAMILY,
    hit_rate.FAMILY,
    average_precision.FAMILY,
    f1.FAMILY,
    recall.CAPPED,
    precision.R_PRECISION,
    bpref.FAMILY,
    infap.FAMILY,
    rbp.FAMILY,
    rbp.RESIDUAL,
    err.FAMILY,
    judged_share.FAMILY,
    set_based.PRECISION,
    set_based.RECALL,
)

BY_NAME: Final = MappingProxyType({family.name: family for family in FAMILIES})
BY_SPELLING: Final = MappingProxyType(
    {spelling: family for family in FAMILIES for spelling in (family.name.casefold(), *family.aliases)}
)
"""Every spelling of a family's name, in lower case with `_` for every separator."""
VARIANTS: Final = MappingProxyType(
    {spelling: (family, preset) for family in FAMILIES for spelling, preset in family.variants}
)
"""Spellings that name a family together with some of its parameters."""
