"""What tests of models may use."""

from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from fakes.embeddings_server import EmbeddingsServer, listening, serve_embeddings


@pytest.fixture(scope="module")
def http() -> Iterator[HTTPServer]:
    with listening() as running:
        yield running


@pytest.fixture
def server(http: HTTPServer) -> EmbeddingsServer:
    """A server that speaks /v1/embeddings."""
    http.clear()
    return serve_embeddings(http)
