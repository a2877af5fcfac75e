"""Reads the configuration that sentence-transformers and Optimum save beside a text encoder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from rankle.core.errors import ModelError
from rankle.models.onnx_embedder import Pooling, TextSettings

DEFAULT_MAX_TOKENS: Final = 512
_ABSURD: Final = 100_000
"""Tokenizers without a limit state 10^30."""
_POOLINGS: Final[dict[str, Pooling]] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",  # the same direction, and vectors are brought to length 1
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
}
_PASSAGES: Final = ("passage", "document", "corpus")
"""What authors call the prompt of what is found."""
_UNDERSTOOD: Final = ("Transformer", "Pooling", "Normalize")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """How a saved encoder is to be used."""

    text: TextSettings
    max_tokens: int
    """With the special tokens; what is longer is cut off."""


class _Prompts(msgspec.Struct):
    prompts: dict[str, str | None] = {}


class _Sentence(msgspec.Struct):
    max_seq_length: int | None = None


class _Tokenizer(msgspec.Struct):
    model_max_length: float | None = None


class _Module(msgspec.Struct):
    type: str


def read_encoder_config(folder: Path) -> EncoderConfig:
    """What the files in `folder` say; no file, mean pooling, no prefix and 512 tokens.

    Raises ModelError where a file cannot be read, or asks for what is not done here.
    """
    _check_modules(folder)
    prompts = _read(folder / "config_sentence_transformers.json", _Prompts, missing=_Prompts()).prompts
    passage = next((prompts[name] for name in _PASSAGES if prompts.get(name)), None)
    text = TextSettings(
        query_prefix=prompts.get("query") or "", passage_prefix=passage or "", pooling=_pooling(folder)
    )
    return EncoderConfig(text=text, max_tokens=_max_tokens(folder))


def _check_modules(folder: Path) -> None:
    path = folder / "modules.json"
    for module in _read(path, list[_Module], missing=[]):
        if module.type.rpartition(".")[2] not in _UNDERSTOOD:
            raise ModelError(
                f"{path}: the model needs {module.type}, and only {', '.join(_UNDERSTOOD)} are done here. "
                "Export it so that the graph itself gives sentence_embedding, and leave modules.json out"
            )


def _pooling(folder: Path) -> Pooling:
    path = folder / "1_Pooling" / "config.json"
    config = _read(path, dict[str, object], missing={})
    chosen = {name for name, value in config.items() if name.startswith("pooling_mode_") and value is True}
    known = {_POOLINGS[name] for name in chosen if name in _POOLINGS}
    if not chosen:
        return "mean"
    if len(known) != 1 or chosen - _POOLINGS.keys():
        raise ModelError(
            f"{path}: pooling by {', '.join(sorted(chosen))} is not done here; one of "
            f"{', '.join(_POOLINGS)} is"
        )
    return known.pop()


def _max_tokens(folder: Path) -> int:
    stated = (
        _read(folder / "sentence_bert_config.json", _Sentence, missing=_Sentence()).max_seq_length,
        _read(folder / "tokenizer_config.json", _Tokenizer, missing=_Tokenizer()).model_max_length,
    )
    return next((int(n) for n in stated if n is not None and 0 < n < _ABSURD), DEFAULT_MAX_TOKENS)


def _read(path: Path, form: type[T], *, missing: T) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=form)
    except FileNotFoundError:
        return missing
    except (OSError, msgspec.DecodeError) as error:
        raise ModelError(f"{path} cannot be used: {error}") from error
