"""How fast the local embedding model is alone: `python -m bench.embedding`.

Passages of about 150 tokens, queries of about 12, opening in a fresh process, and memory over 2,000 texts
of every length. Seconds of the processor stand beside those of the clock, since only they mean something on
a busy machine. Writes bench/results/embedding.json.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rankle.app.wiring.models import embedder_factory, model_cache
from rankle.core.embedding import Embedder
from rankle.models.catalog import open_embedder

PASSAGES: Final = 200
QUERIES: Final = 200
MEMORY_TEXTS: Final = 2_000
OPENED: Final = 7
RESULTS: Final = Path(__file__).parent / "results" / "embedding.json"
SENTENCES: Final = (
    "Retrieval systems are judged by how well they place relevant documents near the top of a ranking.",
    "Der Antrag auf Elternzeit muss sieben Wochen vor ihrem Beginn schriftlich gestellt werden.",
    "Les frais de déplacement sont remboursés dans un délai de trente jours après la demande.",
    "Каждое изменение проверяется на тех же запросах, прежде чем оно попадёт к пользователям.",
    "検索システムは、関連する文書を上位に並べられるかどうかで評価されます。",
    "An interval that holds nothing but noise is no reason to change the weights of a fusion.",
)
OPEN_SCRIPT: Final = (
    "import time; started = time.perf_counter()\n"
    "from rankle.app.wiring.models import embedder_factory\n"
    "embedder_factory()('e5-small').embed_queries(['how long is parental leave?'])\n"
    "print((time.perf_counter() - started) * 1_000)\n"
)


def main() -> int:
    model = embedder_factory()("e5-small")
    passages = [_text(i, n_sentences=7) for i in range(PASSAGES)]
    queries = [f"{SENTENCES[i % len(SENTENCES)][: 40 + i % 20]} {i}?" for i in range(QUERIES)]
    found: dict[str, Any] = {
        "model": model.info.name,
        "processors": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 1),
        "passages": {f"{n} threads": _throughput(n, passages) for n in (1, 2)},
        "query_ms": _latencies_ms(model, queries),
        "open_ms": round(statistics.median(_open_ms() for _ in range(OPENED)), 1),
        "memory_mb": _memory(model),
    }
    print(json.dumps(found, indent=2))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


def _text(i: int, *, n_sentences: int) -> str:
    """Other sentences for other numbers, in one language more than in others, as documents are."""
    return " ".join([*(SENTENCES[(i * k) % len(SENTENCES)] for k in range(n_sentences)), str(i)])


def _throughput(threads: int, passages: Sequence[str]) -> dict[str, float]:
    model = open_embedder("e5-small", cache=model_cache(), threads=threads)
    model.embed_passages(passages[:10])
    wall, cpu = time.perf_counter(), time.process_time()
    model.embed_passages(passages)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "documents_per_s": round(len(passages) / wall, 1),
        "processor_ms_a_document": round(cpu / len(passages) * 1_000, 1),
    }


def _latencies_ms(model: Embedder, queries: Sequence[str]) -> dict[str, float]:
    times = []
    for query in queries:
        started = time.perf_counter()
        model.embed_queries([query])
        times.append((time.perf_counter() - started) * 1_000)
    cuts = statistics.quantiles(times, n=20)
    return {"median": round(statistics.median(times), 2), "p95": round(cuts[-1], 2)}


def _open_ms() -> float:
    done = subprocess.run([sys.executable, "-c", OPEN_SCRIPT], check=True, capture_output=True, text=True)
    return float(done.stdout)


def _memory(model: Embedder) -> dict[str, float]:
    """The most memory of this process before, in the middle and after texts of every length."""
    texts = [" ".join(["word"] * (1 + i * 37 % 200)) for i in range(MEMORY_TEXTS)]
    seen = {"before": _most_mb()}
    for name, part in (
        ("after half", texts[: MEMORY_TEXTS // 2]),
        ("after all", texts[MEMORY_TEXTS // 2 :]),
    ):
        model.embed_passages(part)
        seen[name] = _most_mb()
    return seen


def _most_mb() -> float:
    kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(kibibytes / 1_024, 1)


if __name__ == "__main__":
    sys.exit(main())
