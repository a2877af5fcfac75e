"""What a pool is made of, the same in every command that pools."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from rankle.cli import completing
from rankle.cli.reading import empty_option

_R = TypeVar("_R")


def pool_options(command: Callable[..., _R]) -> Callable[..., _R]:
    """Adds the options; the command gets them, and the set, as `asked`, one `app.pooling.PoolRequest`."""

    @wraps(command)
    def with_request(
        *args: Any, set_file: Path, methods: tuple[str, ...], depth: int, empty_means: str, **options: Any
    ) -> _R:
        from rankle.app.pooling import PoolRequest
        from rankle.cli.method_names import method_names

        nothing = empty_means == "nothing"
        asked = PoolRequest(set_file, method_names(methods), depth, empty_means_nothing=nothing)
        return command(*args, asked=asked, **options)

    for option in (
        empty_option,
        click.option(
            "--depth",
            type=click.IntRange(min=1),
            default=10,
            show_default=True,
            metavar="N",
            help="Results of each method.",
        ),
        click.option(
            "--method",
            "methods",
            shell_complete=completing.methods,
            multiple=True,
            metavar="NAME,…",
            help="Methods whose results are put together, such as fts5,vector,hybrid. Default: all that the "
            "workspace is ready for.",
        ),
    ):
        with_request = option(with_request)
    return with_request
