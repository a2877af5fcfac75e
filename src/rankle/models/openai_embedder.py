"""Embedding models behind an endpoint that speaks `/v1/embeddings`."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

import numpy as np

from rankle.core.embedding import EmbedderInfo, Vectors
from rankle.core.errors import ModelError
from rankle.models.openai_answer import Answer
from rankle.models.openai_endpoint import OpenAIEndpoint, Patience, RefusedRequestError
from rankle.models.openai_name import OpenAIName, space_fingerprint

PROBE: Final = "The quick brown fox jumps over the lazy dog."
"""Embedded when an endpoint is opened and with every list of texts, to see that the model is the same."""
SAME_MODEL: Final = 0.95
"""Least cosine of two vectors of the probe. Rounding and batching move it by thousandths; two models share no
axes, so theirs is near 0."""
_EMPTY_TEXT: Final = "."


@dataclass(frozen=True, slots=True)
class Batching:
    """How texts are put into requests."""

    texts: int = 32
    """Most texts a request; more is refused by many servers, and a smaller limit is found by halving."""
    characters: int = 100_000
    """Most characters a request, unless one text alone has more."""
    concurrency: int = 2
    """Most requests at once, over all threads."""


DEFAULT_BATCHING: Final = Batching()
DEFAULT_PATIENCE: Final = Patience()


class OpenAIEmbedder:
    """A model behind `openai:MODEL@URL`. Implements `core.embedding.Embedder`.

    That a text's vector depends on that text alone is the server's promise, which most keep up to rounding:
    each request holds several texts, and a server that quantises dynamically or pads may differ in the last
    digits between batches.

    The fingerprint is made from URL, model, dimensions and prefixes: an endpoint does not tell its weights,
    and a hash of a vector, however rounded, would change with the noise of the server. An endpoint that
    changes its model while it is used is noticed by `PROBE`. For a change between two runs, compare
    `reference` with a stored one by `SAME_MODEL`.
    """

    def __init__(
        self,
        name: OpenAIName,
        *,
        api_key: str | None = None,
        batching: Batching = DEFAULT_BATCHING,
        patience: Patience = DEFAULT_PATIENCE,
        sleep: Callable[[float], object] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Asks the endpoint once, to learn the dimensions.

        api_key: sent as bearer token to the URL of `name`; None for a server that needs none.
        sleep, now: for tests.
        Raises MissingExtraError, InputError on a key that cannot be sent, ModelError where it fails.
        """
        self._name = name
        self._batching = batching
        self._endpoint = OpenAIEndpoint(
            name, api_key=api_key, patience=patience, concurrency=batching.concurrency, sleep=sleep, now=now
        )
        first = self._probe()
        self._answering_model = first.model
        self.reference: Vectors = first.vectors[0]
        """The unit vector of `PROBE` when this was opened, shape (dimensions,)."""
        dimensions = len(self.reference)
        if name.dimensions not in {None, dimensions}:
            raise ModelError(
                f"{self._endpoint.url} was asked for {name.dimensions} dimensions and gave {dimensions}. "
                f'The model "{name.model}" cannot shorten its vectors there; leave out "dimensions".'
            )
        self.info = EmbedderInfo(
            name=str(name), fingerprint=space_fingerprint(name, dimensions=dimensions), dimensions=dimensions
        )

    def close(self) -> None:
        """Close the connections; happens by itself when the embedder is dropped."""
        self._endpoint.close()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As the port says. An empty text is sent as ".", since servers refuse empty input."""
        return self._embed([_sendable(self._name.query_prefix + text) for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """As `embed_queries`, with the other prefix."""
        return self._embed([_sendable(self._name.passage_prefix + text) for text in texts])

    def _probe(self) -> Answer:
        try:
            return self._endpoint.embed([PROBE], stop=threading.Event())
        except RefusedRequestError as error:
            refusal = str(error)
        raise ModelError(f'{refusal} It refuses even a short text: does "{self._name.model}" embed texts?')

    def _embed(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.info.dimensions), dtype=np.float32)
        if len(texts) == 1:
            # A search waits for this one, and a second text would make it wait longer.
            return self._request(texts, threading.Event())
        vectors = np.concatenate(self._requests([*texts, PROBE]))
        likeness = float(vectors[-1] @ self.reference)
        if likeness < SAME_MODEL:
            raise self._changed(
                f"the same text now has another vector (cosine {likeness:.2f} with its first one, "
                f"{SAME_MODEL} is the least)"
            )
        return vectors[:-1]

    def _requests(self, texts: Sequence[str]) -> list[Vectors]:
        batches = list(_batches(texts, batching=self._batching))
        stop = threading.Event()
        failures: list[Exception] = []

        def request(batch: Sequence[str]) -> Vectors:
            try:
                return self._request(batch, stop)
            except Exception as error:
                failures.append(error)
                stop.set()  # nobody waits for another attempt, and no further batch is sent
                raise

        pool = ThreadPoolExecutor(max_workers=min(self._batching.concurrency, len(batches)))
        try:
            requests = [pool.submit(request, batch) for batch in batches]
            wait(requests, return_when=FIRST_EXCEPTION)
            if failures:
                raise failures[0]  # the first in time: later ones may only say that they were stopped
            return [each.result() for each in requests]
        finally:
            stop.set()  # after Ctrl-C as well
            pool.shutdown(cancel_futures=True)

    def _request(self, texts: Sequence[str], stop: threading.Event) -> Vectors:
        """One request; halved as often as the server finds it too large, down to the text that is refused."""
        refusal = ""
        try:
            answer = self._endpoint.embed(texts, stop=stop)
        except RefusedRequestError as error:
            refusal = str(error)
        else:
            self._check_unchanged(answer.model, dimensions=answer.vectors.shape[1])
            return answer.vectors
        if len(texts) > 1:
            middle = len(texts) // 2
            return np.concatenate([self._request(half, stop) for half in (texts[:middle], texts[middle:])])
        raise ModelError(
            f"{refusal} The text that is refused has {len(texts[0]):,} characters and begins "
            f"{texts[0][:60]!r}. If it is too long for the model, index with smaller chunks."
        )

    def _check_unchanged(self, model: str | None, *, dimensions: int) -> None:
        if dimensions != self.info.dimensions:
            raise self._changed(f"vectors had {self.info.dimensions} dimensions and now have {dimensions}")
        if model and self._answering_model and model != self._answering_model:
            raise self._changed(f'it answered as "{self._answering_model}" and now as "{model}"')

    def _changed(self, what: str) -> ModelError:
        return ModelError(
            f"{self._endpoint.url} changed its model while it was used: {what}. "
            "Vectors of two models cannot be compared; make the endpoint serve one model, then run again."
        )


def _batches(texts: Sequence[str], *, batching: Batching) -> Iterator[Sequence[str]]:
    """Consecutive texts, each batch as long as both limits allow and at least one text long."""
    start, characters = 0, 0
    for place, text in enumerate(texts):
        full = place - start >= batching.texts or characters + len(text) > batching.characters
        if full and place > start:
            yield texts[start:place]
            start, characters = place, 0
        characters += len(text)
    yield texts[start:]


def _sendable(text: str) -> str:
    """Text that fits into JSON and is not refused as empty; half a surrogate pair becomes `?`."""
    text = text.encode(errors="replace").decode()
    return text if text.strip() else _EMPTY_TEXT
