"""Keep a workspace in line with its folders while they change."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rankle.app.index import embed_into, index_text
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.models import embedder_factory
from rankle.app.wiring.settings import Settings
from rankle.core.errors import RankleError
from rankle.kb.files import IGNORE_FILES
from rankle.kb.index_request import IndexRequest
from rankle.kb.indexing import IndexReport
from rankle.kb.vectors.choice import VectorWish

if TYPE_CHECKING:
    from watchfiles import Change

_QUIET_MS: Final = 200
"""Changes are taken together until nothing changed for so long,"""
_LONGEST_MS: Final = 2_000
"""but no longer than this."""
_LOOK_MS: Final = 500
"""How often to look whether a root was taken away or put in place again."""


@dataclass(frozen=True, slots=True)
class WatchRound:
    """What came of one change of one root."""

    root: Path
    report: IndexReport | None
    """None where the indexing failed."""
    error: RankleError | None
    """Beside a report: why vectors are missing."""
    took_s: float


def roots_to_watch(request: IndexRequest, *, settings: Settings) -> list[Path]:
    """The roots that a request names, or all that the workspace knows."""
    if request.paths:
        return list(dict.fromkeys(path.resolve() for path in request.paths))
    with open_knowledge_base(settings) as kb:
        return [root.path for root in kb.roots()]


def follow(
    changes: Iterable[Sequence[Path]],
    request: IndexRequest,
    *,
    settings: Settings,
    wish: VectorWish | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[WatchRound]:
    """Index each root that changed, and tell what came of it. An error ends its round, not the watch."""
    wish = wish or VectorWish()
    open_embedder = cache(embedder_factory())  # loaded by the first round that needs it
    for roots in changes:
        for root in roots:
            started = clock()
            report, error = None, None
            try:
                with open_knowledge_base(settings, open_embedder=open_embedder) as kb:
                    report = index_text(kb, replace(request, paths=(root,)))
                    embed_into(kb, request, report, wish=wish)
            except RankleError as raised:
                error = raised
            yield WatchRound(root, report, error, clock() - started)


def root_changes(roots: Sequence[Path], *, stop: threading.Event | None = None) -> Iterator[list[Path]]:
    """The roots below which something changed, each time something did, until `stop` is set.

    All of them at first, once the watch is in place: what changed before it was would else be missed. A root
    that is taken away and comes back is watched anew.
    """
    from watchfiles import watch

    stop = stop or threading.Event()
    seen: dict[Path, object] = {}
    while not stop.is_set():
        present = _present(roots)
        fresh = [root for root in present if present[root] != seen.get(root)]
        seen = present
        if not present:
            stop.wait(_LOOK_MS / 1_000)
            continue
        folders = sorted({root if root.is_dir() else root.parent for root in present})
        for changed in watch(
            *folders,
            watch_filter=_Telling(list(present)),
            step=_QUIET_MS,
            debounce=_LONGEST_MS,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            recursive=any(root.is_dir() for root in present),
            stop_event=stop,
        ):
            now = _present(roots)
            gone = [root for root in present if root not in now]
            touched = [root for root in present if root in fresh or root in gone or _touches(changed, root)]
            fresh = []
            if touched:
                yield touched
            if now != seen:
                break


def _present(roots: Sequence[Path]) -> dict[Path, object]:
    """The roots that exist, with what tells one folder from another of the same name."""
    found: dict[Path, object] = {}
    for root in roots:
        try:
            state = root.stat()
        except OSError:
            continue
        found[root] = (state.st_dev, state.st_ino) if root.is_dir() else True
    return found


def _touches(changed: Iterable[tuple["Change", str]], root: Path) -> bool:
    return any(root == Path(path) or root in Path(path).parents for _kind, path in changed)


class _Telling:
    """Leaves out what no index would read: hidden files, and the neighbours of a root that is a file."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots

    def __call__(self, _change: "Change", path: str) -> bool:
        changed = Path(path)
        return any(self._is_document(changed, root) for root in self._roots)

    def _is_document(self, changed: Path, root: Path) -> bool:
        if changed == root:
            return True
        if root not in changed.parents:
            return False
        *folders, name = changed.relative_to(root).parts
        hidden = any(part.startswith(".") for part in folders) or name.startswith(".")
        return not hidden or name in IGNORE_FILES
