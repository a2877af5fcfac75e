"""What search by vectors and hybrid search take: `python -m bench.hybrid`.

- nearest vectors among 100,000 x 384: one query after the other, and 1,000 at once
- the same through the knowledge base, all three methods, over 20,000 chunks and over 2,000
- what hybrid adds to its two searches at 100 candidates

Queries are embedded at next to no cost, since the model's time stands in bench/embedding.py. One by one and
batches take turns, so that a busy moment of the machine hits both. Milliseconds are of the processor unless
they are by the clock, which on a shared machine hardly compares; it alone shows that batches search full text
on two threads. Products take one thread. Writes bench/results/hybrid.json.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rankle.core.canonical import fingerprint
from rankle.core.embedding import EmbedderInfo, Vectors
from rankle.core.evalset import Level
from rankle.core.search import SearchResult
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_request import SearchRequest
from rankle.kb.vector_search import best_rows, best_rows_of_many

QUERIES: Final = 1_000
BATCH: Final = 128
"""As the harness asks."""
ALONE: Final = 200
"""Queries that are asked one by one."""
DIMENSIONS: Final = 384
RESULTS: Final = Path(__file__).parent / "results" / "hybrid.json"


class SeededEmbedder:
    """A random direction for each text, at next to no cost. Implements `core.embedding.Embedder`."""

    info = EmbedderInfo("seeded", fingerprint(["seeded", DIMENSIONS]), DIMENSIONS)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector(text) for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.embed_queries(texts)

    def _vector(self, text: str) -> Vectors:
        rng = np.random.default_rng(int(fingerprint(text)[:16], 16))
        vector = rng.standard_normal(DIMENSIONS, dtype=np.float32)
        unit: Vectors = vector / np.linalg.norm(vector)
        return unit


class Took(NamedTuple):
    """Milliseconds a query."""

    processor: float
    clock: float


def _ms(call: Callable[[], object], *, n_queries: int = 1) -> Took:
    clock, processor = time.perf_counter(), time.process_time()
    call()
    spent = time.process_time() - processor, time.perf_counter() - clock
    return Took(*(each * 1_000 / n_queries for each in spent))


def arrays(n_rows: int) -> dict[str, Any]:
    """Nearest vectors alone, without a workspace."""
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((n_rows, DIMENSIONS), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    queries = vectors[:QUERIES] + rng.standard_normal((QUERIES, DIMENSIONS), dtype=np.float32) * 0.02
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    alone: list[Took] = []
    together: list[Took] = []
    for start in range(0, QUERIES, BATCH):
        block = queries[start : start + BATCH]
        together.append(_ms(partial(_all, vectors, block), n_queries=len(block)))
        alone += [_ms(partial(best_rows, vectors, query, limit=100)) for query in block[: ALONE // 8]]
    return _compared(alone, together)


def workspace(kb: KnowledgeBase, queries: Sequence[str], *, level: Level) -> dict[str, Any]:
    """All methods over one workspace, one by one and in batches of the harness's size."""
    measured: dict[str, Any] = {}
    for method in ("fts5", "vector", "hybrid"):
        requests = [SearchRequest(query, level=level, method=method) for query in queries]
        kb.prepare_to_search(method)
        asyncio.run(kb.run_batch(requests[:8]))
        alone: list[SearchResult] = []
        alone_ms: list[Took] = []
        together: list[Took] = []
        n_alone = max(1, ALONE * BATCH // len(requests))
        for start in range(0, len(requests), BATCH):
            block = requests[start : start + BATCH]
            together.append(_ms(partial(_batch, kb, block), n_queries=len(block)))
            alone_ms += [_ms(partial(_one, kb, request, alone)) for request in block[:n_alone]]
        measured[method] = _compared(alone_ms, together)
        if method == "hybrid":
            measured["hybrid adds, ms"] = _added(alone)
    return measured


def _all(vectors: Vectors, queries: Vectors) -> None:
    list(best_rows_of_many(vectors, queries, limit=100))


def _one(kb: KnowledgeBase, request: SearchRequest, results: list[SearchResult]) -> None:
    results.append(asyncio.run(kb.run(request)))


def _batch(kb: KnowledgeBase, requests: Sequence[SearchRequest]) -> None:
    asyncio.run(kb.run_batch(requests))


def _added(results: Sequence[SearchResult]) -> float:
    """What a hybrid search takes for the fused list beyond the time of its two searches."""
    return round(statistics.median(result.stages[2].took_ms for result in results), 3)


def _compared(alone: Sequence[Took], together: Sequence[Took]) -> dict[str, float]:
    spent, shares = [each.processor for each in alone], [each.processor for each in together]
    clock, clock_shares = [each.clock for each in alone], [each.clock for each in together]
    return {
        "alone, median ms": round(statistics.median(spent), 3),
        "alone, p95 ms": round(float(np.quantile(spent, 0.95)), 3),
        "in batches, ms a query": round(statistics.mean(shares), 3),
        "times faster in batches": round(statistics.mean(spent) / statistics.mean(shares), 1),
        "times faster by the clock": round(statistics.mean(clock) / statistics.mean(clock_shares), 1),
    }


def write_documents(folder: Path, *, n_chunks: int) -> list[str]:
    """Documents of 100 sentences whose words follow Zipf's law. Returns queries of two to five words."""
    rng = np.random.default_rng(1)
    letters = np.array(list("aeioubdfgklmnprst"))
    words = ["".join(rng.choice(letters, size=rng.integers(4, 10))) for _ in range(30_000)]
    weights = 1 / np.arange(1, len(words) + 1)
    drawn = rng.choice(len(words), size=n_chunks * 14, p=weights / weights.sum()).reshape(n_chunks, 14)
    folder.mkdir()
    for start in range(0, n_chunks, 100):
        lines = [" ".join(words[at] for at in row).capitalize() + "." for row in drawn[start : start + 100]]
        (folder / f"d{start // 100:05}.md").write_text("\n".join(lines), encoding="utf-8")
    picked = rng.choice(np.arange(20, len(words)), size=(QUERIES, 5), p=weights[20:] / weights[20:].sum())
    return [" ".join(words[at] for at in row[: rng.integers(2, 6)]) for row in picked]


def main() -> int:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    plain["OMP_NUM_THREADS"] = "1"
    if plain != dict(os.environ):  # such settings of a machine slow numpy down, which reads them at import
        return subprocess.run([sys.executable, "-m", "bench.hybrid"], env=plain, check=False).returncode
    found: dict[str, Any] = {"100,000 x 384, arrays": arrays(100_000)}
    with tempfile.TemporaryDirectory() as name:
        for n_chunks in (2_000, 20_000):
            folder = Path(name) / str(n_chunks)
            folder.mkdir()
            queries = write_documents(folder / "documents", n_chunks=n_chunks)
            with KnowledgeBase(
                folder / "workspace", name="bench", create=True, open_embedder=lambda _name: SeededEmbedder()
            ) as kb:
                kb.index(folder / "documents", chunker="sentence", model="seeded")
                for level in (Level.CHUNK, Level.DOCUMENT):
                    name_of = f"{kb.info().n_chunks:,} chunks, {level} results"
                    found[name_of] = workspace(kb, queries, level=level)
    print(json.dumps(found, indent=2))
    RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
