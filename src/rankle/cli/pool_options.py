"""What a pool is made of, the same in every command that pools."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from rankle.cli import completing
from rankle.cli.reading import empty_option

if TYPE_CHECKING:
    from rankle.app.pool_request import PoolRequest, Progress

_R = TypeVar("_R")
_OPTIONS: Final = (
    click.option(
        "--method",
        "methods",
        shell_complete=completing.methods,
        multiple=True,
        metavar="NAME,…",
        help="Methods whose results are put together, such as fts5,vector,hybrid. Default: all that the "
        "workspace is ready for.",
    ),
    click.option(
        "--system",
        "systems",
        shell_complete=completing.systems,
        multiple=True,
        metavar="URI",
        help="Judge what this finds in place of a workspace, by document: http(s)://…, "
        "python:module:function, command:…, run:FILE, or NAME of [systems.NAME] in rankle.toml. Several "
        "are put together.",
    ),
    click.option(
        "--depth",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        metavar="N",
        help="Results of each method, or system.",
    ),
    empty_option,
)


def pool_options(command: Callable[..., _R]) -> Callable[..., _R]:
    """Adds the options; the command gets them and the set as `asked`, a `PoolRequest` of app."""

    @wraps(command)
    def with_request(
        *args: Any,
        set_file: Path,
        methods: tuple[str, ...],
        systems: tuple[str, ...],
        depth: int,
        empty_means: str,
        **options: Any,
    ) -> _R:
        from rankle.app.pool_request import PoolRequest
        from rankle.cli.method_names import method_names

        if systems:
            _check_no_workspace(methods, options["workspace"])
        asked = PoolRequest(
            set_file,
            method_names(methods),
            depth,
            empty_means_nothing=empty_means == "nothing",
            systems=systems,
        )
        return command(*args, asked=asked, **options)

    for option in reversed(_OPTIONS):
        with_request = option(with_request)
    return with_request


def _check_no_workspace(methods: tuple[str, ...], workspace: str | None) -> None:
    """Raises UsageError on what is of a workspace, whose place systems take, with what to write instead."""
    if methods:
        raise click.UsageError(
            "--method is of a workspace, which --system takes the place of; name one of the two "
            "(a method of a workspace beside systems: --system 'kb:NAME?method=hybrid')"
        )
    if workspace is not None:
        raise click.UsageError(f"--workspace is judged where no --system is; write --system kb:{workspace}")


@contextmanager
def asking_for_pool(asked: "PoolRequest") -> "Iterator[Progress]":
    """What stands around asking systems for results, which says on a terminal how far it is; nothing around a
    workspace."""
    if not asked.systems:
        yield _unwatched
        return
    from rankle.cli.asking import asking_others

    with asking_others():
        yield _tell if sys.stderr.isatty() else _unwatched


def _tell(done: int, total: int) -> None:
    click.echo(f"\rAsked {done:,} of {total:,} queries", nl=done == total, err=True)


def _unwatched(_done: int, _total: int) -> None:
    """Progress that nobody watches."""


def pool_call(command: str, asked: "PoolRequest") -> str:
    """How the same results are judged (`label`) or listed (`pool`); no credential stands in it."""
    from shlex import quote

    from rankle.core.redaction import redacted_uri

    systems = "".join(f" --system {quote(redacted_uri(name))}" for name in asked.systems)
    return f"rankle eval {command} {quote(str(asked.set_file))}{systems}"
