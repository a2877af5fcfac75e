"""How fast vectors come into a workspace, against what the model does alone: `python -m bench.indexing`.

Three ways over the same texts, in turns: the model alone on all of them at once; `embed` of a workspace
whose text is indexed; and `index` from nothing, text and vectors. One model takes a fixed time a text and
leaves the processor free, as a server would; the other is e5-small, where it is installed. `embed` must
reach 80 % of the model alone, and with e5-small so must `index`. Writes bench/results/indexing.json.
"""

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from rankle.app.wiring.models import embedder_factory, model_readiness
from rankle.core.embedding import Embedder, EmbedderInfo, Vectors
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.models.catalog import DEFAULT_MODEL
from rankle.models.readiness import Readiness

REPOSITORY: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "results" / "indexing.json"
HANDBOOK: Final = REPOSITORY / "examples" / "handbook"
ROUNDS: Final = 3
LEAST: Final = 0.8
_DEMANDED: Final = (("slow", "embed"), ("e5-small", "embed"), ("e5-small", "index"))
"""Preparing text takes longer than a model that embeds 500 of them a second."""
SLOW_TEXT_S: Final = 0.002
"""A text of the slow model: 500 a second, eight times what e5-small does on two processors."""
COPIES: Final = 8
"""Of the handbook, each with words of its own, for the slow model."""


class SlowEmbedder:
    """Takes a fixed time a text, whatever it says."""

    info = EmbedderInfo(name="slow", fingerprint="0" * 64, dimensions=384)

    def __init__(self) -> None:
        self._vectors = np.eye(384, dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        time.sleep(SLOW_TEXT_S * len(texts))
        return self._vectors[[len(text) % 384 for text in texts]]


class _Listening:
    """Notes the texts that a workspace asks for, so that the model alone gets the same ones."""

    def __init__(self, embedder: Embedder) -> None:
        self.info = embedder.info
        self.texts: list[str] = []
        self._embedder = embedder

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return self._embedder.embed_passages(texts)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        results = {"slow": _measure(SlowEmbedder(), _copies(Path(folder)), Path(folder))}
        if model_readiness() is Readiness.READY:
            results[DEFAULT_MODEL] = _measure(embedder_factory()(DEFAULT_MODEL), HANDBOOK, Path(folder))
    RESULTS.parent.mkdir(exist_ok=True)
    report = {"rounds": ROUNDS, "processors": os.cpu_count(), "least_ratio": LEAST, "models": results}
    RESULTS.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0 if all(results[name]["ratio"][way] >= LEAST for name, way in _DEMANDED if name in results) else 1


def _measure(embedder: Embedder, docs: Path, folder: Path) -> dict[str, dict[str, float]]:
    listening = _Listening(embedder)
    _index(listening, docs, folder, vectors=True)
    texts = list(dict.fromkeys(listening.texts))
    seconds: dict[str, list[_Seconds]] = {"alone": [], "embed": [], "index": []}
    for _ in range(ROUNDS):
        seconds["alone"].append(_timed(lambda: embedder.embed_passages(texts)))
        _index(embedder, docs, folder, vectors=False)
        with _opened(embedder, folder) as kb:
            seconds["embed"].append(_timed(lambda kb=kb: kb.embed(embedder.info.name)))  # type: ignore[misc]
        seconds["index"].append(_timed(lambda: _index(embedder, docs, folder, vectors=True)))
    rates = {
        way: round(len(texts) / statistics.median(each.clock for each in took), 1)
        for way, took in seconds.items()
    }
    ratios = {way: round(rates[way] / rates["alone"], 3) for way in ("embed", "index")}
    processor_ms = {
        way: round(1_000 * statistics.median(each.processor for each in took) / len(texts), 3)
        for way, took in seconds.items()
    }
    for way, rate in rates.items():
        share = f"  {ratios[way]:.0%} of the model alone" if way in ratios else ""
        print(f"{embedder.info.name:10} {way:6} {rate:8.1f} texts/s {processor_ms[way]:8.2f} ms each{share}")
    return {
        "texts": {"n": len(texts)},
        "texts_per_s": rates,
        "ratio": ratios,
        "processor_ms_per_text": processor_ms,
    }


class _Seconds(NamedTuple):
    clock: float
    processor: float
    """Of all threads; tells on a busy machine too what one way does more than another."""


def _timed(run: Callable[[], object]) -> _Seconds:
    clock, processor = time.perf_counter(), time.process_time()
    run()
    return _Seconds(time.perf_counter() - clock, time.process_time() - processor)


def _index(embedder: Embedder, docs: Path, folder: Path, *, vectors: bool) -> None:
    shutil.rmtree(folder / "workspace", ignore_errors=True)
    with _opened(embedder, folder) as kb:
        kb.index(docs, vectors=vectors, model=embedder.info.name if vectors else None)


def _opened(embedder: Embedder, folder: Path) -> KnowledgeBase:
    return KnowledgeBase(
        folder / "workspace", name="workspace", create=True, open_embedder=lambda _name: embedder
    )


def _copies(folder: Path) -> Path:
    docs = folder / "docs"
    for copy in range(COPIES):
        for path in HANDBOOK.rglob("*.md"):
            target = docs / str(copy) / path.relative_to(HANDBOOK)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(path.read_text(encoding="utf-8").replace(". ", f" {copy}. "), encoding="utf-8")
    return docs


if __name__ == "__main__":
    sys.exit(main())
