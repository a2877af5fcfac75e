"""Models of one's own: found, configured and refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fakes.onnx_files import TABLE, WORDS, encoder, write_json, write_model
from rankle.core.embedding import Vectors
from rankle.core.errors import ModelError
from rankle.models.onnx_folder import external_files, open_onnx

pytestmark = pytest.mark.needs_local

POOLING = "1_Pooling/config.json"
PROMPTS = "config_sentence_transformers.json"


def _unit(**counts: int) -> Vectors:
    """The direction that so many of these tokens have together."""
    vector = np.array([counts.get(word, 0) for word in WORDS], dtype=np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def _embed(path: Path, text: str = "cat sat sat") -> Vectors:
    vector: Vectors = open_onnx(path).embed_passages([text])[0]
    return vector


@pytest.mark.parametrize("name", ["model.onnx", "onnx/model.onnx", "other.onnx", "onnx/int8.onnx"])
def test_a_model_is_found_in_the_folder(tmp_path: Path, name: str) -> None:
    write_model(tmp_path, name=name)
    np.testing.assert_allclose(
        _embed(tmp_path), _unit(**{"[CLS]": 1, "cat": 1, "sat": 2, "[SEP]": 1}), rtol=1e-6
    )


def test_a_model_is_found_by_its_file(tmp_path: Path) -> None:
    write_model(tmp_path, name="onnx/a.onnx")
    write_model(tmp_path, name="onnx/b.onnx")
    assert open_onnx(tmp_path / "onnx" / "b.onnx").info.dimensions == len(WORDS)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("pooling_mode_mean_tokens", {"[CLS]": 1, "cat": 1, "sat": 2, "[SEP]": 1}),
        ("pooling_mode_mean_sqrt_len_tokens", {"[CLS]": 1, "cat": 1, "sat": 2, "[SEP]": 1}),
        ("pooling_mode_cls_token", {"[CLS]": 1}),
        ("pooling_mode_max_tokens", {"[CLS]": 1, "cat": 1, "sat": 1, "[SEP]": 1}),
        ("pooling_mode_lasttoken", {"[SEP]": 1}),
    ],
)
def test_tokens_are_pooled_as_the_configuration_says(
    tmp_path: Path, mode: str, expected: dict[str, int]
) -> None:
    write_model(tmp_path)
    write_json(
        tmp_path / POOLING,
        {"word_embedding_dimension": 10, "pooling_mode_cls_token": False, "include_prompt": True, mode: True},
    )
    np.testing.assert_allclose(_embed(tmp_path), _unit(**expected), rtol=1e-6)


def test_a_model_that_pools_itself_is_taken_at_its_word(tmp_path: Path) -> None:
    write_model(tmp_path, encoder(output="sentence_embedding"))
    write_json(tmp_path / POOLING, {"pooling_mode_cls_token": True})
    np.testing.assert_allclose(
        _embed(tmp_path, "cat"), _unit(**{"[CLS]": 1, "cat": 1, "[SEP]": 1}), rtol=1e-6
    )


@pytest.mark.parametrize("passage", ["passage", "document"])
def test_prompts_are_put_before_queries_and_passages(tmp_path: Path, passage: str) -> None:
    write_model(tmp_path)
    write_json(tmp_path / PROMPTS, {"prompts": {"query": "query: ", passage: "passage: "}})
    model = open_onnx(tmp_path)
    for vectors, prompt in (
        (model.embed_queries(["cat"]), "query"),
        (model.embed_passages(["cat"]), "passage"),
    ):
        expected = _unit(**{"[CLS]": 1, prompt: 1, ":": 1, "cat": 1, "[SEP]": 1})
        np.testing.assert_allclose(vectors[0], expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("sentence_bert_config.json", {"max_seq_length": 4, "do_lower_case": False}),
        ("tokenizer_config.json", {"model_max_length": 4}),
    ],
)
def test_text_is_cut_off_at_the_longest_that_the_model_takes(
    tmp_path: Path, name: str, content: dict[str, object]
) -> None:
    write_model(tmp_path)
    write_json(tmp_path / name, content)
    np.testing.assert_allclose(
        _embed(tmp_path, "cat sat ran dog"), _unit(**{"[CLS]": 1, "cat": 1, "sat": 1, "[SEP]": 1}), rtol=1e-6
    )


def test_a_limit_beyond_reason_is_none(tmp_path: Path) -> None:
    write_model(tmp_path)
    write_json(tmp_path / "tokenizer_config.json", {"model_max_length": 1e30})
    short, long = open_onnx(tmp_path).embed_passages(["cat " * 510, "cat " * 510 + "dog"])
    assert short.tobytes() == long.tobytes()


@pytest.mark.parametrize("text", ["", "  ", "\ud800", "\0"])
def test_text_without_words_has_a_unit_vector(tmp_path: Path, text: str) -> None:
    assert np.linalg.norm(_embed(write_model(tmp_path), text)) == pytest.approx(1)


def test_models_that_take_int32_or_fewer_inputs_work(tmp_path: Path) -> None:
    few = write_model(tmp_path / "few", encoder(inputs=("input_ids",)))
    narrow = write_model(tmp_path / "narrow", encoder(kind="INT32"))
    assert _embed(few).tobytes() == _embed(narrow).tobytes()


def test_a_vector_depends_on_its_text_alone(tmp_path: Path) -> None:
    model = open_onnx(write_model(tmp_path), threads=2)
    texts = ["cat", "dog sat " * 20, "ran", ""]
    together = model.embed_queries(texts)
    assert np.concatenate([model.embed_queries([text]) for text in texts]).tobytes() == together.tobytes()


def test_the_fingerprint_tells_weights_tokenizers_and_settings_apart(tmp_path: Path) -> None:
    changes: tuple[Callable[[Path], object], ...] = (
        lambda folder: None,
        lambda folder: write_model(folder, encoder(TABLE * 2)),
        lambda folder: (folder / "tokenizer.json").write_text(
            (folder / "tokenizer.json")
            .read_text()
            .replace('"cat": 3', '"cow": 3')
            .replace('"cat":3', '"cow":3')
        ),
        lambda folder: write_json(folder / POOLING, {"pooling_mode_cls_token": True}),
        lambda folder: write_json(folder / PROMPTS, {"prompts": {"query": "query: "}}),
        lambda folder: write_json(folder / "tokenizer_config.json", {"model_max_length": 256}),
    )
    seen = []
    for i, change in enumerate(changes):
        folder = write_model(tmp_path / str(i))
        change(folder)
        seen.append(open_onnx(folder).info.fingerprint)
    assert len(set(seen)) == len(changes)
    assert open_onnx(write_model(tmp_path / "moved")).info.fingerprint == seen[0]


def test_the_name_can_be_used_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_model(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    assert open_onnx(Path("mine")).info.name == f"onnx:{tmp_path / 'mine'}"


def test_weights_in_a_file_of_their_own_count_too(tmp_path: Path) -> None:
    import onnx

    seen = set()
    for factor in (1, 2):
        folder = write_model(tmp_path / str(factor))
        onnx.save_model(
            encoder(TABLE * factor),
            str(folder / "model.onnx"),
            save_as_external_data=True,
            location="model.onnx_data",
            size_threshold=0,
        )
        assert external_files(folder / "model.onnx") == [folder / "model.onnx_data"]
        seen.add(open_onnx(folder).info.fingerprint)
    assert len(seen) == 2
    (tmp_path / "1" / "model.onnx_data").unlink()
    with pytest.raises(ModelError, match=r"model\.onnx_data"):
        open_onnx(tmp_path / "1")


def _without(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def _with(name: str, content: bytes) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)

    return write


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_without("model.onnx"), r"holds no ONNX model; looked for model.onnx, onnx/model.onnx and \*.onnx"),
        (_without("tokenizer.json"), r"has no tokenizer.json beside it or one folder up"),
        (_with("model.onnx", b"this is not ONNX"), r"model.onnx cannot be loaded by ONNX Runtime"),
        (_with("model.onnx", b""), r"model.onnx cannot be loaded by ONNX Runtime"),
        (_with("tokenizer.json", b"{}"), r"tokenizer.json is no tokenizer that can be read"),
        (_with(POOLING, b"{"), r"config.json cannot be used"),
        (
            _with(POOLING, b'{"pooling_mode_weightedmean_tokens": true}'),
            r"pooling_mode_weightedmean_tokens is not",
        ),
        (
            _with(POOLING, b'{"pooling_mode_cls_token": true, "pooling_mode_max_tokens": true}'),
            r"pooling by pooling_mode_cls_token, pooling_mode_max_tokens is not done here; one of",
        ),
        (
            _with("modules.json", b'[{"type": "sentence_transformers.models.Dense"}]'),
            r"the model needs .*Dense",
        ),
        (_with(PROMPTS, b'{"prompts": 3}'), r"config_sentence_transformers.json cannot be used"),
    ],
)
def test_what_cannot_be_used_is_an_error_that_names_the_file(
    tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    spoil(write_model(tmp_path))
    with pytest.raises(ModelError, match=message):
        open_onnx(tmp_path)


def test_several_models_are_an_error_that_lists_them(tmp_path: Path) -> None:
    for name in ("onnx/a.onnx", "onnx/b.onnx"):
        write_model(tmp_path, name=name)
    with pytest.raises(
        ModelError, match=r"several models: onnx/a.onnx, onnx/b.onnx. Name one: onnx:.*a.onnx"
    ):
        open_onnx(tmp_path)


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"nowhere does not exist; onnx:PATH takes a folder or an .onnx file"
    ):
        open_onnx(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("inputs", "output", "message"),
    [
        (("pixel_values",), "last_hidden_state", r"takes the inputs pixel_values; a text encoder takes"),
        (("input_ids", "position_ids"), "last_hidden_state", r"takes the inputs input_ids, position_ids"),
    ],
)
def test_a_model_of_something_else_is_refused(
    tmp_path: Path, inputs: tuple[str, ...], output: str, message: str
) -> None:
    write_model(tmp_path, encoder(inputs=inputs, output=output))
    with pytest.raises(ModelError, match=message):
        open_onnx(tmp_path)


def test_a_token_that_the_model_does_not_know_is_an_error(tmp_path: Path) -> None:
    model = open_onnx(write_model(tmp_path, encoder(TABLE[:4])))
    with pytest.raises(ModelError, match=r"the model onnx:.* failed: "):
        model.embed_queries(["dog"])


def _spoilt(value: float) -> NDArray[np.float32]:
    table = TABLE.copy()
    table[WORDS.index("cat")] = value
    return table


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (_spoilt(np.nan), "a value that is not a number"),
        (_spoilt(np.inf), "a value that is not a number"),
        (TABLE * 0, "only zeros"),
    ],
    ids=["nan", "infinite", "zeros"],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_no_vector_is_an_error_that_quotes_the_text(
    tmp_path: Path, table: NDArray[np.float32], message: str, threads: int
) -> None:
    model = open_onnx(write_model(tmp_path, encoder(table)), threads=threads)
    with pytest.raises(ModelError, match=rf"gave {message} for the text 'cat dog'"):
        model.embed_queries(["cat dog", "cat dog"])
