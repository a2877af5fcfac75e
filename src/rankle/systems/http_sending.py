"""Sends requests: one client for all, again where that may help, not too many and not too fast."""

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urljoin

import httpx
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_random_exponential,
)

from rankle.core.errors import SystemFailureError
from rankle.core.product import NAME, VERSION
from rankle.core.redaction import redacted_uri
from rankle.systems.http_options import HttpOptions
from rankle.systems.http_request import Request
from rankle.systems.waiting import Waited

_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_BACKOFF_S: Final = 10.0
_NUMBER: Final = re.compile(r"\d+(\.\d+)?", re.ASCII)
_CONNECT_S: Final = 1.0
"""For a connection to be there in a check: who is not at an address, often says nothing at all."""
_SAID: Final = 300
"""Characters of what a server says that an error repeats."""
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
Sleep = Callable[[float], Awaitable[None]]


class _Redacting(logging.Filter):
    """The client tells the log of every request, with its URL."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                redacted_uri(str(each)) if isinstance(each, httpx.URL) else each for each in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_Redacting())


class HttpFailureError(SystemFailureError):
    """A request that came to no answer."""

    def __init__(
        self, words: str, *, may_pass: bool, wait_s: float | None = None, is_answered: bool = False
    ) -> None:
        """may_pass: whether sending it again may help. wait_s: when the server asks to be asked again.
        is_answered: whether there is a server at all, which answered."""
        super().__init__(words)
        self.may_pass = may_pass
        self.wait_s = wait_s
        self.is_answered = is_answered


class Sender:
    """The connections to one server, and what is minded about them."""

    def __init__(
        self,
        options: HttpOptions,
        *,
        host: str,
        check_connect_s: float = _CONNECT_S,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._options = options
        self._host = host
        self._check_connect_s = check_connect_s
        self._sleep = sleep
        self._clock = clock
        self._now = now
        self._client: httpx.AsyncClient | None = None
        self._room: asyncio.Semaphore | None = None
        self._next_at = 0.0

    async def open(self) -> None:
        """Of the event loop that runs; connections are made by the first requests."""
        if self._client is not None:
            return
        most = self._options.max_in_flight
        self._room = asyncio.Semaphore(most)
        limits = httpx.Limits(max_connections=most, max_keepalive_connections=most)
        # Proxies of the environment are for what lies outside; its certificates (SSL_CERT_FILE) are for all.
        direct = httpx.AsyncHTTPTransport(limits=limits) if self._host in _LOOPBACK else None
        self._client = httpx.AsyncClient(
            timeout=self._options.timeout_s,
            limits=limits,
            transport=direct,
            follow_redirects=False,  # elsewhere, the headers would be given to somebody else
            headers={"User-Agent": f"{NAME}/{VERSION}", "Accept": "application/json"},
        )

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def json(self, request: Request, *, is_check: bool = False, waited: Waited | None = None) -> Any:
        """What the server answers. Raises HttpFailureError, with what it said, where it is nothing of use."""
        found = await self.send(request, is_check=is_check, waited=waited)
        try:
            return _json(found)
        except (ValueError, LookupError) as error:
            raise HttpFailureError(
                f"{_where(request)} answered no JSON ({error}): {_said(found)}", may_pass=False
            ) from error

    async def send(
        self, request: Request, *, is_check: bool = False, waited: Waited | None = None
    ) -> httpx.Response:
        """An answer of 2xx, after as many attempts as are allowed.

        is_check: whether nobody waits for a server that does not answer at all.
        waited: is told how long our own limits kept it from being sent.
        """

        def may_pass(error: BaseException) -> bool:
            return (
                isinstance(error, HttpFailureError) and error.may_pass and (error.is_answered or not is_check)
            )

        retrying = AsyncRetrying(
            sleep=self._sleep,
            stop=stop_after_attempt(1 + self._options.retries),
            wait=self._wait,
            retry=retry_if_exception(may_pass),
            reraise=True,
        )
        n_sent = 0
        try:
            async for attempt in retrying:
                with attempt:
                    n_sent += 1
                    return await self._once(request, is_check=is_check, waited=waited or Waited())
        except HttpFailureError as error:
            if n_sent == 1:
                raise
            raise HttpFailureError(f"{error} (after {n_sent} attempts)", may_pass=False) from error
        raise AssertionError("a retry ends by an answer or an error")

    async def _once(self, request: Request, *, is_check: bool, waited: Waited) -> httpx.Response:
        await self.open()
        assert self._client is not None
        assert self._room is not None
        async with AsyncExitStack() as stack:
            with waited.waiting():
                await stack.enter_async_context(self._room)
                await self._keep_pace()
            connect_s = (
                min(self._options.timeout_s, self._check_connect_s) if is_check else self._options.timeout_s
            )
            try:
                async with asyncio.timeout(self._options.timeout_s):  # a client's own is for each read
                    found = await self._client.request(
                        request.method,
                        request.url,
                        headers=dict(request.headers),
                        content=request.content,
                        timeout=httpx.Timeout(self._options.timeout_s, connect=connect_s),
                    )
            except httpx.ConnectTimeout as error:
                words = f"{_where(request)} gave no connection within {connect_s:g} s"
                raise HttpFailureError(words, may_pass=True) from error
            except (httpx.TimeoutException, TimeoutError) as error:
                words = f"{_where(request)} gave no answer within {self._options.timeout_s:g} s"
                raise HttpFailureError(words, may_pass=True) from error
            except httpx.InvalidURL as error:
                raise HttpFailureError(f"{_where(request)} is no URL: {error}", may_pass=False) from error
            except httpx.HTTPError as error:
                words = f"{_where(request)} gave no whole answer: {_named(error)}"
                raise HttpFailureError(words, may_pass=_may_pass(error)) from error
        return self._checked(request, found)

    def _checked(self, request: Request, found: httpx.Response) -> httpx.Response:
        if found.is_success:
            return found
        if found.has_redirect_location:
            to = redacted_uri(urljoin(request.url, found.headers["Location"]))
            words = f"{_where(request)} sends elsewhere ({found.status_code}); write that URL: {to}"
            raise HttpFailureError(words, may_pass=False)
        wait_s = self._asked_wait(found.headers.get("Retry-After"))
        too_long = wait_s is not None and wait_s > self._options.max_wait_s
        more = f" (asks to wait {wait_s:g} s, more than max_wait_s)" if too_long else ""
        words = f"{_where(request)} answered {found.status_code} {found.reason_phrase}: {_said(found)}{more}"
        may_pass = found.status_code in _PASSING and not too_long
        raise HttpFailureError(words, may_pass=may_pass, wait_s=wait_s, is_answered=True)

    def _asked_wait(self, text: str | None) -> float | None:
        """Seconds of a `Retry-After`, which has seconds or a date; None where it has neither."""
        if not text:
            return None
        if _NUMBER.fullmatch(text.strip()):
            return float(text)
        try:
            return max(0.0, (parsedate_to_datetime(text) - self._now()).total_seconds())
        except (TypeError, ValueError):
            return None

    async def _keep_pace(self) -> None:
        if self._options.rate_per_s is None:
            return
        wait_s = self._next_at - self._clock()
        self._next_at = max(self._next_at, self._clock()) + 1 / self._options.rate_per_s
        if wait_s > 0:
            await self._sleep(wait_s)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        asked = error.wait_s if isinstance(error, HttpFailureError) else None
        if asked is not None:
            return asked
        return wait_random_exponential(self._options.backoff_s, max=_LONGEST_BACKOFF_S)(state)


def _where(request: Request) -> str:
    """Without arguments, which hold the query."""
    return f"{request.method} {redacted_uri(request.url).partition('?')[0]}"


def _may_pass(error: httpx.HTTPError) -> bool:
    """Whether it was the way to the server, and not what was to be sent."""
    return isinstance(error, httpx.TransportError) and not isinstance(
        error, httpx.LocalProtocolError | httpx.UnsupportedProtocol
    )


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).rstrip('.') or 'without a word'}"


def _json(found: httpx.Response) -> Any:
    """What the body holds: UTF-8, 16 or 32, else what its header says. Raises ValueError or LookupError."""
    try:
        return found.json()
    except UnicodeDecodeError:
        if found.charset_encoding is None:
            raise
        return json.loads(found.content.decode(found.charset_encoding))


def _said(found: httpx.Response) -> str:
    words = " ".join(found.text.split())
    return words[:_SAID] + ("…" if len(words) > _SAID else "") if words else "nothing"
