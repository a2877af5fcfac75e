"""Options of how results are ranked, the same in every command that searches a workspace."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import click

_R = TypeVar("_R")

_OPTIONS: Final = (
    click.option(
        "--fusion",
        type=click.Choice(["convex", "rrf"]),
        default="convex",
        help="How hybrid makes one list of two: convex adds their scaled scores, rrf the reciprocals of "
        "ranks. Default: convex.",
    ),
    click.option(
        "--vector-weight",
        type=click.FloatRange(0, 1),
        metavar="W",
        help="Share of vectors in hybrid, from 0 to 1. Default: 0.4; 0.5 with rrf.",
    ),
    click.option(
        "--candidates",
        type=click.IntRange(min=1),
        default=100,
        metavar="N",
        help="Chunks of each list that hybrid fuses. Default: 100.",
    ),
    click.option(
        "--collapse", is_flag=True, help="Fold results that nearly repeat a better one into that one."
    ),
    click.option(
        "--per-document", type=click.IntRange(min=1), metavar="N", help="At most N chunks of one document."
    ),
)


def ranking_options(command: Callable[..., _R]) -> Callable[..., _R]:
    """Adds the options; the command gets them as `ranking`, one `kb.search_settings.SearchSettings`."""

    @wraps(command)
    def with_settings(
        *args: Any,
        fusion: str,
        vector_weight: float | None,
        candidates: int,
        collapse: bool,
        per_document: int | None,
        **options: Any,
    ) -> _R:
        from typing import cast

        from rankle.kb.fusion import Fusion, FusionKind
        from rankle.kb.search_settings import SearchSettings

        ranking = SearchSettings(
            Fusion(cast("FusionKind", fusion), vector_weight, candidates),
            collapse=collapse,
            per_document=per_document,
        )
        return command(*args, ranking=ranking, **options)

    for option in reversed(_OPTIONS):
        with_settings = option(with_settings)
    return with_settings
