"""Give every chunk of a workspace a vector."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.embedding import OpenEmbedder
from rankle.kb.vectors.embedding import EmbedProgress, EmbedReport


@dataclass(frozen=True, slots=True)
class Embedded:
    """What an embedding did, and where."""

    workspace: str
    report: EmbedReport
    took_s: float
    """Loading the model included."""


def embed(
    model: str | None,
    *,
    settings: Settings,
    progress: Callable[[EmbedProgress], None] | None = None,
    waiting: Callable[[], None] | None = None,
    open_embedder: OpenEmbedder | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Embedded:
    """Embed what has no vector in the workspace of `settings`. Raises what `KnowledgeBase.embed` raises.

    model: None for the workspace's own, else that of the settings, else the default.
    """
    started = clock()
    with open_knowledge_base(settings, open_embedder=open_embedder) as kb:
        report = kb.embed(model, progress=progress, waiting=waiting)
    return Embedded(settings.workspace, report, clock() - started)
