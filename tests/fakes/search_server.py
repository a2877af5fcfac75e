"""A search behind HTTP on a real socket, which notes what it is asked and fails as a test wants."""

import json
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fakes.searchable import FAILS, FOUND, WORDS, answer


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that came in."""

    method: str
    path: str
    arguments: Mapping[str, str]
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Any
    """As JSON; None where there is none."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server sends."""

    body: object = ""
    """Sent as JSON, or as it is where it is text or bytes."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: int = 0
    """Bytes at the end that are promised and not sent, before the connection is closed."""
    drips: threading.Event | None = None
    """Where it is given: all but the last byte is sent byte by byte until it is set."""


@dataclass
class SearchServer:
    """What is set here changes how it answers from then on."""

    url: str = ""
    """Such as `http://127.0.0.1:1234`."""
    script: list["Reply | Callable[[], Reply | None]"] = field(default_factory=list)
    """Given in this order, one a request, before any proper answer. None closes the connection."""
    respond: Callable[[Asked], Reply] = field(default=lambda asked: respond(asked))
    asked: list[Asked] = field(default_factory=list)
    n_connections: int = 0

    def reply(self, asked: Asked) -> Reply | None:
        self.asked.append(asked)
        if not self.script:
            return self.respond(asked)
        following = self.script.pop(0)
        return following if isinstance(following, Reply) else following()

    @property
    def queries(self) -> list[str]:
        """Of the requests so far, what was searched."""
        return [_query(asked) for asked in self.asked]


def _query(asked: Asked) -> str:
    return str(asked.body.get("query") if isinstance(asked.body, Mapping) else asked.arguments.get("q"))


def respond(asked: Asked) -> Reply:
    """The search of `fakes.searchable`, at `/search`, for `query` of the body or `q` of the URL."""
    if asked.path != "/search":
        return Reply({"detail": f"no index at {asked.path}"}, status=404)
    if _query(asked) == FAILS:
        return Reply(WORDS, status=422)
    return Reply({"results": answer(_query(asked)) if _query(asked) in FOUND else []})


def _content(body: object) -> bytes:
    if isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _parts(content: bytes, reply: Reply) -> Iterator[bytes]:
    """What is written, part by part."""
    if reply.drips is None:
        yield content[: len(content) - reply.missing]
        return
    for byte in content[:-1]:
        yield bytes([byte])
        reply.drips.wait(0.02)
    reply.drips.wait()


@contextmanager
def search_server(
    *, ports: Iterable[int] = (0,), tls: ssl.SSLContext | None = None
) -> Iterator[SearchServer]:
    """A server on loopback, which answers several requests at a time and keeps connections.

    ports: the first that is free is taken; 0 is any. tls: what it shows who it is with.
    """
    state = SearchServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # which would hold a body back until its headers were acknowledged

        def setup(self) -> None:
            super().setup()
            state.n_connections += 1

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def _answer(self) -> None:
            parts = urlsplit(self.path)
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            arguments = {name: values[0] for name, values in parse_qs(parts.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = json.loads(data) if data else None
            self._send(state.reply(Asked(self.command, parts.path, arguments, headers, body)))

        def _send(self, reply: Reply | None) -> None:
            if reply is None:
                self.close_connection = True
                return
            content = _content(reply.body)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with suppress(ConnectionError):  # who waits no longer is gone
                for part in _parts(content, reply):
                    self.wfile.write(part)
            self.close_connection = self.close_connection or reply.missing > 0

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: tests read what the server keeps."""

    server = _bound(Handler, ports)
    server.daemon_threads = True
    state.url = _shown(server, tls)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _shown(server: ThreadingHTTPServer, tls: ssl.SSLContext | None) -> str:
    """The address of a server, which shows who it is where it is to."""
    if tls is None:
        return f"http://127.0.0.1:{server.server_port}"
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    return f"https://127.0.0.1:{server.server_port}"


def _bound(handler: type[BaseHTTPRequestHandler], ports: Iterable[int]) -> ThreadingHTTPServer:
    for port in ports:
        with suppress(OSError):
            return ThreadingHTTPServer(("127.0.0.1", port), handler)
    raise AssertionError("no free port")
