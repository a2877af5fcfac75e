"""`onnx:PATH`: a text encoder of one's own, in the layout that sentence-transformers and Optimum write.

    model.onnx or onnx/model.onnx        or any single .onnx file, or PATH is the file
    tokenizer.json                       beside it or one folder up
    1_Pooling/config.json                mean (the default), cls, max or last token
    config_sentence_transformers.json    prompts for queries and passages
    sentence_bert_config.json, tokenizer_config.json    the longest text

Other weights, another tokenizer or another of these settings give another fingerprint.
"""

import importlib.util
import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.canonical import fingerprint
from rankle.core.errors import MissingExtraError, ModelError
from rankle.models.onnx_embedder import Encode, OnnxEmbedder, open_session
from rankle.models.sentence_transformers import EncoderConfig, read_encoder_config
from rankle.models.stored_model import sha256_of

PREFIX: Final = "onnx:"
_MODEL_FILES: Final = ("model.onnx", "onnx/model.onnx")
_TOKENIZER_FILE: Final = "tokenizer.json"
_WITHOUT_TOKENS: Final = (0,)
"""What a text is that has no token at all, since a model needs one."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of a model, found."""

    model: Path
    tokenizer: Path
    root: Path
    """Where its configuration lies."""


def open_onnx(path: Path, *, threads: int | None = None) -> OnnxEmbedder:
    """The model at `path`, a folder or an .onnx file.

    threads: how many texts run at once; None for as many as the machine has processors, at most 8.
    Raises MissingExtraError, and ModelError where a file is missing or cannot be used.
    """
    for package in ("onnx", "onnxruntime", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            raise MissingExtraError(what=f"the model {PREFIX}{path}", extra="local")
    files = find_model_files(path.expanduser().absolute())
    config = read_encoder_config(files.root)
    return OnnxEmbedder(
        open_session(files.model),
        _open_tokenizer(files.tokenizer, max_tokens=config.max_tokens),
        name=f"{PREFIX}{path.expanduser().absolute()}",
        fingerprint=_fingerprint(files, config),
        settings=config.text,
        threads=threads,
    )


def find_model_files(path: Path) -> ModelFiles:
    """Find the model and its tokenizer. Raises ModelError that says where was looked."""
    model = _find_model(path)
    for folder in (model.parent, model.parent.parent):
        if (folder / _TOKENIZER_FILE).is_file():
            return ModelFiles(model, folder / _TOKENIZER_FILE, folder)
    raise ModelError(
        f"{model} has no {_TOKENIZER_FILE} beside it or one folder up. Save the model's fast tokenizer there"
    )


def _find_model(path: Path) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise ModelError(f"{path} does not exist; {PREFIX}PATH takes a folder or an .onnx file")
    for name in _MODEL_FILES:
        if (path / name).is_file():
            return path / name
    found = sorted([*path.glob("*.onnx"), *path.glob("onnx/*.onnx")])
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(str(file.relative_to(path)) for file in found)
        raise ModelError(f"{path} holds several models: {listed}. Name one: {PREFIX}{found[0]}")
    raise ModelError(f"{path} holds no ONNX model; looked for {', '.join(_MODEL_FILES)} and *.onnx")


def _open_tokenizer(path: Path, *, max_tokens: int) -> Encode:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises bare Exception
        raise ModelError(f"{path} is no tokenizer that can be read: {error}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=max_tokens)

    def encode(text: str) -> Sequence[int]:
        # text from broken files can hold lone surrogates, which no tokenizer takes
        whole = text.encode("utf-8", errors="replace").decode("utf-8")
        return tokenizer.encode(whole).ids or _WITHOUT_TOKENS

    return encode


def _fingerprint(files: ModelFiles, config: EncoderConfig) -> str:
    text = config.text
    return fingerprint(
        [
            "onnx",
            1,
            [sha256_of(file) for file in (files.model, *external_files(files.model), files.tokenizer)],
            [text.query_prefix, text.passage_prefix, text.pooling, config.max_tokens],
            "onnxruntime",
        ]
    )


def external_files(model: Path) -> Sequence[Path]:
    """The files beside an ONNX model in which it keeps weights, sorted; none for most models below 2 GB."""
    if model.stat().st_size == 0:
        return ()
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content.find(b"location") < 0:  # the key of every reference; spares parsing some 500 MB
            return ()
    import onnx
    from onnx import external_data_helper

    graph = onnx.load(str(model), load_external_data=False).graph
    places = {
        external_data_helper.ExternalDataInfo(tensor).location
        for tensor in graph.initializer
        if external_data_helper.uses_external_data(tensor)
    }
    return [model.parent / place for place in sorted(places)]
