"""The scorers that come with rankle, for evals as code: `from rankle.scorers import recall, ndcg`.

Each is imported when it is first used, so that naming one costs almost nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rankle.harness.scorers.exact import exact as exact
    from rankle.harness.scorers.ranking import ap as ap
    from rankle.harness.scorers.ranking import bpref as bpref
    from rankle.harness.scorers.ranking import err as err
    from rankle.harness.scorers.ranking import f1 as f1
    from rankle.harness.scorers.ranking import hit_rate as hit_rate
    from rankle.harness.scorers.ranking import judged as judged
    from rankle.harness.scorers.ranking import measure as measure
    from rankle.harness.scorers.ranking import ndcg as ndcg
    from rankle.harness.scorers.ranking import precision as precision
    from rankle.harness.scorers.ranking import r_cap as r_cap
    from rankle.harness.scorers.ranking import rbp as rbp
    from rankle.harness.scorers.ranking import recall as recall
    from rankle.harness.scorers.ranking import rprec as rprec
    from rankle.harness.scorers.ranking import rr as rr
    from rankle.harness.scorers.ranking import set_precision as set_precision
    from rankle.harness.scorers.ranking import set_recall as set_recall

PUBLIC: Final = {
    "ap": "rankle.harness.scorers.ranking:ap",
    "bpref": "rankle.harness.scorers.ranking:bpref",
    "err": "rankle.harness.scorers.ranking:err",
    "exact": "rankle.harness.scorers.exact:exact",
    "f1": "rankle.harness.scorers.ranking:f1",
    "hit_rate": "rankle.harness.scorers.ranking:hit_rate",
    "judged": "rankle.harness.scorers.ranking:judged",
    "measure": "rankle.harness.scorers.ranking:measure",
    "mrr": "rankle.harness.scorers.ranking:rr",
    "ndcg": "rankle.harness.scorers.ranking:ndcg",
    "precision": "rankle.harness.scorers.ranking:precision",
    "r_cap": "rankle.harness.scorers.ranking:r_cap",
    "rbp": "rankle.harness.scorers.ranking:rbp",
    "recall": "rankle.harness.scorers.ranking:recall",
    "rprec": "rankle.harness.scorers.ranking:rprec",
    "rr": "rankle.harness.scorers.ranking:rr",
    "set_precision": "rankle.harness.scorers.ranking:set_precision",
    "set_recall": "rankle.harness.scorers.ranking:set_recall",
}
"""Public name to where it lives; the one list, tested against the documentation."""


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = PUBLIC[name].partition(":")
    value = getattr(importlib.import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(PUBLIC)
