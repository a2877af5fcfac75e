"""An embeddings endpoint on a real socket, which notes what it is asked and fails as a test wants."""

import base64
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from rankle.core.embedding import Vectors
from rankle.models.fake import FakeEmbedder

DIMENSIONS = 8
JsonObject = dict[str, Any]


@dataclass
class EmbeddingsServer:
    """Gives the vectors of the fake embedder. What is set here changes how it answers from then on."""

    url: str
    """Its base URL, ending in `/v1`."""
    script: list[Response] = field(default_factory=list)
    """Given in this order, one a request, before any proper answer."""
    refuse: Callable[[Sequence[str]], Response | None] = lambda texts: None
    """An answer to give to these texts instead of vectors."""
    vectors: Callable[[Sequence[str]], Vectors] = FakeEmbedder(DIMENSIONS).embed_passages
    spoil: Callable[[JsonObject], JsonObject] = lambda answer: answer
    """What becomes of a proper answer."""
    in_base64: bool = False
    requests: list[JsonObject] = field(default_factory=list)
    """The bodies that it received."""
    headers: list[dict[str, str]] = field(default_factory=list)
    """The headers that it received, names in lower case."""
    while_answering: Callable[[], object] = lambda: None

    @property
    def name(self) -> str:
        """As a user names the model here."""
        return f"openai:m@{self.url}"

    @property
    def texts(self) -> list[list[str]]:
        """The texts of each request."""
        return [request["input"] for request in self.requests]

    def answer(self, request: Request) -> Response:
        """What the socket calls."""
        body = json.loads(request.get_data())
        self.requests.append(body)
        self.headers.append({key.lower(): value for key, value in request.headers.items()})
        self.while_answering()
        if self.script:
            return self.script.pop(0)
        texts = body["input"]
        return self.refuse(texts) or Response(json.dumps(self.spoil(self._embeddings(texts))))

    def _embeddings(self, texts: Sequence[str]) -> JsonObject:
        rows = 3 * self.vectors(texts)  # no unit vectors, since few servers promise them
        return {
            "object": "list",
            "model": "served",
            "data": [
                {
                    "object": "embedding",
                    "index": index,
                    "embedding": base64.b64encode(row.astype("<f4").tobytes()).decode()
                    if self.in_base64
                    else row.tolist(),
                }
                for index, row in enumerate(rows)
            ],
        }


@contextmanager
def listening() -> Iterator[HTTPServer]:
    """A socket that answers several requests at once. Closing it takes half a second: one for many tests."""
    with HTTPServer(threaded=True) as http:
        yield http


def serve_embeddings(http: HTTPServer, *, path: str = "/v1") -> EmbeddingsServer:
    """A new endpoint at `path` of a socket; `http.clear()` takes away earlier ones."""
    server = EmbeddingsServer(url=http.url_for(path))
    http.expect_request(f"{path}/embeddings", method="POST").respond_with_handler(server.answer)
    return server


def broken_off(body: str) -> Response:
    """An answer that promises more than it holds."""
    response = Response(body)
    response.headers["Content-Length"] = "4096"
    return response


class Meeting:
    """Each request waits here until `size` are here at once, at most for `patience_s`."""

    def __init__(self, size: int, *, patience_s: float) -> None:
        self._size = size
        self._patience_s = patience_s
        self._changed = threading.Condition()
        self._inside = 0
        self._n_let_in = 0
        self.most_inside = 0

    def __call__(self) -> None:
        with self._changed:
            self._inside += 1
            self._n_let_in += 1
            self.most_inside = max(self.most_inside, self._inside)
            self._changed.notify_all()
            whole = -(-self._n_let_in // self._size) * self._size
            self._changed.wait_for(lambda: self._n_let_in >= whole, timeout=self._patience_s)
            self._inside -= 1


def constant_vectors(seed: int, *, dimensions: int = DIMENSIONS) -> Callable[[Sequence[str]], Vectors]:
    """A model that gives every text one and the same direction, another one for another seed."""
    row = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return lambda texts: np.tile(row, (len(texts), 1))
