"""Requests are retried with patience, and fail with the URL and the server's words, never the key."""

import email.utils
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from fakes.embeddings_server import EmbeddingsServer, broken_off, serve_embeddings
from rankle.core.errors import InputError, ModelError, RankleError
from rankle.models.openai_client import PLACEHOLDER_KEY, Timeouts
from rankle.models.openai_endpoint import OpenAIEndpoint, Patience
from rankle.models.openai_name import parse_openai_name

KEY = "sk-planted-0123456789"
NOW = 1_800_000_000.0


@dataclass
class Client:
    """An endpoint whose waits take no time and are noted."""

    api_key: str | None = KEY
    patience: Patience = field(default_factory=Patience)
    waits_s: list[float] = field(default_factory=list)

    def embed(self, name: str) -> None:
        endpoint = OpenAIEndpoint(
            parse_openai_name(name),
            api_key=self.api_key,
            patience=self.patience,
            concurrency=1,
            sleep=self.waits_s.append,
            now=lambda: NOW,
        )
        try:
            endpoint.embed(["a text"], stop=threading.Event())
        finally:
            endpoint.close()

    def failure(self, name: str) -> str:
        """What the user reads."""
        with pytest.raises(RankleError) as failed:
            self.embed(name)
        return str(failed.value)


@contextmanager
def refusing_port() -> Iterator[str]:
    """The URL of a port that is taken, so that nobody else gets it, and where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


# --- retries ------------------------------------------------------------------------------------


@pytest.mark.needs_llm
@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again_after_growing_waits(server: EmbeddingsServer, status: int) -> None:
    client = Client()
    server.script = [Response("busy", status=status) for _ in range(5)]

    client.embed(server.name)

    assert len(server.requests) == 6
    for wait_s, least_s in zip(client.waits_s, [0.5, 1, 2, 4, 8], strict=True):
        assert least_s <= wait_s <= least_s + 0.5


@pytest.mark.needs_llm
def test_waits_are_not_all_alike_so_that_clients_come_apart(server: EmbeddingsServer) -> None:
    waits_s = set()
    for _ in range(5):
        client = Client()
        server.script = [Response("busy", status=503)]
        client.embed(server.name)
        waits_s.update(client.waits_s)

    assert len(waits_s) > 1


@pytest.mark.needs_llm
@pytest.mark.parametrize(
    ("retry_after", "least_s"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("-3", 0.0),
        ("1.5", 1.5),
        (email.utils.formatdate(NOW + 30, usegmt=True), 30.0),
        (email.utils.formatdate(NOW - 30, usegmt=True), 0.0),
        ("soon", 0.5),
        ("nan", 0.5),
        ("", 0.5),
    ],
)
def test_retry_after_is_honoured(server: EmbeddingsServer, retry_after: str, least_s: float) -> None:
    client = Client()
    server.script = [Response("slow down", status=429, headers={"Retry-After": retry_after})]

    client.embed(server.name)

    assert len(client.waits_s) == 1
    assert least_s <= client.waits_s[0] <= least_s + 0.5


@pytest.mark.needs_llm
def test_a_wait_beyond_patience_fails_at_once_and_says_how_long(server: EmbeddingsServer) -> None:
    client = Client()
    server.script = [Response("slow down", status=429, headers={"Retry-After": "3600"})]

    message = client.failure(server.name)

    assert "asks to wait for 3600 s" in message
    assert client.waits_s == []


@pytest.mark.needs_llm
def test_an_empty_account_is_not_tried_again(server: EmbeddingsServer) -> None:
    client = Client()
    body = '{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}'
    server.script = [Response(body, status=429)]

    assert 'answered 429 and said "You exceeded your quota"' in client.failure(server.name)
    assert len(server.requests) == 1


@pytest.mark.needs_llm
@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 422, 501])
def test_what_will_not_pass_is_not_tried_again(server: EmbeddingsServer, status: int) -> None:
    client = Client()
    server.script = [Response("no", status=status)]

    assert f"{server.url}/embeddings answered {status} and said" in client.failure(server.name)
    assert len(server.requests) == 1
    assert client.waits_s == []


@pytest.mark.needs_llm
def test_patience_ends_and_says_how_often_it_tried(server: EmbeddingsServer) -> None:
    client = Client(patience=Patience(attempts=4))
    server.script = [Response("loading the model", status=503) for _ in range(9)]

    message = client.failure(server.name)

    assert 'answered 503 (tried 4 times) and said "loading the model".' in message
    assert len(server.requests) == 4


@pytest.mark.needs_llm
def test_who_gives_up_ends_a_wait_and_asks_no_more(server: EmbeddingsServer) -> None:
    class GivingUp(threading.Event):
        """Set by somebody else during the first wait."""

        def wait(self, timeout: float | None = None) -> bool:
            waits_s.append(timeout)
            self.set()
            return True

    waits_s: list[float | None] = []
    endpoint = OpenAIEndpoint(
        parse_openai_name(server.name), api_key=None, patience=Patience(), concurrency=1
    )
    server.script = [Response("busy", status=503, headers={"Retry-After": "90"})]

    with pytest.raises(ModelError, match="was not asked again, since another request had failed"):
        endpoint.embed(["a"], stop=GivingUp())

    assert len(server.requests) == 1
    assert len(waits_s) == 1
    endpoint.close()


# --- failures, and what they say ----------------------------------------------------------------


@pytest.mark.needs_llm
def test_a_wrong_key_and_no_key_are_told_apart(server: EmbeddingsServer) -> None:
    def denied(api_key: str | None) -> str:
        server.script = [Response("who are you", status=401)]
        return Client(api_key=api_key).failure(server.name)

    assert "key that was sent is not accepted; check the environment variable OPENAI_API_KEY" in denied(KEY)
    assert "No key was sent; put it into the environment variable OPENAI_API_KEY" in denied(None)


@pytest.mark.needs_llm
def test_a_wrong_path_or_model_asks_for_both(server: EmbeddingsServer) -> None:
    server.script = [Response('{"error": "model m not found, pull it first"}', status=404)]

    message = Client().failure(server.name)

    assert 'answered 404 and said "model m not found, pull it first".' in message
    assert f'Does the server have the model "m" ({server.url}/models may list its models)?' in message
    assert "mostly ending in /v1?" in message


@pytest.mark.needs_llm
def test_a_refused_connection_is_tried_three_times() -> None:
    client = Client()
    with refusing_port() as url:
        message = client.failure(f"openai:m@{url}")

    assert f"{url}/embeddings cannot be reached:" in message
    assert "(tried 3 times). Is the server running" in message
    assert len(client.waits_s) == 2


@pytest.mark.needs_llm
def test_a_silent_server_is_given_up_after_the_timeout(server: EmbeddingsServer) -> None:
    released = threading.Event()
    server.while_answering = released.wait
    client = Client(patience=Patience(timeouts=Timeouts(silence_s=0.1), connection_attempts=2))

    try:
        message = client.failure(server.name)
    finally:
        released.set()

    assert f"{server.url}/embeddings gave no answer within 0.1 s (tried 2 times)." in message


@pytest.mark.needs_llm
def test_an_answer_that_breaks_off_is_tried_again(server: EmbeddingsServer) -> None:
    half = '{"data": [{"index": 0, "embe'
    server.script = [broken_off(half)]
    Client().embed(server.name)
    assert len(server.requests) == 2

    server.script = [broken_off(half) for _ in range(3)]
    assert "/embeddings broke off:" in Client().failure(server.name)


@pytest.mark.needs_llm
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"data": [{"index": 0, "embedding": [0.1, 0.', 'gave no JSON; it said "{"data": ['),
        ("<html><body>Welcome to nginx!</body></html>", 'gave no JSON; it said "<html><body>Welcome'),
        ('{"error": {"message": "out of memory"}}', 'it said "out of memory"'),
        ('{"data": []}', "gave 0 vectors for 1 texts"),
    ],
    ids=["half JSON", "HTML", "an error as 200", "no vector"],
)
def test_an_answer_of_another_kind_is_quoted(server: EmbeddingsServer, body: str, said: str) -> None:
    server.script = [Response(body)]

    message = Client().failure(server.name)

    assert message.startswith(f"{server.url}/embeddings answered 200, but gave no") or "gave 0" in message
    assert said in message
    assert len(server.requests) == 1


@pytest.mark.needs_llm
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_named_and_not_followed(
    http: HTTPServer, server: EmbeddingsServer, status: int
) -> None:
    elsewhere = serve_embeddings(http, path="/elsewhere/v1")
    place = f"{elsewhere.url}/embeddings"
    server.script = [Response("", status=status, headers={"Location": place})]

    message = Client().failure(server.name)

    assert elsewhere.requests == []
    assert f"It redirects to {place}; redirects are not followed" in message


# --- the key ------------------------------------------------------------------------------------


@pytest.mark.needs_llm
def test_the_key_is_sent_as_bearer_token_whatever_the_environment_holds(
    server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(variable, "of the environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer of-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")

    Client(api_key=f" {KEY}\n").embed(server.name)
    Client(api_key=None).embed(server.name)
    Client(api_key="").embed(server.name)

    bearers = [headers["authorization"] for headers in server.headers]
    assert bearers == [f"Bearer {KEY}", f"Bearer {PLACEHOLDER_KEY}", f"Bearer {PLACEHOLDER_KEY}"]
    assert "of the environment" not in str(server.headers)


@pytest.mark.needs_llm
@pytest.mark.parametrize("key", ["sk-pla\nnted", "sk-pla nted", "sk-plånted", "sk-pla\x00nted"])
def test_a_key_that_no_header_can_hold_is_refused_unseen(key: str) -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY cannot be sent") as refused:
        Client(api_key=key).embed("openai:m@http://127.0.0.1:1/v1")

    assert "sk-pl" not in shown(refused.value)


@pytest.mark.needs_llm
def test_the_public_api_is_not_asked_without_a_key() -> None:
    with pytest.raises(ModelError, match="set the environment variable OPENAI_API_KEY"):
        Client(api_key=None).embed("openai:text-embedding-3-small")


def shown(error: BaseException) -> str:
    """All that a traceback, a log of it or a debugger's `repr` would print, causes and contexts included."""
    parts = ["".join(traceback.format_exception(error)), repr(error), repr(vars(error))]
    behind = [each for each in (error.__cause__, error.__context__) if each is not None]
    return "\n".join([*parts, *map(shown, behind)])


ECHO = f"Incorrect API key provided: {KEY}. You sent 'Authorization: Bearer {KEY}'."
FAILURES: dict[str, Callable[[], Response]] = {
    **{
        str(status): lambda status=status: Response(ECHO, status=status)  # type: ignore[misc]
        for status in (400, 401, 403, 404, 413, 422, 429, 500, 503)
    },
    "key across the cut": lambda: Response("x" * 495 + KEY, status=401),
    "redirect": lambda: Response(ECHO, status=307, headers={"Location": f"http://{KEY}:{KEY}@h/?k={KEY}"}),
    "long wait": lambda: Response(ECHO, status=429, headers={"Retry-After": "9999"}),
    "HTML": lambda: Response(f"<p>{ECHO}</p>"),
    "half JSON": lambda: Response(f'{{"data": "{ECHO}'),
    "no embeddings": lambda: Response(f'{{"error": {{"message": "{ECHO}"}}}}'),
    "wrong type": lambda: Response(f'{{"data": "{ECHO}"}}'),
    "breaks off": lambda: broken_off(ECHO),
    "bad header": lambda: Response(ECHO, headers={"Content-Encoding": "gzip"}),
    "no vector": lambda: Response(f'{{"data": [{{"embedding": [0.0]}}], "model": "{KEY}"}}'),
}


@pytest.mark.needs_llm
@pytest.mark.parametrize("kind", FAILURES)
def test_no_failure_shows_the_key(
    server: EmbeddingsServer, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    # Not DEBUG: there the HTTP stack prints all headers of an answer, whatever a server puts into them.
    server.script = [FAILURES[kind]() for _ in range(6)]

    with caplog.at_level("INFO"), pytest.raises(ModelError) as failed:
        Client().embed(server.name)

    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert "planted" not in shown(failed.value)
    assert "planted" not in caplog.text


@pytest.mark.needs_llm
def test_no_failure_to_connect_shows_the_key(caplog: pytest.LogCaptureFixture) -> None:
    with refusing_port() as url, caplog.at_level("INFO"), pytest.raises(ModelError) as failed:
        Client().embed(f"openai:m@{url}")

    assert "planted" not in shown(failed.value)
    assert "planted" not in caplog.text
