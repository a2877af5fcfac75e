"""Systems that other packages bring, found by their entry points and loaded only when they are named."""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from rankle.core.errors import InputError, RankleError
from rankle.core.ports import SearchSystem
from rankle.core.product import NAME

GROUP: Final = f"{NAME}.systems"
"""The entry-point group; the name of an entry point is the scheme of its URIs."""
OpenPlugin = Callable[[str, Mapping[str, object]], SearchSystem]
"""Opens a system: what follows the scheme in its URI, and the options of its table in the project file."""


def plugin_schemes() -> tuple[str, ...]:
    """Schemes of the installed packages; nothing of them is imported."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def load_plugin(scheme: str) -> OpenPlugin | None:
    """What opens systems of a scheme; None where no package has it.

    Raises InputError where several have it, or the one cannot be loaded, with what it says.
    """
    points = {point.value: point for point in entry_points(group=GROUP, name=scheme)}
    if not points:
        return None
    if len(points) > 1:
        raise InputError(
            f'"{scheme}:" is brought by several packages: {", ".join(map(_whose, points.values()))}'
        )
    (point,) = points.values()
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        raise InputError(
            f'"{scheme}:" of {_whose(point)} cannot be loaded: {type(error).__name__}: {error}'
        ) from error
    if not callable(loaded):
        raise InputError(
            f'"{scheme}:" of {_whose(point)} is no function, which it must be: open(rest, options)'
        )
    return loaded  # type: ignore[no-any-return]


def open_plugin(
    opening: OpenPlugin, rest: str, options: Mapping[str, object], *, scheme: str
) -> SearchSystem:
    """The system that a package opens. Raises InputError where it cannot, with what it says."""
    try:
        opened = opening(rest, options)
    except (RankleError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f'"{scheme}:{rest}" cannot be opened: {type(error).__name__}: {error}') from error
    return check_port(opened, scheme=scheme)


def check_port(system: object, *, scheme: str) -> SearchSystem:
    """What a package opened. Raises InputError where it lacks a member of the port, with the first."""
    for name in ("describe", "catalog", "search"):
        if not callable(getattr(system, name, None)):
            raise InputError(
                f'"{scheme}:" opened {type(system).__name__}, which has no method {name}; a system has '
                "describe, catalog and search"
            )
    return system  # type: ignore[return-value]


def _whose(point: EntryPoint) -> str:
    package = point.dist.name if point.dist is not None else "?"
    return f"{package} ({point.value})"
