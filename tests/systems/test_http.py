"""A search behind HTTP, before a real server with its faults."""

import asyncio
import base64
import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.certificate import server_context
from fakes.opened import opened, write_project
from fakes.search_server import Asked, Reply, SearchServer, respond, search_server
from fakes.searchable import FAILS, KEY
from rankle.core.errors import CannotMeasureError, InputError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, RunningSystem, SearchSystem
from rankle.core.search import SearchResult
from rankle.harness.batches import answers_batches
from rankle.systems.http_options import HttpOptions
from rankle.systems.http_sending import Sender
from rankle.systems.http_system import HttpSystem
from rankle.systems.identity import Identity

_QUICK: Final = "backoff_s = 0\n"


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with search_server() as running:
        yield running


def toml(**options: object) -> str:
    """Options as a table of the project file has them."""
    return "\n".join(f"{name} = {_toml(value)}" for name, value in options.items()) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {_toml(item)}" for name, item in value.items()) + "}"
    return json.dumps(value)


def searched(
    folder: Path,
    *queries: str,
    environ: dict[str, str] | None = None,
    depth: int = 10,
    collection: str | None = None,
    **options: object,
) -> list[SearchResult]:
    """What the system of a table finds, one query after another, started and stopped as the harness does."""
    write_project(folder, "mine", toml(**{"backoff_s": 0, "health": "none", **options}))
    with opened("mine", cwd=folder, environ=environ) as system:
        return asyncio.run(_searched(system, queries, depth, collection))


async def _searched(
    system: SearchSystem, queries: tuple[str, ...], depth: int, collection: str | None
) -> list[SearchResult]:
    assert isinstance(system, RunningSystem)
    try:
        await system.start()
        return [
            await system.search(query, depth=depth, level=Level.DOCUMENT, collection=collection)
            for query in queries
        ]
    finally:
        await system.stop()


def ids(result: SearchResult) -> list[str]:
    return [hit.id for hit in result.hits]


def test_by_default_the_query_and_the_depth_are_sent_as_json(server: SearchServer, tmp_path: Path) -> None:
    (result,) = searched(tmp_path, "pump filter", uri=f"{server.url}/search", depth=7)
    assert ids(result) == ["guide/pump.md", "guide/filter.md"]
    assert result.hits[0].passage is not None
    assert result.hits[0].passage.text == "pump with a filter"
    (asked,) = server.asked
    assert (asked.method, asked.body) == ("POST", {"query": "pump filter", "depth": 7})
    assert asked.headers["content-type"] == "application/json"


def test_a_template_in_the_url_asks_by_get_and_is_quoted(server: SearchServer, tmp_path: Path) -> None:
    query = "a&b=c d/é?#"
    uri = server.url + "/search?q={{ query }}&k={{ depth }}&again={{ query | urlencode }}"
    searched(tmp_path, query, uri=uri, depth=3)
    (asked,) = server.asked
    assert (asked.method, asked.body) == ("GET", None)
    assert asked.arguments == {"q": query, "k": "3", "again": query}


def test_a_body_of_a_table_keeps_numbers_and_lists(server: SearchServer, tmp_path: Path) -> None:
    body = {"query": "{{ query }}", "size": "{{ depth * 2 }}", "in": "c-{{ collection }}", "flag": True}
    searched(tmp_path, 'say "hi"', uri=f"{server.url}/search", body=body, collection="x")
    assert server.asked[0].body == {"query": 'say "hi"', "size": 20, "in": "c-x", "flag": True}


def test_a_body_of_text_is_a_template_too(server: SearchServer, tmp_path: Path) -> None:
    body = '{"query": {{ query | tojson }}, "k": {{ depth }}}'
    searched(tmp_path, 'say "hi" <b>', uri=f"{server.url}/search", body=body)
    assert server.asked[0].body == {"query": 'say "hi" <b>', "k": 10}


def test_keys_come_from_the_environment(server: SearchServer, tmp_path: Path) -> None:
    headers = {"Authorization": "Bearer ${SEARCH_API_KEY}", "X-Tenant": "t"}
    searched(
        tmp_path, "battery", uri=f"{server.url}/search", headers=headers, environ={"SEARCH_API_KEY": KEY}
    )
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.asked[0].headers["x-tenant"] == "t"
    with pytest.raises(InputError, match=r"\[systems.mine\] needs \$\{SEARCH_API_KEY\}"):
        searched(tmp_path, "battery", uri=f"{server.url}/search", headers=headers)


def test_paths_say_where_the_results_stand(server: SearchServer, tmp_path: Path) -> None:
    server.respond = lambda _: Reply(
        {"d": {"list": [{"s": {"slug": "a"}, "r": 2}, {"s": {"slug": "b"}, "r": 1}]}}
    )
    (result,) = searched(
        tmp_path, "x", uri=f"{server.url}/search", results="d.list", id="docs/{{ s.slug }}.md", score="r"
    )
    assert [(hit.id, hit.score) for hit in result.hits] == [("docs/a.md", 2.0), ("docs/b.md", 1.0)]


def test_one_connection_serves_many_queries(server: SearchServer, tmp_path: Path) -> None:
    searched(tmp_path, *["battery"] * 5, uri=f"{server.url}/search")
    assert (len(server.asked), server.n_connections) == (5, 1)


# --- pages ---------------------------------------------------------------------------------------


def pages_by_offset(asked: Asked) -> Reply:
    start, size = asked.body["from"], asked.body["size"]
    return Reply({"results": [f"d{n}" for n in range(start, min(start + size, 7))]})


@pytest.mark.parametrize(("depth", "n_pages"), [(2, 1), (3, 1), (5, 2), (10, 3)])
def test_pages_are_asked_until_there_are_enough(
    server: SearchServer, tmp_path: Path, depth: int, n_pages: int
) -> None:
    server.respond = pages_by_offset
    body = {"query": "{{ query }}", "from": "{{ offset }}", "size": "{{ size }}", "page": "{{ page }}"}
    (result,) = searched(tmp_path, "x", uri=f"{server.url}/search", body=body, page_size=3, depth=depth)
    assert ids(result)[:depth] == [f"d{n}" for n in range(min(depth, 7))]
    assert [asked.body["page"] for asked in server.asked] == list(range(1, n_pages + 1))


def test_a_cursor_is_followed_to_its_end(server: SearchServer, tmp_path: Path) -> None:
    cursors = {None: (["a", "b"], "c1"), "c1": (["c"], "c2"), "c2": (["d"], None)}

    def page(asked: Asked) -> Reply:
        found, following = cursors[asked.body["after"]]
        return Reply({"results": found, "paging": {"next": following}})

    server.respond = page
    body = {"query": "{{ query }}", "after": "{{ cursor }}"}
    (result,) = searched(tmp_path, "x", uri=f"{server.url}/search", body=body, next="paging.next")
    assert ids(result) == ["a", "b", "c", "d"]


def test_a_cursor_that_nothing_sends_is_a_failure(server: SearchServer, tmp_path: Path) -> None:
    server.respond = lambda _: Reply({"results": ["a"], "next": "c1"})
    with pytest.raises(
        SystemFailureError, match=r"comes next \(str 'c1'\), .* write {{ cursor }} in its URL"
    ):
        searched(tmp_path, "x", uri=f"{server.url}/search", next="next")


def test_the_url_of_a_next_page_is_followed_on_the_same_server_only(
    server: SearchServer, tmp_path: Path
) -> None:
    uri = server.url + "/search?q={{ query }}"
    server.script = [Reply({"results": ["a"], "next": "/more?p=2"}), Reply({"results": ["b"]})]
    (result,) = searched(tmp_path, "x", uri=uri, next="next")
    assert (ids(result), server.asked[1].path, server.asked[1].arguments) == (["a", "b"], "/more", {"p": "2"})
    server.script = [Reply({"results": ["a"], "next": "http://elsewhere.example/?key=abc"})]
    with pytest.raises(
        SystemFailureError, match=r"the next page lies elsewhere: http://elsewhere.example/\?key=\*\*\*"
    ):
        searched(tmp_path, "x", uri=uri, next="next")


def test_the_same_server_is_known_however_it_is_written(server: SearchServer, tmp_path: Path) -> None:
    ours, theirs = (server.url.replace("127.0.0.1", host) for host in ("LOCALHOST", "localhost"))
    server.script = [Reply({"results": ["a"], "next": f"{theirs}/more"}), Reply({"results": ["b"]})]
    (result,) = searched(tmp_path, "x", uri=ours + "/search?q={{ query }}", next="next")
    assert ids(result) == ["a", "b"]


# --- batches -------------------------------------------------------------------------------------


def batch(asked: Asked) -> Reply:
    if "bad" in asked.body["queries"]:
        return Reply("no bad words", status=400)
    return Reply({"answers": [{"results": [query]} for query in asked.body["queries"]]})


def test_batches_are_cut_and_a_bad_query_fails_alone(server: SearchServer, tmp_path: Path) -> None:
    server.respond = batch
    write_project(tmp_path, "mine", toml(uri=f"{server.url}/search", batch_size=2, health="none"))

    async def ask(system: SearchSystem) -> list[SearchResult | SystemFailureError]:
        assert answers_batches(system)
        assert isinstance(system, RunningSystem)
        await system.start()
        found = await system.search_batch(
            [Ask(query) for query in ("a", "b", "bad", "c", "d")], depth=5, level=Level.DOCUMENT
        )
        await system.stop()
        return list(found)

    with opened("mine", cwd=tmp_path) as system:
        found = asyncio.run(ask(system))
    told = [str(each) if isinstance(each, SystemFailureError) else ids(each)[0] for each in found]
    assert [told[0], told[1], told[3], told[4]] == ["a", "b", "c", "d"]
    assert "answered 400 Bad Request: no bad words" in told[2]
    assert sorted(len(asked.body["queries"]) for asked in server.asked) == [1, 1, 1, 2, 2]


def test_a_batch_of_another_length_is_a_failure(server: SearchServer, tmp_path: Path) -> None:
    server.respond = lambda _: Reply([])
    with pytest.raises(SystemFailureError, match="1 queries need a list of 1 answers, got 0"):
        searched(tmp_path, "x", uri=f"{server.url}/search", batch_size=2)


# --- faults --------------------------------------------------------------------------------------


def closed() -> None:
    """The connection is closed without an answer."""


PASSING: Final[dict[str, "Reply | Callable[[], Reply | None]"]] = {
    "429": Reply("slow down", status=429),
    "500": Reply("oops", status=500),
    "408": Reply("late", status=408),
    "425": Reply("early", status=425),
    "502": Reply("behind", status=502),
    "503": Reply("restarting", status=503),
    "504": Reply("behind, late", status=504),
    "half an answer": Reply({"results": ["errors.md"]}, missing=5),
    "a closed connection": closed,
}


@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_asked_again(server: SearchServer, tmp_path: Path, fault: str) -> None:
    server.script = [PASSING[fault], PASSING[fault]]
    (result,) = searched(tmp_path, "battery", uri=f"{server.url}/search")
    assert (ids(result), len(server.asked)) == (["errors.md"], 3)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("429", "answered 429 Too Many Requests: slow down"),
        ("500", "answered 500 Internal Server Error: oops"),
        ("half an answer", "gave no whole answer: RemoteProtocolError"),
        ("a closed connection", "gave no whole answer: RemoteProtocolError"),
    ],
)
def test_what_does_not_pass_is_a_failure_after_all_attempts(
    server: SearchServer, tmp_path: Path, fault: str, words: str
) -> None:
    server.script = [PASSING[fault]] * 9
    with pytest.raises(SystemFailureError, match=words) as caught:
        searched(tmp_path, "battery", uri=f"{server.url}/search", retries=2)
    assert str(caught.value).endswith("(after 3 attempts)")
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (
            Reply({"detail": "no such index"}, status=404),
            'answered 404 Not Found: {"detail": "no such index"}',
        ),
        (Reply("", status=403), "answered 403 Forbidden: nothing"),
        (Reply('{"results": ["a"'), "answered no JSON"),
        (Reply("<html>Sign in</html>"), "answered no JSON (.*): <html>Sign in</html>"),
        (Reply({"found": 3}), "say where the list stands"),
        (
            Reply("", status=302, headers={"Location": "https://login.example/?token=abc"}),
            r"sends elsewhere \(302\); write that URL: https://login.example/\?token=\*\*\*",
        ),
        (
            Reply("", status=308, headers={"Location": "/v2/search"}),
            r"sends elsewhere \(308\); write that URL: http://127.0.0.1:\d+/v2/search$",
        ),
        (Reply("", status=304), "answered 304 Not Modified: nothing$"),
        (Reply("", status=204), "answered no JSON .*: nothing$"),
        (Reply(b'{"results": ["caf\xe9"]}'), "answered no JSON .'utf-8' codec can't decode byte 0xe9"),
        (
            Reply(b"[]", headers={"Content-Encoding": "gzip"}),
            r"gave no whole answer: DecodingError: .*incorrect header check$",
        ),
        (Reply({"error": "no such index"}), "say where the list stands"),
    ],
)
def test_what_will_not_pass_is_a_failure_at_once(
    server: SearchServer, tmp_path: Path, reply: Reply, words: str
) -> None:
    server.script = [reply]
    with pytest.raises(SystemFailureError, match=words):
        searched(tmp_path, "battery", uri=f"{server.url}/search")
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(gzip.compress(b'["errors.md"]', mtime=0), headers={"Content-Encoding": "gzip"}),
        Reply('["errors.md"]', headers={"Content-Type": "text/html; charset=nonsense"}),
        Reply(b'\xef\xbb\xbf["errors.md"]'),
        Reply('["errors.md"]'.encode("utf-16")),
    ],
    ids=["gzip", "another content type", "a byte order mark", "UTF-16"],
)
def test_what_is_json_is_read_however_it_is_sent(server: SearchServer, tmp_path: Path, reply: Reply) -> None:
    server.script = [reply]
    assert ids(searched(tmp_path, "battery", uri=f"{server.url}/search")[0]) == ["errors.md"]


def test_json_of_another_encoding_is_read_where_the_server_says_so(
    server: SearchServer, tmp_path: Path
) -> None:
    latin = '["café"]'.encode("latin-1")
    server.script = [Reply(latin, headers={"Content-Type": "application/json; charset=latin-1"})]
    assert ids(searched(tmp_path, "x", uri=f"{server.url}/search")[0]) == ["café"]
    server.script = [Reply(latin, headers={"Content-Type": "application/json; charset=utf-8"})]
    with pytest.raises(SystemFailureError, match="answered no JSON"):
        searched(tmp_path, "x", uri=f"{server.url}/search")


def test_a_key_that_ends_in_a_line_break_is_sent_without_it(server: SearchServer, tmp_path: Path) -> None:
    headers = {"X-Key": "${SEARCH_API_KEY}"}
    environ = {"SEARCH_API_KEY": f"{KEY}\n"}
    searched(tmp_path, "x", uri=f"{server.url}/search", headers=headers, environ=environ)
    assert server.asked[0].headers["x-key"] == KEY


def test_what_cannot_be_sent_is_not_sent_again_and_hides_its_key(
    server: SearchServer, tmp_path: Path
) -> None:
    with pytest.raises(SystemFailureError, match=r"Illegal header value b'\*\*\*\\n\*\*\*'$"):
        searched(
            tmp_path,
            "x",
            uri=f"{server.url}/search",
            headers={"X-Key": "${SEARCH_API_KEY}"},
            environ={"SEARCH_API_KEY": f"{KEY}\r\nX-More: {KEY}"},
        )
    assert server.asked == []


def test_the_headers_are_given_to_nobody_else(server: SearchServer, tmp_path: Path) -> None:
    with search_server() as other:
        server.script = [Reply("", status=307, headers={"Location": f"{other.url}/search"})]
        with pytest.raises(SystemFailureError, match="sends elsewhere"):
            searched(tmp_path, "battery", uri=f"{server.url}/search", headers={"Authorization": KEY})
        assert other.asked == []


def test_a_slow_server_is_given_up(server: SearchServer, tmp_path: Path) -> None:
    waiting = threading.Event()

    def late() -> Reply | None:
        waiting.wait()
        return None

    server.script = [late]
    try:
        with pytest.raises(SystemFailureError, match=r"gave no answer within 0.05 s$"):
            searched(tmp_path, "battery", uri=f"{server.url}/search", timeout_s=0.05, retries=0)
    finally:
        waiting.set()


def test_an_answer_that_drips_is_given_up_as_a_whole(server: SearchServer, tmp_path: Path) -> None:
    waiting = threading.Event()
    server.script = [Reply(["errors.md"], drips=waiting)]
    try:
        with pytest.raises(SystemFailureError, match=r"gave no answer within 0.05 s$"):
            searched(tmp_path, "battery", uri=f"{server.url}/search", timeout_s=0.05, retries=0)
    finally:
        waiting.set()


def test_an_address_that_says_nothing_is_not_waited_for_by_the_check() -> None:
    with socket.socket() as busy, socket.socket() as first, socket.socket() as second:
        busy.bind(("127.0.0.1", 0))
        busy.listen(0)
        for waiting in (first, second):  # a full queue: who comes now is not heard, as at a black hole
            waiting.setblocking(False)
            waiting.connect_ex(busy.getsockname())
        options, url = HttpOptions(), f"http://127.0.0.1:{busy.getsockname()[1]}/search"
        sender = Sender(options, host="127.0.0.1", check_connect_s=0.05)
        system = HttpSystem(url, options, identity=Identity("m", "m"), sender=sender)
        with pytest.raises(CannotMeasureError, match=r"gave no connection within 0.05 s\."):
            asyncio.run(_started(system))


def test_nobody_there_is_told_before_the_first_query(tmp_path: Path) -> None:
    with search_server() as gone:
        url = gone.url
    with pytest.raises(CannotMeasureError, match=r"no query was: POST .* gave no whole answer: ConnectError"):
        check(tmp_path, uri=f"{url}/search")


# --- waiting -------------------------------------------------------------------------------------


def asked_with_waits(
    server: SearchServer, options: HttpOptions, *queries: str, now: datetime | None = None
) -> list[float]:
    """How long it waited, without waiting: what was slept is what the clock went on."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    sender = Sender(
        options,
        host="127.0.0.1",
        sleep=sleep,
        clock=lambda: sum(waits),
        now=lambda: now or datetime(2026, 11, 30, tzinfo=UTC),
    )
    system = HttpSystem(f"{server.url}/search", options, identity=Identity("m", "m"), sender=sender)

    async def ask() -> None:
        try:
            for query in queries:
                await system.search(query, depth=3, level=Level.DOCUMENT)
        finally:
            await system.stop()

    asyncio.run(ask())
    return waits


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("7", 7.0),
        ("1.5", 1.5),
        ("Mon, 30 Nov 2026 00:00:05 GMT", 5.0),
        ("Sun, 29 Nov 2026 00:00:00 GMT", 0.0),
    ],
)
def test_it_waits_as_long_as_the_server_asks(server: SearchServer, after: str, expected: float) -> None:
    server.script = [Reply("busy", status=429, headers={"Retry-After": after})]
    assert asked_with_waits(server, HttpOptions(), "battery") == [expected]


def test_otherwise_it_waits_by_chance_and_longer_each_time(server: SearchServer) -> None:
    server.script = [Reply("busy", status=503), Reply("busy", status=503, headers={"Retry-After": "soon"})]
    first, second = asked_with_waits(server, HttpOptions(backoff_s=2.0), "battery")
    assert 0 <= first <= 2
    assert 0 <= second <= 4


@pytest.mark.parametrize(("after", "shown"), [("3600", "3600"), ("9" * 20, r"1e\+20"), ("9" * 400, "inf")])
def test_who_asks_to_wait_too_long_has_failed(server: SearchServer, after: str, shown: str) -> None:
    server.script = [Reply("busy", status=429, headers={"Retry-After": after})]
    with pytest.raises(SystemFailureError, match=f"asks to wait {shown} s, more than max_wait_s"):
        asked_with_waits(server, HttpOptions(), "battery")


@pytest.mark.parametrize(
    "after", ["-5", "nan", "²", "soon", "Mon, 99 Foo 2026 00:00:05 GMT", "Mon, 30 Nov 2026"]
)
def test_a_wait_that_is_none_is_passed_over(server: SearchServer, after: str) -> None:
    server.script = [Reply("busy", status=429, headers={"Retry-After": after})]
    assert asked_with_waits(server, HttpOptions(backoff_s=0), "battery") == [0.0]


def test_requests_begin_no_faster_than_allowed(server: SearchServer) -> None:
    assert asked_with_waits(server, HttpOptions(rate_per_s=4), *["battery"] * 4) == [0.25, 0.25, 0.25]


def test_no_more_requests_are_in_flight_than_allowed(server: SearchServer, tmp_path: Path) -> None:
    flying, most = 0, 0
    lock, both = threading.Lock(), threading.Barrier(2)

    def count(asked: Asked) -> Reply:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        both.wait()  # so that two are there at once
        with lock:
            flying -= 1
        return respond(asked)

    server.respond = count
    options = HttpOptions(max_in_flight=2, health="none")
    system = HttpSystem(f"{server.url}/search", options, identity=Identity("m", "m"))

    async def ask() -> None:
        try:
            await asyncio.gather(*(system.search("battery", depth=3, level=Level.DOCUMENT) for _ in range(8)))
        finally:
            await system.stop()

    asyncio.run(ask())
    assert (most, len(server.asked)) == (2, 8)


# --- the check -----------------------------------------------------------------------------------


def check(folder: Path, environ: dict[str, str] | None = None, **options: object) -> None:
    write_project(folder, "mine", toml(backoff_s=0, **options))
    with opened("mine", cwd=folder, environ=environ) as system:
        assert isinstance(system, RunningSystem)
        asyncio.run(_started(system))


async def _started(system: RunningSystem) -> None:
    try:
        await system.start()
    finally:
        await system.stop()


def test_a_wrong_path_is_told_with_what_the_server_says(server: SearchServer, tmp_path: Path) -> None:
    with pytest.raises(
        CannotMeasureError, match=r"no query was: POST .*/serach answered 404 .*no index at /serach"
    ):
        check(tmp_path, uri=f"{server.url}/serach")
    assert len(server.asked) == 1


def test_an_answer_that_cannot_be_read_is_told_before_the_first_query(
    server: SearchServer, tmp_path: Path
) -> None:
    with pytest.raises(CannotMeasureError, match=r"^\w+: the system .* nothing where its results should be"):
        check(tmp_path, uri=f"{server.url}/search", results="hits.hits")


def test_the_check_is_a_query_of_its_own(server: SearchServer, tmp_path: Path) -> None:
    check(tmp_path, uri=f"{server.url}/search", probe="anything")
    assert server.queries == ["anything"]


def test_a_path_of_health_is_asked_where_it_is_given(server: SearchServer, tmp_path: Path) -> None:
    server.respond = lambda asked: Reply("ok", status=200 if asked.path == "/healthz" else 500)
    check(tmp_path, uri=f"{server.url}/search", health="/healthz", headers={"X-Tenant": "t"})
    (asked,) = server.asked
    assert (asked.method, asked.path, asked.headers["x-tenant"]) == ("GET", "/healthz", "t")
    with pytest.raises(CannotMeasureError, match=r"GET .*/livez answered 500"):
        check(tmp_path, uri=f"{server.url}/search", health="/livez", retries=1)


def test_the_health_of_another_server_is_asked_without_the_headers(
    server: SearchServer, tmp_path: Path
) -> None:
    with search_server() as other:
        other.respond = lambda _: Reply("ok")
        headers = {"Authorization": KEY}
        check(tmp_path, uri=f"{server.url}/search", health=f"{other.url}/healthz", headers=headers)
    assert "authorization" not in other.asked[0].headers
    assert server.asked == []


def test_a_busy_server_is_waited_for(server: SearchServer, tmp_path: Path) -> None:
    server.script = [Reply("starting", status=503)]
    check(tmp_path, uri=f"{server.url}/search")
    assert len(server.asked) == 2


def test_a_certificate_that_nobody_trusts_is_told_and_one_of_the_environment_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with search_server(tls=server_context(tmp_path)) as server:
        with pytest.raises(CannotMeasureError, match="certificate verify failed: self-signed certificate"):
            check(tmp_path, uri=f"{server.url}/search")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        monkeypatch.setenv(
            "HTTPS_PROXY", "http://127.0.0.1:9"
        )  # which a server on this machine does not need
        check(tmp_path, uri=f"{server.url}/search")
    assert server.queries == ["health check"]


# --- keys ----------------------------------------------------------------------------------------


def test_no_key_is_in_what_is_told_whatever_the_server_repeats(server: SearchServer, tmp_path: Path) -> None:
    user = "ann:sesame-open"
    basic = base64.b64encode(user.encode()).decode()

    def echo(asked: Asked) -> Reply:
        return Reply({"headers": dict(asked.headers), "arguments": dict(asked.arguments)}, status=400)

    server.respond = echo
    write_project(
        tmp_path,
        "mine",
        toml(
            uri=server.url.replace("//", f"//{user}@") + "/search?q={{ query }}&api_key=from-the-uri",
            headers={
                "X-Api-Key": "${SEARCH_API_KEY}",
                "Cookie": "session=written-out",
                "X-Plain": "shown",
                "X-From": "${WHO}",
            },
            health="none",
        ),
    )
    environ = {"SEARCH_API_KEY": KEY, "WHO": "nobody-knows"}
    with opened("mine", cwd=tmp_path, environ=environ) as system:
        with pytest.raises(SystemFailureError) as caught:
            asyncio.run(_searched(system, ("x",), 3, None))
        told = str(caught.value) + repr(system.describe())
    received = json.dumps(server.asked[0].headers)
    for secret in (KEY, "written-out", basic, "nobody-knows"):
        assert secret in received
    for secret in (KEY, "written-out", basic, "nobody-knows", "sesame-open", "from-the-uri"):
        assert secret not in told
    assert "'X-Api-Key': '${SEARCH_API_KEY}'" in told
    assert "'X-Plain': 'shown'" in told
    assert "shown" in str(caught.value)


def test_no_key_is_in_the_log_of_the_client(
    server: SearchServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    uri = server.url.replace("//", "//ann:sesame-open@") + "/search?q={{ query }}&api_key=from-the-uri"
    searched(
        tmp_path,
        "battery",
        uri=uri,
        headers={"X-Api-Key": "${SEARCH_API_KEY}"},
        environ={"SEARCH_API_KEY": KEY},
    )
    told = caplog.text
    assert "HTTP Request: GET http://***@127.0.0.1" in told
    assert not [secret for secret in ("sesame-open", "from-the-uri", KEY) if secret in told]


def test_long_words_are_cut(server: SearchServer, tmp_path: Path) -> None:
    server.respond = lambda _: Reply("so much " * 500, status=400)
    with pytest.raises(SystemFailureError) as caught:
        searched(tmp_path, "x", uri=f"{server.url}/search")
    assert len(str(caught.value)) <= 500
    assert str(caught.value).endswith("…")


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "FETCH"}, 'method must be one of GET, POST, PUT, got "FETCH"'),
        ({"method": "GET"}, "nothing of the request holds the query"),
        ({"body": {"q": "pump"}}, "nothing of the request holds the query"),
        ({"body": {"q": "{{ query"}}, "a template cannot be read"),
        ({"body": {"q": "{{ query | nonsense }}"}}, "a template cannot be read"),
        ({"batch_size": 2, "page_size": 3}, "page_size and next go without it"),
        ({"timeouts": 3}, 'did you mean "timeout_s"'),
        ({"retries": "many"}, '"retries" of'),
        ({"uri": "http:///search"}, "names no host"),
        ({"uri": "http://[::1/search"}, "the URL is none: its host is no address"),
        ({"uri": "http://host:99999/search"}, "its port no number up to 65535"),
        ({"page_size": 3}, "nothing of the request says which; write {{ offset }} or {{ page }}"),
        ({"max_in_flight": 0}, r'"max_in_flight" of \[systems.mine\]: expected `int` >= 1'),
        ({"rate_per_s": 0}, '"rate_per_s" of .*: expected `float` > 0'),
        ({"retries": -1}, '"retries" of'),
        ({"timeout_s": 0}, '"timeout_s" of'),
        ({"overfetch": 0}, '"overfetch" of'),
    ],
)
def test_options_that_fit_nothing_are_refused_before_anything_is_asked(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    write_project(tmp_path, "mine", toml(**{"uri": "http://127.0.0.1:1/search", **options}))
    with pytest.raises(InputError, match=words), opened("mine", cwd=tmp_path):
        pass


def test_a_template_that_asks_for_what_is_not_there_says_what_there_is(
    server: SearchServer, tmp_path: Path
) -> None:
    with pytest.raises(SystemFailureError, match=r"'user' is undefined. There is: collection, cursor, depth"):
        searched(tmp_path, "x", uri=f"{server.url}/search", body={"q": "{{ query }}", "u": "{{ user }}"})


def test_the_query_that_fails_is_not_the_end(server: SearchServer, tmp_path: Path) -> None:
    with pytest.raises(SystemFailureError, match="answered 422"):
        searched(tmp_path, FAILS, uri=f"{server.url}/search")
    assert [ids(result) for result in searched(tmp_path, "battery", uri=f"{server.url}/search")] == [
        ["errors.md"]
    ]
    assert replace(server.asked[0], headers={}).body == {"query": FAILS, "depth": 10}
