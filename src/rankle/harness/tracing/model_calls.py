"""One call of a model as a step of a trial, which the cache may answer."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, get_origin

from rankle.core.canonical import Json, fingerprint
from rankle.core.trials import Usage
from rankle.harness.evals.keeping import CachedOutput
from rankle.harness.evals.outputs import as_json
from rankle.harness.tracing.model_answers import dumped, shown, tokens_of
from rankle.harness.tracing.recorder import PARENT, OpenSpan, TrialTrace

_VERSION: Final = 1
"""Of what is kept of an answer; another one makes every call anew."""
_UNSENT: Final = ("extra_headers", "timeout")
"""Parameters that hold keys, or only say how long to wait."""
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
    is_parsed: bool = False
    """Whether the answer is made of classes of the caller, and so kept as the JSON that it was made from."""
    key: str = ""
    span: OpenSpan | None = None
    parts: list[Any] = field(default_factory=list)
    """Of a stream, what came so far."""

    def begin(self) -> None:
        """Open the step."""
        given = {name: _as_sent(value) for name, value in self.parameters.items() if _is_sent(name, value)}
        model = given.pop("model", None)
        metadata = {"model": model, "endpoint": self.endpoint}
        self.span = OpenSpan(self.method, PARENT.get(), self.trial.clock(), metadata, input=given)
        self.trial.begin(self.span)
        if self.is_cacheable and self.trial.cache is not None:
            self.key = self._key({"model": model, **given})

    def kept(self) -> CachedOutput | None:
        """What the cache has of the answer; None where it has nothing."""
        return self.trial.cache.get(self.key) if self.key and self.trial.cache is not None else None

    def found(self, answer: Any, kept: CachedOutput) -> None:
        """End the step with the answer of what was kept."""
        assert self.span is not None
        self.span.cached, self.span.took_ms = True, kept.took_ms
        self._end(answer, n_cached=1)

    def answered(self, answer: Any) -> None:
        """End the step with an answer, and let the cache have it."""
        self._end(answer, n_cached=0)
        if self.is_parsed:
            self._keep_parsed(answer)
        else:
            self._keep(lambda: {"one": dumped(answer)})

    def streamed(self) -> None:
        """End the step with the parts that came, all of them."""
        self._end(self.parts, n_cached=0)
        self._keep(lambda: {"parts": [dumped(part) for part in self.parts]})

    def broke_off(self) -> None:
        """End the step of a stream that was not read to its end; such a one is not cached."""
        self._end(self.parts, n_cached=0)

    @contextmanager
    def telling_failure(self) -> Iterator[None]:
        """The step ends with what is raised within."""
        try:
            yield
        except BaseException as error:
            self.failed(error)
            raise

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
        read, written = tokens_of(parts)
        model = str(self.span.metadata["model"])
        price = self.prices.get(model)
        self.span.usage = Usage(
            input_tokens=read,
            output_tokens=written,
            cost_usd=None if price is None else (read * price[0] + written * price[1]) / 1e6,
            n_calls=1,
            n_cached=n_cached,
        )
        self.span.output = shown(answer)
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

    def _keep_parsed(self, answer: Any) -> None:
        from pydantic_core import PydanticSerializationError

        with suppress(PydanticSerializationError):  # of what was parsed; the call is made anew next time
            sent = answer.to_dict(mode="json", warnings=False)
            self._keep(lambda: {"sent": sent})

    def _keep(self, body: Callable[[], Mapping[str, Any]]) -> None:
        assert self.span is not None
        if self.key and self.trial.cache is not None and self.span.end_s is not None:  # else it was given up
            took_ms = (self.span.end_s - self.span.start_s) * 1000
            self.trial.cache.put(self.key, json.dumps(body()).encode(), took_ms=took_ms, kind="model")


def _is_sent(name: str, value: object) -> bool:
    return name not in _UNSENT and type(value).__name__ not in ("NotGiven", "Omit")


def _as_sent(value: Any) -> Any:
    """A class to which the answer is to conform is sent as its schema; what its name says may change."""
    if not isinstance(value, type) and get_origin(value) is None:
        return as_json(value)
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    try:
        schema = TypeAdapter(value).json_schema()
    except PydanticUserError:  # the client refuses it too, and says why
        return as_json(value)
    return {"name": getattr(value, "__name__", str(value)), "schema": as_json(schema)}
