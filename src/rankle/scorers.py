"""The scorers that come with rankle, for evals as code: `from rankle.scorers import recall, ndcg`.

Each is imported when it is first used, so that naming one costs almost nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rankle.harness.scorers.budgets import cost_budget as cost_budget
    from rankle.harness.scorers.budgets import latency_budget as latency_budget
    from rankle.harness.scorers.budgets import latency_limit as latency_limit
    from rankle.harness.scorers.budgets import token_budget as token_budget
    from rankle.harness.scorers.citations import citations_covering as citations_covering
    from rankle.harness.scorers.citations import citations_present as citations_present
    from rankle.harness.scorers.citations import citations_valid as citations_valid
    from rankle.harness.scorers.contains import contains as contains
    from rankle.harness.scorers.exact import exact as exact
    from rankle.harness.scorers.json_schema import json_schema as json_schema
    from rankle.harness.scorers.levenshtein import levenshtein as levenshtein
    from rankle.harness.scorers.numeric import numeric as numeric
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
    from rankle.harness.scorers.regex import regex as regex
    from rankle.harness.scorers.topics import topics_covered as topics_covered

    mrr = rr  # an import as another name is not exported

PUBLIC: Final = {
    "ap": "rankle.harness.scorers.ranking:ap",
    "bpref": "rankle.harness.scorers.ranking:bpref",
    "citations_covering": "rankle.harness.scorers.citations:citations_covering",
    "citations_present": "rankle.harness.scorers.citations:citations_present",
    "citations_valid": "rankle.harness.scorers.citations:citations_valid",
    "contains": "rankle.harness.scorers.contains:contains",
    "cost_budget": "rankle.harness.scorers.budgets:cost_budget",
    "err": "rankle.harness.scorers.ranking:err",
    "exact": "rankle.harness.scorers.exact:exact",
    "f1": "rankle.harness.scorers.ranking:f1",
    "hit_rate": "rankle.harness.scorers.ranking:hit_rate",
    "json_schema": "rankle.harness.scorers.json_schema:json_schema",
    "judged": "rankle.harness.scorers.ranking:judged",
    "latency_budget": "rankle.harness.scorers.budgets:latency_budget",
    "latency_limit": "rankle.harness.scorers.budgets:latency_limit",
    "levenshtein": "rankle.harness.scorers.levenshtein:levenshtein",
    "measure": "rankle.harness.scorers.ranking:measure",
    "mrr": "rankle.harness.scorers.ranking:rr",
    "ndcg": "rankle.harness.scorers.ranking:ndcg",
    "numeric": "rankle.harness.scorers.numeric:numeric",
    "precision": "rankle.harness.scorers.ranking:precision",
    "r_cap": "rankle.harness.scorers.ranking:r_cap",
    "rbp": "rankle.harness.scorers.ranking:rbp",
    "recall": "rankle.harness.scorers.ranking:recall",
    "regex": "rankle.harness.scorers.regex:regex",
    "rprec": "rankle.harness.scorers.ranking:rprec",
    "rr": "rankle.harness.scorers.ranking:rr",
    "set_precision": "rankle.harness.scorers.ranking:set_precision",
    "set_recall": "rankle.harness.scorers.ranking:set_recall",
    "token_budget": "rankle.harness.scorers.budgets:token_budget",
    "topics_covered": "rankle.harness.scorers.topics:topics_covered",
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
