"""Opens a traced step for each call of one method of a client."""

from collections.abc import Mapping
from typing import Any, Final

from rankle.core.cached import CachedOutput
from rankle.core.redaction import bare_endpoint
from rankle.harness.tracing.model_answers import restored, sent_body
from rankle.harness.tracing.model_calls import ModelCall, Prices
from rankle.harness.tracing.recorder import CURRENT
from rankle.harness.tracing.replaying import replayed

CREATE: Final = "create"
PARSE: Final = "parse"
CACHED: Final = (CREATE, PARSE)
"""The methods whose answers are cached."""


class Caller:
    """What is known of the method before it is called."""

    def __init__(self, path: tuple[str, ...], client: Any, prices: Prices) -> None:
        self._path = path
        self._client = client
        self._prices = prices

    def open(self, parameters: Mapping[str, Any]) -> ModelCall | None:
        """The call as a step that has begun; None outside of a run."""
        trial = CURRENT.get()
        if trial is None:
            return None
        call = ModelCall(
            trial=trial,
            method=".".join(self._path),
            endpoint=bare_endpoint(str(getattr(self._client, "base_url", ""))),
            parameters=parameters,
            prices=self._prices,
            is_cacheable=self._path[-1] in CACHED,
            is_parsed=self._path[-1] == PARSE,
        )
        call.begin()
        return call

    def restored(self, kept: CachedOutput, parameters: Mapping[str, Any]) -> Any:
        """The answer that was kept; of a `parse` of an async client, what is to be awaited for it."""
        if self._path[-1] != PARSE:
            return restored(kept)
        return replayed(self._client, self._path, parameters, body=sent_body(kept))
