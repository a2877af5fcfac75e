"""Outputs of tasks that are declared cacheable, by all that they depend on.

What a task traced and what it spent on models are kept beside: scorers may look at them, and would judge the
same output differently without.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from rankle.core.canonical import fingerprint
from rankle.core.trials import SpanReport, Usage
from rankle.harness.evals.case import Case
from rankle.harness.evals.keeping import Cache
from rankle.harness.evals.outputs import as_json, survives_json
from rankle.harness.evals.prepared import PreparedEval

VERSION: Final = 2
"""Of the key and of what is kept under it; another version finds nothing of this one."""
KIND: Final = "task"


@dataclass(frozen=True, slots=True)
class CachedTask:
    """What a task gave before."""

    output: Any
    took_ms: float
    trace: tuple[SpanReport, ...] = field(default=())
    """Its steps, marked as cached."""
    usage: Usage | None = None
    """Tokens and cost of the day; all calls are counted as cached."""
    n_steps_left_out: int = 0
    """Steps that the trace does not hold."""


class _Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept under a key."""

    output: Any
    trace: list[SpanReport]
    usage: Usage | None
    n_steps_left_out: int = 0


@dataclass(slots=True)
class TaskCache:
    """Answers for the task of one eval. It does nothing where the eval, or the command, wants no cache."""

    prepared: PreparedEval
    cache: Cache | None
    n_unfit: int = 0
    """Outputs that JSON would have changed, and that were not kept."""
    unfit_type: str | None = None

    def find(self, case: Case) -> CachedTask | None:
        """What this trial of the case gave before; trials never share an output."""
        cache = self._cache
        if cache is None:
            return None
        found = cache.get(self._key(case))
        if found is None:
            return None
        kept = msgspec.json.decode(found.value, type=_Kept)
        usage = kept.usage and msgspec.structs.replace(kept.usage, n_cached=kept.usage.n_calls)
        trace = tuple(map(_cached, kept.trace))
        return CachedTask(kept.output, found.took_ms, trace, usage, kept.n_steps_left_out)

    def keep(
        self,
        case: Case,
        output: Any,
        *,
        took_ms: float,
        trace: Sequence[SpanReport] = (),
        n_steps_left_out: int = 0,
        usage: Usage | None = None,
    ) -> None:
        """Keep an output. One that would come back from JSON as something else is not kept, but counted.

        trace, n_steps_left_out, usage: of the task alone, without its scorers.
        """
        cache = self._cache
        if cache is None:
            return
        if not survives_json(output):
            self.n_unfit += 1
            self.unfit_type = self.unfit_type or type(output).__name__
            return
        kept = _Kept(output, list(trace), usage, n_steps_left_out)
        cache.put(self._key(case), msgspec.json.encode(kept), took_ms=took_ms, kind=KIND)

    @property
    def notice(self) -> str | None:
        """What must be known of what was not kept."""
        if not self.n_unfit:
            return None
        outputs = "1 output was" if self.n_unfit == 1 else f"{self.n_unfit} outputs were"
        return (
            f"{outputs} not cached, since JSON would have changed them (the first is a {self.unfit_type}): "
            "return lists, dictionaries by text, text and numbers."
        )

    @property
    def is_used(self) -> bool:
        """Whether anything is found or kept."""
        return self._cache is not None

    @property
    def _cache(self) -> Cache | None:
        return self.cache if self.prepared.options.cache and self.prepared.suite.cacheable else None

    def _key(self, case: Case) -> str:
        """SHA-256 of canonical JSON. A task that asks for the whole case may depend on all of it, but for its
        position, which changes with every row that is added before it."""
        variant = self.prepared.variant
        seen = {"input": as_json(case.input)}
        if "case" in self.prepared.suite.call.by_name:
            seen |= {
                "expected": as_json(case.expected),
                "metadata": as_json(case.metadata),
                "tags": list(case.tags),
            }
        return fingerprint(
            {
                "version": VERSION,
                "kind": KIND,
                "case": case.id,
                "seen": seen,
                "trial": case.trial,
                "task": self.prepared.task_fingerprint,
                "variant": None
                if variant is None
                else {"name": variant.name, "input": as_json(variant.input)},
            }
        )


def _cached(span: SpanReport) -> SpanReport:
    usage = span.usage and msgspec.structs.replace(span.usage, n_cached=span.usage.n_calls)
    return msgspec.structs.replace(span, cached=True, usage=usage)
