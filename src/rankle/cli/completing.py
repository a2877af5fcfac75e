"""What a shell offers for the values of options and arguments. Nothing is offered where it cannot be read."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click
from click.shell_completion import CompletionItem, ShellComplete

_SCHEMES: Final = ("kb:", "python:", "command:", "run:", "http://", "https://")
_MODELS: Final = ("e5-small", "onnx:", "openai:", "none")
_USUAL_CUT: Final = 10


def offers(command: click.Command, words: Sequence[str], last: str, *, name: str) -> Iterator[CompletionItem]:
    """What may stand in the place of the word `last`, behind finished `words`: each time the whole word.

    name: of the command. Files and folders are one item, whose value is what stands before their name in the
    word and is none of it, as `--output=` is, and whose help is what of the name is there.
    """
    option, equals, _ = last.partition("=")
    is_value = bool(equals) and last.startswith("-") and "--" not in words
    before = f"{option}=" if is_value else ""
    for item in ShellComplete(command, {}, name, "").get_completions([*words], last):
        if item.type == "plain":
            yield CompletionItem(f"{before}{item.value}", help=item.help)
        else:
            kept = f"{before}{item.before or ''}"
            yield CompletionItem(kept, type=item.type, help=last[len(kept) :])


def workspaces(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Their names."""
    return _beginning(incomplete, map(CompletionItem, _workspace_names()))


def runs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`latest`, tags and ids of recorded runs, newest first, each with what it is of; files, where they may
    stand for a run and nothing recorded begins so."""
    from rankle.app.history import list_runs
    from rankle.core.errors import RankleError

    try:
        found = list_runs(records=ctx.params.get("records")).runs
    except RankleError:
        found = ()
    tags = (CompletionItem(tag, help=run.set_name) for run in found for tag in run.tags)
    ids = (CompletionItem(run.id, help=f"{run.set_name}, {run.created}") for run in found)
    latest = [CompletionItem("latest")] if found else []
    every = {item.value: item for item in (*latest, *tags, *ids)}
    return _beginning(incomplete, every.values()) or files(ctx, param, incomplete)


def tags(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Those of recorded runs."""
    from rankle.app.history import list_runs
    from rankle.core.errors import RankleError

    try:
        found = list_runs(records=ctx.params.get("records")).runs
    except RankleError:
        return []
    return _beginning(
        incomplete, (CompletionItem(tag, help=run.set_name) for run in found for tag in run.tags)
    )


def baselines(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Those of the project."""
    from rankle.app.project_baselines import project_baselines
    from rankle.core.errors import RankleError

    try:
        found = project_baselines().baselines
    except RankleError:
        return []
    return _beginning(incomplete, (CompletionItem(baseline.name) for baseline in found))


def methods(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of methods; the last one behind commas."""
    from rankle.kb.methods import METHODS

    return _last_of_list(incomplete, METHODS)


def measures(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of measures, cut at the usual rank; the last one behind commas."""
    from rankle.metrics.family import Cut
    from rankle.metrics.table import FAMILIES

    names = (family.name if family.cut is Cut.NONE else f"{family.name}@{_USUAL_CUT}" for family in FAMILIES)
    return _last_of_list(incomplete, names)


def chunkers(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of chunkers, each with what it does."""
    from rankle.kb.chunk.catalog import CHUNKERS

    return _beginning(
        incomplete, (CompletionItem(name.removesuffix("N"), help=what) for name, what in CHUNKERS.items())
    )


def models(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of embedding models, and what others begin with."""
    return _beginning(incomplete, map(CompletionItem, _MODELS))


def systems(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Systems that the project names, and what a URI begins with; workspaces and files behind theirs."""
    scheme, colon, _ = incomplete.partition(":")
    if colon and scheme == "kb":
        return _beginning(incomplete, (CompletionItem(f"kb:{name}") for name in _workspace_names()))
    if colon and scheme == "run":
        return [CompletionItem(incomplete, type="file", before="run:")]
    return _beginning(incomplete, map(CompletionItem, (*_named_systems(), *_SCHEMES)))


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders, as the shell finds them."""
    return [CompletionItem(incomplete, type="file")]


def _workspace_names() -> list[str]:
    from rankle.app.wiring.settings import load_settings
    from rankle.core.errors import RankleError
    from rankle.kb.workspaces import workspace_names

    try:
        return workspace_names(load_settings().home)
    except RankleError:
        return []


def _named_systems() -> list[str]:
    from pathlib import Path

    from rankle.app.wiring.project import read_project_file
    from rankle.core.errors import RankleError

    try:
        tables = read_project_file(Path.cwd()).get("systems")
    except RankleError:
        return []
    return list(tables) if isinstance(tables, dict) else []


def _last_of_list(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    """The names that the part behind the last comma begins, without those that stand there already."""
    before, comma, last = incomplete.rpartition(",")
    there = before.split(",")
    found = _beginning(last, (CompletionItem(name) for name in names if name not in there))
    return [CompletionItem(f"{before}{comma}{item.value}") for item in found]


def _beginning(incomplete: str, items: Iterable[CompletionItem]) -> list[CompletionItem]:
    """Those that go on with what is there, whatever the case of its letters, as names are read."""
    found = list(items)
    start = incomplete.casefold()
    exact = [item for item in found if item.value.startswith(incomplete)]
    return exact or [item for item in found if item.value.casefold().startswith(start)]
