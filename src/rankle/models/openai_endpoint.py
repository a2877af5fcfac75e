"""Requests to an embeddings endpoint: sent with patience, failed with words that never hold the key."""

import math
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from rankle.core.errors import ModelError
from rankle.models.openai_answer import Answer, BadAnswerError, parse_answer
from rankle.models.openai_client import Timeouts, checked_key, open_client
from rankle.models.openai_name import KEY_VARIABLE, OpenAIName
from rankle.models.openai_words import ServerWords

if TYPE_CHECKING:
    import httpx2
    import openai
    import tenacity

_REFUSED_AS_SENT: Final = frozenset({400, 413, 422})
_WORTH_ANOTHER_TRY: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 529})
_URL_HINT: Final = 'Is the URL what "/embeddings" follows, mostly ending in /v1?'
_NO_QUOTA: Final = b'"insufficient_quota"'
"""OpenAI's code for an empty account: it comes as 429, yet no patience helps."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an endpoint is waited for."""

    timeouts: Timeouts = field(default_factory=Timeouts)
    attempts: int = 6
    """For an answer that says to come again (429, 5xx)."""
    connection_attempts: int = 3
    """For no answer at all."""
    longest_wait_s: float = 120.0
    """A `Retry-After` beyond this fails at once, instead of looking hung."""


class RefusedRequestError(ModelError):
    """The server takes the endpoint and the model, but not this list of texts (400, 413, 422)."""


class _PassingError(ModelError):
    """A failure that may be gone at the next attempt."""

    def __init__(self, message: str, *, attempts: int, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.attempts = attempts
        self.retry_after_s = retry_after_s


class OpenAIEndpoint:
    """One model at one URL, by the `openai` SDK. Safe to use from several threads.

    Retries are ours and not the SDK's, so that waits can be tested, can be cut short, and say how often they
    happened. Redirects are refused: a POST does not survive most of them, and the key must not travel.
    """

    def __init__(
        self,
        name: OpenAIName,
        *,
        api_key: str | None,
        patience: Patience,
        concurrency: int,
        sleep: Callable[[float], object] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """sleep, now: replaced in tests; without `sleep`, a wait ends early when its caller gives up.

        Raises MissingExtraError without the SDK, InputError on a key that cannot be sent or a URL that
        cannot be asked, ModelError where the public API is to be asked without a key.
        """
        self.url = f"{name.base_url}/embeddings"
        self._name = name
        self._key = checked_key(api_key, name=name)
        self._words = ServerWords(secret=self._key)
        self._patience = patience
        self._slots = threading.BoundedSemaphore(concurrency)
        self._sleep = sleep
        self._now = now
        self._client = open_client(name, key=self._key, timeouts=patience.timeouts)
        # Whoever holds an embedder by its port cannot close it, and open sockets warn when collected.
        self.close = weakref.finalize(self, self._client.close)

    def embed(self, texts: Sequence[str], *, stop: threading.Event) -> Answer:
        """The vectors of non-empty texts. `stop` ends waiting: no attempt is made once it is set.

        Raises RefusedRequestError where other texts may work, else ModelError.
        """
        import tenacity

        if not self.close.alive:
            raise RuntimeError(f"{self.url} is asked by an embedder that was closed")
        body: dict[str, object] = {"model": self._name.model, "input": list(texts)}
        if self._name.dimensions is not None:
            body["dimensions"] = self._name.dimensions

        def pause(seconds: float) -> None:
            (self._sleep or stop.wait)(seconds)

        # No encoding_format: numbers are then what every server gives, and several refuse either word.
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_PassingError),
            stop=lambda state: state.attempt_number >= _passing(state).attempts,
            wait=_wait_s,
            sleep=pause,
            reraise=True,
        )
        for attempt in retrying:
            with attempt:
                if stop.is_set():
                    raise ModelError(f"{self.url} was not asked again, since another request had failed")
                answer = self._ask(body, tries=attempt.retry_state.attempt_number)
                return self._read(answer, n_texts=len(texts))
        raise AssertionError("tenacity ends with a result or an error")

    def _ask(self, body: dict[str, object], *, tries: int) -> bytes:
        """One request. Errors are raised outside of the handlers: those of the SDK carry the key along."""
        import httpx2
        import openai

        failure: ModelError
        try:
            with self._slots:
                response = self._client.post("/embeddings", cast_to=httpx2.Response, body=body)
        except openai.APIStatusError as error:
            failure = self._status_failure(error.response, tries=tries)
        except openai.APIConnectionError as error:
            failure = self._connection_failure(error, tries=tries)
        else:
            return response.content
        raise failure

    def _read(self, body: bytes, *, n_texts: int) -> Answer:
        try:
            return parse_answer(body, n_texts=n_texts)
        except BadAnswerError as error:
            fault = f"{self.url} answered 200, but {error}"
            is_foreign = error.is_foreign
        if is_foreign:
            raise ModelError(f"{fault}; it said {self._words.said(body)}. {_URL_HINT}")
        raise ModelError(f"{fault}. Such vectors cannot be searched; the server or its model is at fault.")

    def _connection_failure(self, error: "openai.APIConnectionError", *, tries: int) -> _PassingError:
        import httpx2
        import openai

        timeouts = self._patience.timeouts
        if isinstance(error.__cause__, httpx2.ConnectTimeout):
            happened = f"cannot be reached within {timeouts.connect_s:g} s"
        elif isinstance(error, openai.APITimeoutError):
            happened = f"gave no answer within {timeouts.silence_s:g} s"
        else:
            refused = isinstance(error.__cause__, httpx2.ConnectError)
            reason = self._words.clean(str(error.__cause__ or error))
            happened = f"{'cannot be reached' if refused else 'broke off'}: {reason}"
        return _PassingError(
            f"{self.url} {happened}{_tried(tries)}. Is the server running, and is the URL right?",
            attempts=self._patience.connection_attempts,
        )

    def _status_failure(self, response: "httpx2.Response", *, tries: int) -> ModelError:
        status = response.status_code
        said = f"{self.url} answered {status}{_tried(tries)} and said {self._words.said(response.content)}."
        if status in _REFUSED_AS_SENT:
            return RefusedRequestError(said)
        if status in _WORTH_ANOTHER_TRY and _NO_QUOTA not in response.content:
            wait_s = _retry_after_s(response.headers, now=self._now())
            if wait_s is None or wait_s <= self._patience.longest_wait_s:
                return _PassingError(said, attempts=self._patience.attempts, retry_after_s=wait_s)
            return ModelError(f"{said} It asks to wait for {wait_s:.0f} s; try again then.")
        return ModelError(f"{said} {self._hint(response)}".rstrip())

    def _hint(self, response: "httpx2.Response") -> str:
        status = response.status_code
        if status in {401, 403}:
            if self._key is None:
                return f"No key was sent; put it into the environment variable {KEY_VARIABLE}."
            return f"The key that was sent is not accepted; check the environment variable {KEY_VARIABLE}."
        if status in {404, 405, 501}:
            return (
                f'Does the server have the model "{self._name.model}" ({self._name.base_url}/models may list '
                f"its models)? {_URL_HINT}"
            )
        if 300 <= status < 400:
            target = self._words.clean(response.headers.get("location", "an unnamed place"))
            return f"It redirects to {target}; redirects are not followed, so name that URL, if you trust it."
        return ""


def _passing(state: "tenacity.RetryCallState") -> _PassingError:
    failure = state.outcome.exception() if state.outcome else None
    assert isinstance(failure, _PassingError)
    return failure


def _wait_s(state: "tenacity.RetryCallState") -> float:
    """What the server asks for, else 0.5, 1, 2, 4, 8 s; plus up to half a second that keeps clients apart."""
    import tenacity

    asked = _passing(state).retry_after_s
    base = tenacity.wait_exponential(multiplier=0.5, max=8) if asked is None else tenacity.wait_fixed(asked)
    return (base + tenacity.wait_random(0, 0.5))(state)


def _retry_after_s(headers: "httpx2.Headers", *, now: float) -> float | None:
    """Seconds from `Retry-After`, a number or a date (RFC 9110, 10.2.3); None without a usable value."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - now
        except ValueError:
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _tried(tries: int) -> str:
    return f" (tried {tries} times)" if tries > 1 else ""
