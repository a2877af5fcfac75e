"""A cache of outputs and answers in memory, which counts."""

from dataclasses import dataclass, field

from rankle.harness.evals.keeping import CachedOutput


@dataclass
class MemoryCache:
    """Implements `harness.evals.keeping.Cache`."""

    kept: dict[str, CachedOutput] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    n_hits: int = 0
    n_misses: int = 0

    def get(self, key: str) -> CachedOutput | None:
        found = self.kept.get(key)
        self.n_hits += found is not None
        self.n_misses += found is None
        return found

    def put(self, key: str, value: bytes, *, took_ms: float, kind: str) -> None:
        self.kept[key] = CachedOutput(value, took_ms, "2026-11-30T00:00:00Z")
        self.kinds[key] = kind
