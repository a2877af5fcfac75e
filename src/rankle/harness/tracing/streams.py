"""Streams of a model while they are read: what comes is kept, and their step ends with the last of it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from rankle.harness.tracing.model_calls import ModelCall


class _Stream:
    """A stream and its step, which ends with the last part, or when the stream is closed."""

    def __init__(self, source: Any, step: ModelCall | None = None) -> None:
        """step: None for a stream that the cache gives, whose source is a list."""
        self._source = source
        self._step = step

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def _came(self, part: Any) -> None:
        if self._step is not None:
            self._step.parts.append(part)

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Around the reading to the last part: the step ends with it, or with what it raises."""
        try:
            yield
        except Exception as error:
            failure = error
            self._finish(lambda step: step.failed(failure))
            raise
        self._finish(ModelCall.streamed)

    def _finish(self, end: Callable[[ModelCall], None]) -> None:
        step, self._step = self._step, None
        if step is not None:
            end(step)


class Parts(_Stream):
    """A stream while it is read."""

    def __init__(self, source: Any, step: ModelCall | None = None) -> None:
        super().__init__(source, step)
        self._parts = self._read()

    def _read(self) -> Iterator[Any]:
        with self._ending():
            for part in self._source:
                self._came(part)
                yield part

    def __iter__(self) -> Iterator[Any]:
        return self._parts

    def __next__(self) -> Any:
        return next(self._parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        self._finish(ModelCall.broke_off)
        if hasattr(self._source, "close"):
            self._source.close()


class AsyncParts(_Stream):
    """An async stream while it is read."""

    def __init__(self, source: Any, step: ModelCall | None = None) -> None:
        super().__init__(source, step)
        self._parts = self._read()

    async def _read(self) -> AsyncIterator[Any]:
        with self._ending():
            async for part in _as_async(self._source):
                self._came(part)
                yield part

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._parts

    async def __anext__(self) -> Any:
        return await anext(self._parts)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._finish(ModelCall.broke_off)
        if hasattr(self._source, "close"):
            await self._source.close()


async def _as_async(source: Any) -> AsyncIterator[Any]:
    if isinstance(source, list):
        for part in source:
            yield part
    else:
        async for part in source:
            yield part
