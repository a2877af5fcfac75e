"""An endpoint on a real socket becomes an embedder that keeps the promises of the port."""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from werkzeug import Response

from fakes.embeddings_server import (
    DIMENSIONS,
    EmbeddingsServer,
    Meeting,
    constant_vectors,
)
from rankle.core.embedding import Embedder
from rankle.core.errors import MissingExtraError, ModelError
from rankle.models.fake import FakeEmbedder
from rankle.models.openai_embedder import PROBE, Batching, OpenAIEmbedder
from rankle.models.openai_name import parse_openai_name

TEXTS = ["reset the pump", "parental leave", "泵", "naïve café", "reset", "pump"]


def opened(server: EmbeddingsServer, options: str = "", **settings: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder(parse_openai_name(server.name + options), sleep=lambda seconds: None, **settings)


def refuse_more_than(limit: int) -> Any:
    """A server with a limit on the texts of one request, like many."""

    def refuse(texts: Sequence[str]) -> Response | None:
        return Response(f"batch size {len(texts)} > {limit}", status=422) if len(texts) > limit else None

    return refuse


@pytest.mark.needs_llm
def test_it_implements_the_port(server: EmbeddingsServer) -> None:
    embedder: Embedder = opened(server)

    assert embedder.info.name == server.name
    assert embedder.info.dimensions == DIMENSIONS
    vectors = embedder.embed_passages(TEXTS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(vectors, FakeEmbedder(DIMENSIONS).embed_passages(TEXTS), rtol=1e-5, atol=1e-7)


@pytest.mark.needs_llm
def test_no_text_asks_nothing(server: EmbeddingsServer) -> None:
    embedder = opened(server)

    assert embedder.embed_queries([]).shape == (0, DIMENSIONS)
    assert server.texts == [[PROBE]]


@pytest.mark.needs_llm
@pytest.mark.parametrize("batching", [Batching(), Batching(texts=1), Batching(texts=3, concurrency=1)])
def test_a_vector_depends_on_its_text_alone(server: EmbeddingsServer, batching: Batching) -> None:
    embedder = opened(server, batching=batching)

    together = embedder.embed_passages(TEXTS)

    alone = np.concatenate([embedder.embed_passages([text]) for text in TEXTS])
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(together[::-1], embedder.embed_passages(TEXTS[::-1]))


@pytest.mark.needs_llm
def test_base64_gives_the_same_vectors(server: EmbeddingsServer) -> None:
    embedder = opened(server)
    numbers = embedder.embed_passages(TEXTS)

    server.in_base64 = True

    np.testing.assert_array_equal(numbers, embedder.embed_passages(TEXTS))


@pytest.mark.needs_llm
def test_the_index_and_not_the_order_places_a_vector(server: EmbeddingsServer) -> None:
    embedder = opened(server)
    in_order = embedder.embed_passages(TEXTS)

    server.spoil = lambda answer: {**answer, "data": answer["data"][::-1]}

    np.testing.assert_array_equal(in_order, embedder.embed_passages(TEXTS))


@pytest.mark.needs_llm
def test_requests_are_bounded_by_number_and_by_characters(server: EmbeddingsServer) -> None:
    texts = ["ab"] * 7 + ["c" * 11] + ["de"] * 4
    embedder = opened(server, batching=Batching(texts=3, characters=10, concurrency=1))

    embedder.embed_passages(texts)

    sent = server.texts[1:]
    assert [text for batch in sent for text in batch] == [*texts, PROBE]
    assert [len(batch) for batch in sent] == [3, 3, 1, 1, 3, 1, 1]


@pytest.mark.needs_llm
def test_two_requests_run_at_once(server: EmbeddingsServer) -> None:
    embedder = opened(server, batching=Batching(texts=1, concurrency=2))
    meeting = server.while_answering = Meeting(2, patience_s=30)

    embedder.embed_passages(TEXTS[:5])  # and the probe: three pairs

    assert meeting.most_inside == 2


@pytest.mark.needs_llm
def test_threads_share_one_bound_of_requests(server: EmbeddingsServer) -> None:
    embedder = opened(server, batching=Batching(concurrency=1))
    meeting = server.while_answering = Meeting(2, patience_s=0.3)

    with ThreadPoolExecutor(2) as pool:
        shapes = {vectors.shape for vectors in pool.map(embedder.embed_queries, [["a"], ["b"]])}

    assert shapes == {(1, DIMENSIONS)}
    assert meeting.most_inside == 1


@pytest.mark.needs_llm
@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_smaller_limit_of_the_server_is_found_by_halving(server: EmbeddingsServer, limit: int) -> None:
    embedder = opened(server)
    unlimited = embedder.embed_passages(TEXTS)

    server.refuse = refuse_more_than(limit)

    np.testing.assert_array_equal(unlimited, embedder.embed_passages(TEXTS))


@pytest.mark.needs_llm
@pytest.mark.parametrize("status", [400, 413, 422])
def test_the_one_text_that_is_refused_is_named(server: EmbeddingsServer, status: int) -> None:
    embedder = opened(server)
    long = "endless " * 100
    server.refuse = lambda texts: Response("too long", status=status) if long in texts else None

    with pytest.raises(ModelError) as refused:
        embedder.embed_passages([*TEXTS, long, *TEXTS])

    message = str(refused.value)
    assert f'answered {status} and said "too long".' in message
    assert "has 800 characters and begins 'endless endless" in message
    assert "smaller chunks" in message


@pytest.mark.needs_llm
def test_prefixes_are_put_before_queries_and_passages(server: EmbeddingsServer) -> None:
    embedder = opened(server, "?query_prefix=query: &passage_prefix=passage: ")

    embedder.embed_queries(["a"])
    embedder.embed_passages(["a"])

    assert server.texts == [[PROBE], ["query: a"], ["passage: a"]]
    assert embedder.info.name == f"{server.name}?query_prefix=query:%20&passage_prefix=passage:%20"


@pytest.mark.needs_llm
def test_empty_text_is_sent_as_a_full_stop_and_half_a_surrogate_pair_as_a_question_mark(
    server: EmbeddingsServer,
) -> None:
    embedder = opened(server)

    vectors = embedder.embed_passages(["", " \n", "a\ud800b", "\x00"])

    assert server.texts[-1] == [".", ".", "a?b", "\x00", PROBE]
    np.testing.assert_array_equal(vectors[0], vectors[1])


@pytest.mark.needs_llm
def test_dimensions_are_asked_for_only_where_the_name_says_so(server: EmbeddingsServer) -> None:
    opened(server)
    opened(server, f"?dimensions={DIMENSIONS}")

    assert server.requests == [
        {"model": "m", "input": [PROBE]},
        {"model": "m", "input": [PROBE], "dimensions": DIMENSIONS},
    ]


@pytest.mark.needs_llm
def test_a_server_that_cannot_shorten_vectors_is_told_at_once(server: EmbeddingsServer) -> None:
    with pytest.raises(ModelError, match=r"asked for 3 dimensions and gave 8.*leave out \"dimensions\""):
        opened(server, "?dimensions=3")


@pytest.mark.needs_llm
def test_the_fingerprint_stays_when_the_server_is_noisy(server: EmbeddingsServer) -> None:
    first = opened(server)
    noise = np.random.default_rng(0)
    exact = server.vectors
    server.vectors = lambda texts: exact(texts) + noise.normal(0, 1e-3, (len(texts), DIMENSIONS)).astype("f4")
    second = opened(server)

    assert not np.array_equal(first.reference, second.reference)
    assert first.info == second.info
    assert first.embed_passages(TEXTS).shape == (len(TEXTS), DIMENSIONS)


@pytest.mark.needs_llm
def test_a_model_that_changes_its_vectors_is_noticed(server: EmbeddingsServer) -> None:
    server.vectors = constant_vectors(1)
    embedder = opened(server)
    embedder.embed_passages(TEXTS)

    server.vectors = constant_vectors(2)

    with pytest.raises(ModelError, match="changed its model while it was used: the same text"):
        embedder.embed_passages(TEXTS)
    with pytest.raises(ModelError, match="changed its model"):
        embedder.embed_queries(TEXTS)


@pytest.mark.needs_llm
@pytest.mark.parametrize("texts", [TEXTS[:1], TEXTS], ids=["one", "several"])
def test_a_model_that_changes_its_dimensions_is_noticed(server: EmbeddingsServer, texts: list[str]) -> None:
    embedder = opened(server)

    server.vectors = FakeEmbedder(DIMENSIONS + 1).embed_passages

    with pytest.raises(ModelError, match="vectors had 8 dimensions and now have 9"):
        embedder.embed_queries(texts)


@pytest.mark.needs_llm
def test_a_model_that_changes_its_name_is_noticed(server: EmbeddingsServer) -> None:
    embedder = opened(server)

    server.spoil = lambda answer: {**answer, "model": None}
    embedder.embed_queries(["a"])
    server.spoil = lambda answer: {**answer, "model": "other"}

    with pytest.raises(ModelError, match='answered as "served" and now as "other"'):
        embedder.embed_queries(["a"])


@pytest.mark.needs_llm
@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda items: items[:-1], "gave 2 vectors for 3 texts"),
        (lambda items: [{**item, "index": 0} for item in items], "0, 0, 0"),
        (lambda items: [*items[:-1], {**items[-1], "embedding": [0.0] * 8}], "only zeros"),
        (lambda items: [*items[:-1], {**items[-1], "embedding": [float("nan")] * 8}], "NaN"),
        (lambda items: [*items[:-1], {**items[-1], "embedding": [1.0]}], "several dimensions: 1, 8"),
    ],
    ids=["count", "order", "zeros", "nan", "dimensions"],
)
def test_an_answer_that_is_no_vector_fails_with_its_url(
    server: EmbeddingsServer, spoil: Any, fault: str
) -> None:
    embedder = opened(server)

    server.spoil = lambda answer: {**answer, "data": spoil(answer["data"])}

    with pytest.raises(ModelError, match=fault) as failed:
        embedder.embed_passages(["a", "b"])
    assert str(failed.value).startswith(f"{server.url}/embeddings answered 200, but gave")


@pytest.mark.needs_llm
def test_a_failed_request_stops_those_that_have_not_begun(server: EmbeddingsServer) -> None:
    embedder = opened(server, batching=Batching(texts=1, concurrency=1))
    server.script = [Response("gone", status=404)]

    with pytest.raises(ModelError, match="404"):
        embedder.embed_passages(TEXTS)

    assert server.texts[1:] == [TEXTS[:1]]


@pytest.mark.needs_llm
def test_a_server_that_embeds_no_text_is_found_out_when_it_is_opened(server: EmbeddingsServer) -> None:
    server.script = [Response("this model does not support embeddings", status=400)]

    with pytest.raises(ModelError, match=r'does not support embeddings.*does "m" embed texts\?'):
        opened(server)


@pytest.mark.needs_llm
def test_a_closed_embedder_asks_no_more(server: EmbeddingsServer) -> None:
    embedder = opened(server)

    embedder.close()
    embedder.close()

    with pytest.raises(RuntimeError, match="closed"):
        embedder.embed_queries(["a"])


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)  # as if it were not installed

    with pytest.raises(MissingExtraError, match=r"pip install 'rankle\[llm\]'"):
        OpenAIEmbedder(parse_openai_name("openai:m@http://127.0.0.1:1/v1"))
