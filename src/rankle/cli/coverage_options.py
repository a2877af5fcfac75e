"""When a chunk covers a labelled passage, as options."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import click

from rankle.labels.coverage import HALF, Coverage

_F = TypeVar("_F", bound=Callable[..., Any])
_SHARE: Final = click.FloatRange(min=0, max=1, min_open=True)


def coverage_options(command: _F) -> _F:
    """`--span-share` and `--chunk-share`, given to the command as `coverage`."""

    @click.option(
        "--span-share",
        type=_SHARE,
        default=HALF.of_span,
        show_default=True,
        metavar="SHARE",
        help="A chunk covers a labelled passage if it has this share of it ...",
    )
    @click.option(
        "--chunk-share",
        type=_SHARE,
        default=HALF.of_chunk,
        show_default=True,
        metavar="SHARE",
        help="... or if this share of the chunk lies in it.",
    )
    @wraps(command)
    def with_coverage(*args: Any, span_share: float, chunk_share: float, **kwargs: Any) -> Any:
        return command(*args, coverage=Coverage(span_share, chunk_share), **kwargs)

    return with_coverage  # type: ignore[return-value]
