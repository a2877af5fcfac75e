"""rankle tells you whether your search is any good, where it fails, and whether a change made it better.

The public names. Each is imported when it is first used, so that `import rankle` costs almost nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rankle import stats as stats
    from rankle.app.check_labels import check_labels as check_labels
    from rankle.app.compare import compare as compare
    from rankle.app.evaluate import aevaluate as aevaluate
    from rankle.app.evaluate import evaluate as evaluate
    from rankle.app.evaluate_methods import aevaluate_methods as aevaluate_methods
    from rankle.app.evaluate_methods import evaluate_methods as evaluate_methods
    from rankle.app.open import open_workspace as open  # noqa: A004, F401 - reads as rankle.open
    from rankle.app.score import score as score
    from rankle.core.errors import RankleError as RankleError
    from rankle.core.evalset import EvalQuery as EvalQuery
    from rankle.core.evalset import EvalSet as EvalSet
    from rankle.core.evalset import Label as Label
    from rankle.core.evalset import Span as Span
    from rankle.core.run import RunReport as RunReport
    from rankle.core.search import SearchResult as SearchResult
    from rankle.kb.fusion import Fusion as Fusion
    from rankle.kb.knowledge_base import KnowledgeBase as KnowledgeBase
    from rankle.kb.search_settings import SearchSettings as SearchSettings
    from rankle.labels.spans import Coverage as Coverage
    from rankle.reports.comparison import Comparison as Comparison

PUBLIC: Final = {
    "Coverage": "rankle.labels.spans:Coverage",
    "Comparison": "rankle.reports.comparison:Comparison",
    "EvalQuery": "rankle.core.evalset:EvalQuery",
    "EvalSet": "rankle.core.evalset:EvalSet",
    "Fusion": "rankle.kb.fusion:Fusion",
    "KnowledgeBase": "rankle.kb.knowledge_base:KnowledgeBase",
    "Label": "rankle.core.evalset:Label",
    "RankleError": "rankle.core.errors:RankleError",
    "RunReport": "rankle.core.run:RunReport",
    "SearchResult": "rankle.core.search:SearchResult",
    "SearchSettings": "rankle.kb.search_settings:SearchSettings",
    "Span": "rankle.core.evalset:Span",
    "__version__": "rankle.core.product:VERSION",
    "aevaluate": "rankle.app.evaluate:aevaluate",
    "aevaluate_methods": "rankle.app.evaluate_methods:aevaluate_methods",
    "compare": "rankle.app.compare:compare",
    "check_labels": "rankle.app.check_labels:check_labels",
    "evaluate": "rankle.app.evaluate:evaluate",
    "evaluate_methods": "rankle.app.evaluate_methods:evaluate_methods",
    "open": "rankle.app.open:open_workspace",
    "score": "rankle.app.score:score",
    "stats": "rankle.stats",
}
"""Public name to where it lives (a module, or in one); the one list, tested against the documentation."""


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = PUBLIC[name].partition(":")
    value = importlib.import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(PUBLIC)
