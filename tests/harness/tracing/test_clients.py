"""Wrapped clients of OpenAI and Anthropic against a real socket: what is traced, what is cached, and when."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, cast

import anthropic
import openai
import pytest
from pydantic import BaseModel, create_model
from pydantic.dataclasses import dataclass
from pytest_httpserver import HTTPServer

from fakes.chat_server import ChatServer
from fakes.eval_cache import MemoryCache
from rankle.core.errors import InputError
from rankle.core.trials import SpanReport
from rankle.harness.tracing.clients import wrap
from rankle.harness.tracing.recorder import recording

pytestmark = pytest.mark.needs_llm
KEY = "sk-planted-0123456789"
ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "why"}]}
ASK_CLAUDE: dict[str, Any] = {**ASK, "max_tokens": 10}


@pytest.fixture
def server(httpserver: HTTPServer) -> ChatServer:
    return ChatServer(httpserver)


@pytest.fixture
def client(server: ChatServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key=KEY, base_url=f"{server.url}/v1", max_retries=0) as made:
        yield wrap(made, prices={"m": (1.0, 10.0)})


@pytest.fixture
def claude(server: ChatServer) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0) as made:
        yield wrap(made)


def ask(client: openai.OpenAI) -> str | None:
    answer: openai.types.chat.ChatCompletion = client.chat.completions.create(**ASK)
    return answer.choices[0].message.content


def test_outside_of_a_run_calls_go_through(client: openai.OpenAI, server: ChatServer) -> None:
    assert [ask(client), ask(client)] == ["answer 1", "answer 2"]
    assert server.n_calls == 2


def test_wrapped_client_passes_for_the_client(client: openai.OpenAI) -> None:
    assert isinstance(client, openai.OpenAI)
    assert client.api_key == KEY
    client.max_retries = 7
    assert client.with_options(timeout=3).max_retries == 7


def test_call_is_a_step_with_prompt_answer_tokens_and_cost(client: openai.OpenAI) -> None:
    with recording(case="c", trial=0) as trace:
        ask(client)
        (span,) = trace.spans()
        usage = trace.usage()
    assert span.name == "chat.completions.create"
    assert span.input == {"messages": ASK["messages"]}
    assert span.metadata["model"] == "m"
    assert span.output["choices"][0]["message"]["content"] == "answer 1"
    assert usage == span.usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.n_calls, usage.n_cached) == (3, 4, 1, 0)
    assert usage.cost_usd == pytest.approx((3 * 1 + 4 * 10) / 1e6)


def test_no_price_tells_no_cost(claude: anthropic.Anthropic) -> None:
    with recording(case="c", trial=0) as trace:
        claude.messages.create(**ASK_CLAUDE)
        usage = trace.usage()
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.cost_usd) == (7, 9, None)


def test_keys_and_headers_are_in_no_step(client: openai.OpenAI, server: ChatServer) -> None:
    with recording(case="c", trial=0, cache=MemoryCache()) as trace:
        client.chat.completions.create(**ASK, extra_headers={"X-Secret": "planted-secret"})
        told = repr(trace.spans())
    assert server.headers[0]["X-Secret"] == "planted-secret"
    assert "planted" not in told


def test_same_call_of_the_same_trial_is_answered_by_the_cache(
    client: openai.OpenAI, server: ChatServer
) -> None:
    cache = MemoryCache()
    found, spans, replayed = [], [], []
    for _ in range(2):
        with recording(case="c", trial=0, cache=cache) as trace:
            found.append(ask(client))
            spans += trace.spans()
            replayed.append(trace.replayed_ms())
    assert found == ["answer 1", "answer 1"]
    assert server.n_calls == 1
    made, kept = spans
    assert (made.cached, kept.cached) == (False, True)
    assert kept.took_ms == pytest.approx(made.took_ms)
    assert replayed[0] == 0.0
    assert 0.0 < replayed[1] <= made.took_ms
    assert kept.output == made.output
    assert kept.usage is not None
    assert (kept.usage.n_cached, kept.usage.input_tokens) == (1, 3)


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ({"case": "c", "trial": 0}, {"case": "c", "trial": 1}),
        ({"case": "c", "trial": 0}, {"case": "d", "trial": 0}),
        ({"case": "c", "trial": 0, "task": "a"}, {"case": "c", "trial": 0, "task": "b"}),
    ],
    ids=["trials", "cases", "tasks"],
)
def test_others_never_share_an_answer(
    client: openai.OpenAI, server: ChatServer, then: dict[str, Any], now: dict[str, Any]
) -> None:
    cache = MemoryCache()
    for given in (then, now):
        with recording(**given, cache=cache):
            ask(client)
    assert server.n_calls == 2


def test_other_parameters_never_share_an_answer(client: openai.OpenAI, server: ChatServer) -> None:
    cache = MemoryCache()
    for temperature in (0.0, 0.5):
        with recording(case="c", trial=0, cache=cache):
            client.chat.completions.create(**ASK, temperature=temperature)
    assert server.n_calls == 2


def test_asking_twice_within_a_trial_gives_two_answers_both_times(
    client: openai.OpenAI, server: ChatServer
) -> None:
    cache = MemoryCache()
    found = []
    for _ in range(2):
        with recording(case="c", trial=0, cache=cache):
            found.append([ask(client), ask(client)])
    assert found == [["answer 1", "answer 2"], ["answer 1", "answer 2"]]
    assert server.n_calls == 2


def test_without_a_cache_every_call_is_made(client: openai.OpenAI, server: ChatServer) -> None:
    for _ in range(2):
        with recording(case="c", trial=0, cache=None):
            ask(client)
    assert server.n_calls == 2


def test_failure_is_told_and_not_cached(client: openai.OpenAI, server: ChatServer) -> None:
    cache = MemoryCache()
    server.fails = True
    with recording(case="c", trial=0, cache=cache) as trace:
        with pytest.raises(openai.BadRequestError):
            ask(client)
        (span,) = trace.spans()
    assert span.error is not None
    assert "no such model" in span.error.message
    assert not cache.kept
    server.fails = False
    with recording(case="c", trial=0, cache=cache):
        assert ask(client) == "answer 2"


def streamed(client: openai.OpenAI) -> str:
    parts = client.chat.completions.create(**ASK, stream=True)
    return "".join(part.choices[0].delta.content or "" for part in parts if part.choices)


def test_stream_is_a_step_when_it_is_read_and_comes_again_from_the_cache(
    client: openai.OpenAI, server: ChatServer
) -> None:
    cache = MemoryCache()
    found: list[str] = []
    spans: list[SpanReport] = []
    for _ in range(2):
        with recording(case="c", trial=0, cache=cache) as trace:
            found.append(streamed(client))
            spans += trace.spans()
    assert found == ["answer 1", "answer 1"]
    assert server.n_calls == 1
    assert [span.output for span in spans] == found
    assert [span.cached for span in spans] == [False, True]
    assert spans[0].usage is not None
    assert spans[0].usage.output_tokens == 4


def test_stream_that_is_not_read_to_its_end_is_not_cached(client: openai.OpenAI) -> None:
    cache = MemoryCache()
    with recording(case="c", trial=0, cache=cache) as trace:
        with client.chat.completions.create(**ASK, stream=True) as parts:
            next(parts)
        (span,) = trace.spans()
    assert span.output == "answer "
    assert not cache.kept


def test_responses_and_embeddings_are_traced_and_cached(client: openai.OpenAI, server: ChatServer) -> None:
    cache = MemoryCache()
    spans: list[SpanReport] = []
    for _ in range(2):
        with recording(case="c", trial=0, cache=cache) as trace:
            text = client.responses.create(model="m", input="why").output_text
            vectors = client.embeddings.create(model="m", input=["a", "b"], encoding_format="float")
            spans = trace.spans()
        assert text == "answer 1"
        assert vectors.data[1].embedding == [0.0, 1.0, 0.0]
    assert server.n_calls == 2
    assert spans[0].usage is not None
    assert spans[0].usage.output_tokens == 6
    assert spans[1].output == {"n_embeddings": 2, "dimensions": 3}


def test_messages_are_traced_and_cached(claude: anthropic.Anthropic, server: ChatServer) -> None:
    cache = MemoryCache()
    for _ in range(2):
        with recording(case="c", trial=0, cache=cache):
            message = claude.messages.create(**ASK_CLAUDE)
        block = message.content[0]
        assert isinstance(block, anthropic.types.TextBlock)
        assert block.text == "answer 1"
    assert server.n_calls == 1


def test_streamed_messages_are_traced_and_cached(claude: anthropic.Anthropic, server: ChatServer) -> None:
    cache = MemoryCache()
    spans: list[SpanReport] = []
    for _ in range(2):
        with recording(case="c", trial=0, cache=cache) as trace:
            events = [event.type for event in claude.messages.create(**ASK_CLAUDE, stream=True)]
            assert events[-1] == "message_stop"
            spans += trace.spans()
    assert server.n_calls == 1
    assert [span.output for span in spans] == ["answer 1", "answer 1"]
    assert spans[0].usage is not None
    assert (spans[0].usage.input_tokens, spans[0].usage.output_tokens) == (7, 9)


def test_stream_of_messages_as_a_context_is_traced(claude: anthropic.Anthropic) -> None:
    with claude.messages.stream(**ASK_CLAUDE) as stream:
        assert stream.get_final_text() == "answer 1"
    with recording(case="c", trial=0, cache=MemoryCache()) as trace:
        with claude.messages.stream(**ASK_CLAUDE) as stream:
            assert stream.get_final_text() == "answer 2"
        (span,) = trace.spans()
    assert span.name == "messages.stream"
    assert span.output["content"][0]["text"] == "answer 2"
    assert span.usage is not None
    assert span.usage.output_tokens == 9


class Reply(BaseModel):
    n: int
    note: str = "none"


@dataclass
class Plain:
    n: int


def chat_parse(client: openai.OpenAI, kind: type[Any] = Reply) -> Any:
    return client.chat.completions.parse(**ASK, response_format=kind)


PARSES: dict[str, Callable[[Any, Any], Any]] = {
    "chat": lambda gpt, _: chat_parse(gpt),
    "chat of a dataclass": lambda gpt, _: chat_parse(gpt, Plain),
    "responses": lambda gpt, _: gpt.responses.parse(model="m", input="why", text_format=Reply),
    "messages": lambda _, claude: claude.messages.parse(**ASK_CLAUDE, output_format=Reply),
}


@pytest.mark.parametrize("kind", PARSES)
def test_what_was_parsed_comes_again_exactly(
    client: openai.OpenAI, claude: anthropic.Anthropic, server: ChatServer, kind: str
) -> None:
    server.says = '{"n": {call}}'
    cache = MemoryCache()
    answers, spans = [], []
    for _ in range(2):
        with recording(case="c", trial=0, cache=cache) as trace:
            answers.append(PARSES[kind](client, claude))
            spans += trace.spans()
    made, kept = answers
    assert server.n_calls == 1
    assert (type(kept), kept) == (type(made), made)
    assert [span.cached for span in spans] == [False, True]
    assert spans[0].output == spans[1].output


def test_kept_json_is_parsed_by_the_class_that_is_asked_for_now(
    client: openai.OpenAI, server: ChatServer
) -> None:
    server.says = '{"n": 1}'
    cache = MemoryCache()

    class Doubling(Reply):
        def double(self) -> int:
            return self.n * 2

    Doubling.__name__ = "Reply"
    Doubling.model_config["title"] = "Reply"
    Doubling.model_rebuild(force=True)
    for kind in (Reply, Doubling):
        with recording(case="c", trial=0, cache=cache):
            parsed = chat_parse(client, kind).choices[0].message.parsed
            assert type(parsed) is kind
    assert server.n_calls == 1


def test_another_schema_is_asked_for_anew(client: openai.OpenAI, server: ChatServer) -> None:
    server.says = '{"n": 1, "more": 2}'
    cache = MemoryCache()
    wider = create_model("Reply", n=(int, ...), more=(int, ...))
    for kind in (Reply, wider):
        with recording(case="c", trial=0, cache=cache):
            chat_parse(client, kind)
    assert server.n_calls == 2


def test_kept_json_that_its_class_refuses_now_fails_as_an_answer_would(
    client: openai.OpenAI, server: ChatServer
) -> None:
    server.says = '{"n": 1}'
    cache = MemoryCache()
    least = 0

    class Picky(BaseModel):
        n: int

        def model_post_init(self, context: Any, /) -> None:
            if self.n < least:
                raise ValueError("too small")

    with recording(case="c", trial=0, cache=cache):
        chat_parse(client, Picky)
    least = 2
    with recording(case="c", trial=0, cache=cache) as trace:
        with pytest.raises(ValueError, match="too small"):
            chat_parse(client, Picky)
        (span,) = trace.spans()
    assert server.n_calls == 1
    assert span.error is not None


def test_what_json_cannot_hold_of_an_answer_costs_the_cache_alone(
    client: openai.OpenAI, server: ChatServer
) -> None:
    server.says = '{"n": 1}'

    class Odd(BaseModel):
        n: Any

        def model_post_init(self, context: Any, /) -> None:
            self.n = object()

    cache = MemoryCache()
    with recording(case="c", trial=0, cache=cache) as trace:
        chat_parse(client, Odd)
        (span,) = trace.spans()
    assert (span.error, cache.kept) == (None, {})
    assert "object object" in str(span.output)


def test_async_clients_parse_from_the_cache(server: ChatServer) -> None:
    server.says = '{"n": {call}}'
    cache = MemoryCache()

    async def once() -> list[Any]:
        async with (
            openai.AsyncOpenAI(api_key=KEY, base_url=f"{server.url}/v1", max_retries=0) as gpt,
            anthropic.AsyncAnthropic(api_key=KEY, base_url=server.url, max_retries=0) as claude,
        ):
            with recording(case="c", trial=0, cache=cache):
                return [await parse(wrap(gpt), wrap(claude)) for parse in PARSES.values()]

    assert asyncio.run(once()) == asyncio.run(once())
    assert server.n_calls == len(PARSES)


def test_clients_of_an_own_class_parse_from_the_cache(server: ChatServer) -> None:
    class Ours(openai.OpenAI):
        def __init__(self) -> None:
            super().__init__(api_key=KEY, base_url=f"{server.url}/v1", max_retries=0)

    class OursToo(openai.AsyncOpenAI):
        def __init__(self) -> None:
            super().__init__(api_key=KEY, base_url=f"{server.url}/v1", max_retries=0)

    server.says = '{"n": {call}}'
    cache = MemoryCache()

    async def once() -> list[Any]:
        with Ours() as plain, recording(case="c", trial=0, cache=cache):
            found = [chat_parse(wrap(plain))]
        async with OursToo() as plain_too:
            with recording(case="c", trial=1, cache=cache):
                return [*found, await chat_parse(cast("Any", wrap(plain_too)))]

    assert asyncio.run(once()) == asyncio.run(once())
    assert server.n_calls == 2


def test_kept_json_is_parsed_without_signing_in(server: ChatServer) -> None:
    signed_in = []

    def token() -> str:
        signed_in.append(KEY)
        return KEY

    server.says = '{"n": 1}'
    cache = MemoryCache()
    with openai.OpenAI(api_key=token, base_url=f"{server.url}/v1", max_retries=0) as plain:
        for _ in range(2):
            with recording(case="c", trial=0, cache=cache):
                chat_parse(wrap(plain))
    assert len(signed_in) == server.n_calls == 1


def test_async_clients_are_traced_and_cached(server: ChatServer) -> None:
    cache = MemoryCache()

    async def once() -> tuple[str | None, str, list[SpanReport]]:
        async with (
            openai.AsyncOpenAI(api_key=KEY, base_url=f"{server.url}/v1", max_retries=0) as plain,
            anthropic.AsyncAnthropic(api_key=KEY, base_url=server.url, max_retries=0) as plain_claude,
        ):
            client, claude = wrap(plain), wrap(plain_claude)
            with recording(case="c", trial=0, cache=cache) as trace:
                answer = await client.chat.completions.create(**ASK)
                parts = await client.chat.completions.create(**ASK, stream=True)
                text = "".join([part.choices[0].delta.content or "" async for part in parts if part.choices])
                async with claude.messages.stream(**ASK_CLAUDE) as stream:
                    await stream.get_final_text()
                return answer.choices[0].message.content, text, trace.spans()

    first = asyncio.run(once())
    again = asyncio.run(once())
    assert first[:2] == again[:2] == ("answer 1", "answer 2")
    assert [span.cached for span in first[2]] == [False, False, False]
    assert [span.cached for span in again[2]] == [True, True, False]
    assert server.n_calls == 4


def test_async_client_outside_of_a_run_does_nothing(server: ChatServer) -> None:
    async def once() -> str | None:
        async with openai.AsyncOpenAI(api_key=KEY, base_url=f"{server.url}/v1") as plain:
            answer: openai.types.chat.ChatCompletion = await wrap(plain).chat.completions.create(**ASK)
            return answer.choices[0].message.content

    assert asyncio.run(once()) == "answer 1"


def test_what_is_no_client_is_refused() -> None:
    with pytest.raises(InputError, match="a client of openai or anthropic, got an object of str"):
        wrap("client")


def test_credentials_of_an_endpoint_are_in_no_step(server: ChatServer) -> None:
    url = server.url.replace("http://", "http://user:planted@")
    with openai.OpenAI(api_key=KEY, base_url=f"{url}/v1?token=planted", max_retries=0) as plain:
        server.fails = True
        client = wrap(plain)
        with recording(case="c", trial=0) as trace, pytest.raises(openai.OpenAIError):
            ask(client)
        assert "planted" not in repr(trace.spans())


def test_a_call_that_ends_after_its_trial_was_given_up_is_not_kept(client: openai.OpenAI) -> None:
    cache = MemoryCache()
    with recording(case="c", trial=0, cache=cache) as trace:
        parts = client.chat.completions.create(**ASK, stream=True)
        trace.spans()
        assert len(list(parts)) == 3
    assert not cache.kept
