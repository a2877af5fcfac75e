"""What the arguments of `rankle eval` say, where click alone does not read it."""

from typing import TYPE_CHECKING

from rankle.core.errors import InputError

if TYPE_CHECKING:
    from rankle.kb.search_settings import SearchSettings


def read_methods(texts: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(name.strip() for text in texts for name in text.split(","))
    if not all(names):
        given = ",".join(texts)
        raise InputError(
            f'--method must be names with commas between them, such as fts5,hybrid; got "{given}"'
        )
    return names


def read_cuts(texts: tuple[str, ...]) -> tuple[int, ...]:
    text = ",".join(texts)
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and int(part[:9]) > 0 for part in parts):
        raise InputError(f'-k must be integers >= 1 with commas between them, such as 1,5,10; got "{text}"')
    return tuple(int(part) for part in parts)


def check_only_systems(
    systems: tuple[str, ...], *, methods: tuple[str, ...], workspace: str | None, ranking: "SearchSettings"
) -> None:
    """Raises InputError on options of workspaces beside --system, with what to write instead."""
    if not systems:
        return
    from rankle.kb.search_settings import DEFAULT_SETTINGS

    if methods:
        raise InputError("--method is of a workspace; with --system write kb:WORKSPACE?method=" + methods[0])
    if workspace is not None:
        raise InputError(f"--workspace is measured where no --system is; write --system kb:{workspace}")
    if ranking != DEFAULT_SETTINGS:
        raise InputError(
            "options of the ranking are of workspaces; with --system write them as "
            "kb:WORKSPACE?method=hybrid&vector_weight=0.3"
        )
