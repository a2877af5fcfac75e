"""rankle tells you whether your search is any good, where it fails, and whether a change made it better.

The public names. Each is imported when it is first used, so that `import rankle` costs almost nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rankle import stats as stats
    from rankle.app.check_labels import check_labels as check_labels
    from rankle.app.compare import compare as compare
    from rankle.app.compare import compare_evals as compare_evals
    from rankle.app.evaluate import aevaluate as aevaluate
    from rankle.app.evaluate import evaluate as evaluate
    from rankle.app.evaluate_methods import aevaluate_methods as aevaluate_methods
    from rankle.app.evaluate_methods import evaluate_methods as evaluate_methods
    from rankle.app.evaluate_systems import aevaluate_systems as aevaluate_systems
    from rankle.app.evaluate_systems import evaluate_systems as evaluate_systems
    from rankle.app.open import open_workspace
    from rankle.app.run import arun as arun
    from rankle.app.run import run as run
    from rankle.app.score import score as score
    from rankle.core.errors import RankleError as RankleError
    from rankle.core.evals_result import EvalsResult as EvalsResult
    from rankle.core.evalset import EvalQuery as EvalQuery
    from rankle.core.evalset import EvalSet as EvalSet
    from rankle.core.evalset import Label as Label
    from rankle.core.evalset import Span as Span
    from rankle.core.run import RunReport as RunReport
    from rankle.core.search import SearchResult as SearchResult
    from rankle.harness.evals.case import Case as Case
    from rankle.harness.evals.case import Row as Row
    from rankle.harness.evals.defining import define_eval
    from rankle.harness.evals.score import RunContext as RunContext
    from rankle.harness.evals.score import Score as Score
    from rankle.harness.evals.score import ScoreContext as ScoreContext
    from rankle.harness.evals.scorer import run_scorer as run_scorer
    from rankle.harness.evals.scorer import scorer as scorer
    from rankle.harness.evals.suite import Suite as Suite
    from rankle.harness.evals.suite import Variant as Variant
    from rankle.harness.tracing.clients import wrap as wrap
    from rankle.harness.tracing.spans import Trace
    from rankle.harness.tracing.spans import report_trace as report_trace
    from rankle.kb.fusion import Fusion as Fusion
    from rankle.kb.knowledge_base import KnowledgeBase as KnowledgeBase
    from rankle.kb.search_settings import SearchSettings as SearchSettings
    from rankle.labels.coverage import Coverage as Coverage
    from rankle.reports.comparison import Comparison as Comparison
    from rankle.reports.comparisons import Comparisons as Comparisons

    eval = define_eval  # noqa: A001 - reads as rankle.eval; an import as another name is not exported
    trace = Trace
    open = open_workspace  # noqa: A001 - reads as rankle.open

PUBLIC: Final = {
    "Case": "rankle.harness.evals.case:Case",
    "Coverage": "rankle.labels.coverage:Coverage",
    "Comparison": "rankle.reports.comparison:Comparison",
    "Comparisons": "rankle.reports.comparisons:Comparisons",
    "EvalQuery": "rankle.core.evalset:EvalQuery",
    "EvalSet": "rankle.core.evalset:EvalSet",
    "EvalsResult": "rankle.core.evals_result:EvalsResult",
    "Fusion": "rankle.kb.fusion:Fusion",
    "KnowledgeBase": "rankle.kb.knowledge_base:KnowledgeBase",
    "Label": "rankle.core.evalset:Label",
    "RankleError": "rankle.core.errors:RankleError",
    "Row": "rankle.harness.evals.case:Row",
    "RunContext": "rankle.harness.evals.score:RunContext",
    "RunReport": "rankle.core.run:RunReport",
    "Score": "rankle.harness.evals.score:Score",
    "ScoreContext": "rankle.harness.evals.score:ScoreContext",
    "SearchResult": "rankle.core.search:SearchResult",
    "SearchSettings": "rankle.kb.search_settings:SearchSettings",
    "Span": "rankle.core.evalset:Span",
    "Suite": "rankle.harness.evals.suite:Suite",
    "Variant": "rankle.harness.evals.variant:Variant",
    "__version__": "rankle.core.product:VERSION",
    "aevaluate": "rankle.app.evaluate:aevaluate",
    "aevaluate_methods": "rankle.app.evaluate_methods:aevaluate_methods",
    "aevaluate_systems": "rankle.app.evaluate_systems:aevaluate_systems",
    "arun": "rankle.app.run:arun",
    "compare": "rankle.app.compare:compare",
    "compare_evals": "rankle.app.compare:compare_evals",
    "check_labels": "rankle.app.check_labels:check_labels",
    "eval": "rankle.harness.evals.defining:define_eval",
    "evaluate": "rankle.app.evaluate:evaluate",
    "evaluate_methods": "rankle.app.evaluate_methods:evaluate_methods",
    "evaluate_systems": "rankle.app.evaluate_systems:evaluate_systems",
    "open": "rankle.app.open:open_workspace",
    "report_trace": "rankle.harness.tracing.spans:report_trace",
    "run": "rankle.app.run:run",
    "run_scorer": "rankle.harness.evals.scorer:run_scorer",
    "score": "rankle.app.score:score",
    "scorer": "rankle.harness.evals.scorer:scorer",
    "stats": "rankle.stats",
    "trace": "rankle.harness.tracing.spans:Trace",
    "wrap": "rankle.harness.tracing.clients:wrap",
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
