"""The context of a client's `stream()`, as a traced step that lasts as long as it does."""

from collections.abc import Mapping
from typing import Any, Final

from rankle.harness.tracing.caller import Caller
from rankle.harness.tracing.model_calls import ModelCall

_SNAPSHOTS: Final = ("current_message_snapshot", "current_completion_snapshot")
"""Members of streams that tell what came so far."""


class Managed:
    """The context of a `stream()`; its step lasts as long as the context, and shows what came in it."""

    def __init__(self, manager: Any, caller: Caller, parameters: Mapping[str, Any]) -> None:
        self._manager = manager
        self._caller = caller
        self._parameters = parameters
        self._step: ModelCall | None = None
        self._stream: Any = None

    def __enter__(self) -> Any:
        self._step = self._caller.open(self._parameters)
        try:
            self._stream = self._manager.__enter__()
        except BaseException as error:
            self._end(error)
            raise
        return self._stream

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> Any:
        self._end(error)
        return self._manager.__exit__(kind, error, trace)

    async def __aenter__(self) -> Any:
        self._step = self._caller.open(self._parameters)
        try:
            self._stream = await self._manager.__aenter__()
        except BaseException as error:
            self._end(error)
            raise
        return self._stream

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> Any:
        self._end(error)
        return await self._manager.__aexit__(kind, error, trace)

    def _end(self, error: BaseException | None) -> None:
        step, self._step = self._step, None
        if step is None:
            return
        if error is not None:
            step.failed(error)
        else:
            step.answered(self._snapshot())

    def _snapshot(self) -> Any:
        """What came so far; None where the stream tells it by none of the names that are known."""
        for name in _SNAPSHOTS:
            try:
                return getattr(self._stream, name)
            except (AttributeError, AssertionError):  # the latter before its first part
                continue
        return None
