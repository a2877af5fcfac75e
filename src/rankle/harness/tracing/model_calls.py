"""One call of a model: what it depends on, what it spent, and its answer as it is cached and shown.

It knows the answers of the OpenAI and Anthropic clients by their members, and imports neither.
"""

import importlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rankle.core.canonical import Json, fingerprint
from rankle.core.evals import Usage
from rankle.harness.evals.keeping import CachedOutput
from rankle.harness.evals.outputs import as_json
from rankle.harness.tracing.recorder import PARENT, OpenSpan, TrialTrace

_VERSION: Final = 1
"""Of what is kept of an answer; another one makes every call anew."""
_UNSENT: Final = ("extra_headers", "timeout")
"""Parameters that hold keys, or only say how long to wait."""
_CLIENTS: Final = ("openai", "anthropic")
Prices = Mapping[str, tuple[float, float]]
"""Model to dollars for a million tokens, read and written."""


@dataclass(slots=True)
class ModelCall:
    """One call within a trial, as a step of it."""

    trial: TrialTrace
    method: str
    """Such as `chat.completions.create`."""
    endpoint: str
    parameters: Mapping[str, Any]
    prices: Prices
    is_cacheable: bool
    key: str = ""
    span: OpenSpan | None = None
    parts: list[Any] = field(default_factory=list)
    """Of a stream, what came so far."""

    def begin(self) -> None:
        """Open the step."""
        given = {name: as_json(value) for name, value in self.parameters.items() if _is_sent(name, value)}
        model = given.pop("model", None)
        metadata = {"model": model, "endpoint": self.endpoint}
        self.span = OpenSpan(self.method, PARENT.get(), self.trial.clock(), metadata, input=given)
        self.trial.begin(self.span)
        if self.is_cacheable and self.trial.cache is not None:
            self.key = self._key({"model": model, **given})

    def stored(self) -> Any:
        """The answer that the cache has, with which the step ends; None where it has none."""
        kept = self.trial.cache.get(self.key) if self.key and self.trial.cache is not None else None
        if kept is None:
            return None
        answer = _restored(kept)
        assert self.span is not None
        self.span.cached, self.span.took_ms = True, kept.took_ms
        self._end(answer, n_cached=1)
        return answer

    def answered(self, answer: Any) -> None:
        """End the step with an answer, and let the cache have it."""
        self._end(answer, n_cached=0)
        self._keep(lambda: {"one": _dumped(answer)})

    def streamed(self) -> None:
        """End the step with the parts that came, all of them."""
        self._end(self.parts, n_cached=0)
        self._keep(lambda: {"parts": [_dumped(part) for part in self.parts]})

    def broke_off(self) -> None:
        """End the step of a stream that was not read to its end; such a one is not cached."""
        self._end(self.parts, n_cached=0)

    def failed(self, error: BaseException) -> None:
        """End the step with how it failed."""
        from rankle.harness.evals.failures import error_report

        assert self.span is not None
        self.span.error = error_report(error)
        self.span.usage = Usage(n_calls=1)
        self.trial.end(self.span)

    def _end(self, answer: Any, *, n_cached: int) -> None:
        assert self.span is not None
        parts = answer if isinstance(answer, list) else [answer]
        read, written = _tokens(parts)
        model = str(self.span.metadata["model"])
        price = self.prices.get(model)
        self.span.usage = Usage(
            input_tokens=read,
            output_tokens=written,
            cost_usd=None if price is None else (read * price[0] + written * price[1]) / 1e6,
            n_calls=1,
            n_cached=n_cached,
        )
        self.span.output = _shown(answer)
        self.trial.end(self.span)

    def _key(self, parameters: Mapping[str, Json]) -> str:
        asked: dict[str, Json] = {
            "version": _VERSION,
            "kind": "model",
            "case": self.trial.case,
            "trial": self.trial.trial,
            "task": self.trial.task,
            "endpoint": self.endpoint,
            "method": self.method,
            "parameters": parameters,
        }
        return fingerprint({**asked, "occurrence": self.trial.occurrence(fingerprint(asked))})

    def _keep(self, body: Callable[[], Mapping[str, Any]]) -> None:
        if self.key and self.trial.cache is not None:
            assert self.span is not None
            assert self.span.end_s is not None
            took_ms = (self.span.end_s - self.span.start_s) * 1000
            self.trial.cache.put(self.key, json.dumps(body()).encode(), took_ms=took_ms, kind="model")


def _is_sent(name: str, value: object) -> bool:
    return name not in _UNSENT and type(value).__name__ not in ("NotGiven", "Omit")


def _dumped(answer: Any) -> dict[str, Any]:
    kind = type(answer)
    return {"class": f"{kind.__module__}:{kind.__qualname__}", "body": answer.model_dump(mode="json")}


def _restored(kept: CachedOutput) -> Any:
    body = json.loads(kept.value)
    return _built(body["one"]) if "one" in body else [_built(part) for part in body["parts"]]


def _built(dumped: Mapping[str, Any]) -> Any:
    module, _, name = dumped["class"].partition(":")
    if module.partition(".")[0] not in _CLIENTS:
        raise ValueError(f"the cache holds an answer of {module}, which is no client that is known")
    kind: Any = importlib.import_module(module)
    for part in name.split("."):
        kind = getattr(kind, part)
    return kind.construct(**dumped["body"])


def _tokens(parts: Sequence[Any]) -> tuple[int, int]:
    """Read and written. A stream tells them in one of its last parts, or in its first and a later one."""
    read = written = 0
    for part in parts:
        for owner in (part, getattr(part, "message", None), getattr(part, "response", None)):
            usage = getattr(owner, "usage", None)
            if usage is not None:
                read = max(read, _count(usage, "input_tokens", "prompt_tokens"))
                written = max(written, _count(usage, "output_tokens", "completion_tokens"))
    return read, written


def _count(usage: Any, *names: str) -> int:
    return next((int(value) for name in names if (value := getattr(usage, name, None))), 0)


def _shown(answer: Any) -> Any:
    """What the step shows: the text of a stream, an answer in full, of embeddings only how many and long."""
    if isinstance(answer, list):
        return "".join(_text_of(part) for part in answer)
    data = getattr(answer, "data", None)
    if isinstance(data, list) and data and hasattr(data[0], "embedding"):
        return {"n_embeddings": len(data), "dimensions": len(data[0].embedding)}
    if hasattr(answer, "model_dump"):
        return answer.model_dump(mode="json", exclude_none=True)
    return answer


def _text_of(part: Any) -> str:
    delta = getattr(part, "delta", None)
    if isinstance(delta, str):  # of OpenAI's responses
        return delta if str(getattr(part, "type", "")).endswith("output_text.delta") else ""
    choices: Iterable[Any] = getattr(part, "choices", None) or ()
    texts = [getattr(getattr(choice, "delta", None), "content", None) for choice in choices]
    return "".join(text for text in (*texts, getattr(delta, "text", None)) if isinstance(text, str))
