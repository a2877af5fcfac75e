"""e5-small from a hub: a local server with a tiny model."""

import hashlib
import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from fakes.e5_file import PIECES, write_e5_file
from rankle.core.errors import ModelError
from rankle.models.e5_hub import E5_HUB_FILES, E5HubFiles, parse_tokenizer_json
from rankle.models.e5_small import E5Sources, model_folder, open_e5_small
from rankle.models.e5_weights import read_e5_weights
from rankle.models.hub_file import HubFile
from rankle.models.progress import ModelProgress

pytestmark = pytest.mark.needs_local


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    from rankle.models.e5_graph import build_graph

    path = tmp_path_factory.mktemp("weights") / "weights.bin"
    write_e5_file(path)
    return bytes(build_graph(read_e5_weights(path)).SerializeToString())


TOKENIZER = json.dumps(
    {
        "version": "1.0",
        "added_tokens": [{"id": 0, "content": "<s>"}],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"},
        "model": {
            "type": "Unigram",
            "unk_id": 3,
            "vocab": [[piece, -float(i)] for i, piece in enumerate(PIECES)],
        },
    }
).encode()


def _sources(server: HTTPServer, model: bytes, *, package: str | None = None) -> E5Sources:
    files = E5HubFiles(model=_file("onnx/model.onnx", model), tokenizer=_file("tokenizer.json", TOKENIZER))
    return E5Sources(package=package, hub=server.url_for("/"), hub_files=files)


def _file(path: str, content: bytes) -> HubFile:
    sha256 = hashlib.sha256(content).hexdigest()
    return HubFile("some/model", "abc123", path, size=len(content), sha256=sha256)


def test_the_model_is_downloaded_once(httpserver: HTTPServer, tmp_path: Path, model: bytes) -> None:
    at = "/some/model/resolve/abc123/"
    httpserver.expect_request(f"{at}onnx/model.onnx").respond_with_data(model)
    httpserver.expect_request(f"{at}tokenizer.json").respond_with_data(TOKENIZER)
    sources = _sources(httpserver, model, package="no_such_package")
    told: list[ModelProgress] = []
    first = open_e5_small(tmp_path, sources=sources, on_progress=told.append)
    again = open_e5_small(tmp_path, sources=sources)
    assert list(dict.fromkeys(progress.what for progress in told)) == [
        f"downloading e5-small from {sources.hub} into {tmp_path}, once",
        "downloading onnx/model.onnx",
        "downloading tokenizer.json",
    ]
    assert len(httpserver.log) == 2
    assert first.info == again.info
    assert first.embed_queries(["a b"]).tobytes() == again.embed_queries(["a b"]).tobytes()


def test_a_failed_download_leaves_nothing(httpserver: HTTPServer, tmp_path: Path, model: bytes) -> None:
    httpserver.expect_request("/some/model/resolve/abc123/onnx/model.onnx").respond_with_data(model)
    httpserver.expect_request("/some/model/resolve/abc123/tokenizer.json").respond_with_data(status=404)
    with pytest.raises(ModelError, match=r"tokenizer\.json: the server says 404"):
        open_e5_small(tmp_path, sources=_sources(httpserver, model))
    assert list(model_folder(tmp_path).parent.iterdir()) == []


def test_the_vocabulary_is_taken_from_the_tokenizer() -> None:
    vocabulary = parse_tokenizer_json(TOKENIZER)
    assert vocabulary.pieces == list(PIECES)
    assert (vocabulary.begin, vocabulary.end, vocabulary.unknown) == (0, 2, 3)


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"model": {"type": "BPE", "vocab": {}}}', TOKENIZER.replace(b"</s>", b"end")]
)
def test_another_kind_of_tokenizer_is_refused(content: bytes) -> None:
    with pytest.raises(ModelError, match="holds no unigram vocabulary"):
        parse_tokenizer_json(content)


def test_the_pinned_files_are_of_one_revision_and_whole() -> None:
    files = (E5_HUB_FILES.model, E5_HUB_FILES.tokenizer)
    assert {(file.repository, len(file.revision), len(file.sha256)) for file in files} == {
        ("intfloat/multilingual-e5-small", 40, 64)
    }
    assert E5_HUB_FILES.model.url("https://hub.example/").startswith(
        "https://hub.example/intfloat/multilingual-e5-small/resolve/"
    )
