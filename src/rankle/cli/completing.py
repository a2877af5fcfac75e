"""What a shell offers for the values of options and arguments. Nothing is offered where it cannot be read."""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def workspaces(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Their names."""
    from rankle.app.wiring.settings import load_settings
    from rankle.core.errors import RankleError
    from rankle.kb.workspaces import workspace_names

    try:
        names = workspace_names(load_settings().home)
    except RankleError:
        return []
    return _beginning(incomplete, (CompletionItem(name) for name in names))


def runs(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`latest`, tags and ids of recorded runs, newest first, each with what it is of."""
    from rankle.app.history import list_runs
    from rankle.core.errors import RankleError

    try:
        found = list_runs().runs
    except RankleError:
        return []
    tags = (CompletionItem(tag, help=run.set_name) for run in found for tag in run.tags)
    ids = (CompletionItem(run.id, help=f"{run.set_name}, {run.created}") for run in found)
    every = {item.value: item for item in (CompletionItem("latest"), *tags, *ids)}
    return _beginning(incomplete, every.values())


def methods(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of methods; the last one behind commas."""
    from rankle.kb.methods import METHODS

    before, comma, last = incomplete.rpartition(",")
    found = _beginning(last, (CompletionItem(name) for name in METHODS))
    return [CompletionItem(f"{before}{comma}{item.value}") for item in found]


def _beginning(incomplete: str, items: Iterable[CompletionItem]) -> list[CompletionItem]:
    return [item for item in items if item.value.startswith(incomplete)]
