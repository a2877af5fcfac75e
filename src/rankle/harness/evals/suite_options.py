"""What an eval may be given beside its name, data, task and scorers, as `Suite` and the decorator take it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypedDict

from rankle.harness.evals.options import Asked
from rankle.harness.evals.scorer import RunScorer
from rankle.harness.evals.variant import Variant

Columns: TypeAlias = Callable[[Any], Mapping[str, Any]]


class SuiteOptions(TypedDict, total=False):
    """`Suite` says what each is."""

    run_scorers: Iterable[RunScorer]
    columns: Columns | None
    trials: int | None
    timeout_s: float | None
    data_timeout_s: float | None
    threshold: float | None
    concurrency: int | None
    cache: bool | None
    tags: Iterable[str]
    description: str
    skip: bool
    only: bool
    allow_empty: bool
    cacheable: bool
    depends_on: Iterable[Any]
    resources: Iterable[str]
    variants: Iterable[Variant | Mapping[str, Any]]


def asked_by(options: SuiteOptions) -> Asked:
    """How the eval asks to be run; None where it leaves that to the project."""
    return Asked(
        timeout_s=options.get("timeout_s"),
        data_timeout_s=options.get("data_timeout_s"),
        concurrency=options.get("concurrency"),
        trials=options.get("trials"),
        threshold=options.get("threshold"),
        cache=options.get("cache"),
    )
