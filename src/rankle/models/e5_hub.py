"""The files of multilingual-e5-small on the model hub, and how they become a model in the cache."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from rankle.core.errors import ModelError
from rankle.models.hub_file import HubFile
from rankle.models.model_hub import download
from rankle.models.progress import OnModelProgress
from rankle.models.stored_model import Origin
from rankle.models.unigram import UnigramVocabulary, write_vocabulary

_REPOSITORY: Final = "intfloat/multilingual-e5-small"
_REVISION: Final = "614241f622f53c4eeff9890bdc4f31cfecc418b3"


@dataclass(frozen=True, slots=True)
class E5HubFiles:
    """What is downloaded."""

    model: HubFile
    """ONNX, dynamic int8."""
    tokenizer: HubFile
    """`tokenizer.json` of the package `tokenizers`, with a unigram vocabulary."""


E5_HUB_FILES: Final = E5HubFiles(
    model=HubFile(
        repository=_REPOSITORY,
        revision=_REVISION,
        path="onnx/model_qint8_avx512_vnni.onnx",
        size=118_346_824,
        sha256="dd476dd0c2514e9b9be83aeb3853fac0763e0bdf4a71645407587d77c48a2d88",
    ),
    tokenizer=HubFile(
        repository=_REPOSITORY,
        revision=_REVISION,
        path="onnx/tokenizer.json",
        size=17_082_730,
        sha256="0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
    ),
)
"""Sizes and checksums as several public projects that pin this revision give them. Despite its name the
model holds standard operators only, and runs on every processor that ONNX Runtime runs on."""


class _Unigram(msgspec.Struct):
    type: str
    unk_id: int
    vocab: list[tuple[str, float]]


class _TokenizerFile(msgspec.Struct):
    model: _Unigram


def install_from_hub(
    *, hub: str, files: E5HubFiles, model: Path, vocabulary: Path, on_progress: OnModelProgress
) -> Origin:
    """Download the model to `model` and write its vocabulary to `vocabulary`. Raises ModelError."""
    download(files.model, model, hub=hub, on_progress=on_progress)
    downloaded = vocabulary.with_suffix(".download")
    download(files.tokenizer, downloaded, hub=hub, on_progress=on_progress)
    write_vocabulary(vocabulary, parse_tokenizer_json(downloaded.read_bytes()))
    downloaded.unlink()
    source = f"{files.model.repository}@{files.model.revision}: {files.model.path}"
    return Origin(source=source, weights_sha256=files.model.sha256)


def parse_tokenizer_json(content: bytes) -> UnigramVocabulary:
    """The vocabulary in a `tokenizer.json`. Raises ModelError where it holds no unigram model with <s> and
    </s>.
    """
    try:
        unigram = msgspec.json.decode(content, type=_TokenizerFile).model
        pieces = [piece for piece, _score in unigram.vocab]
        return UnigramVocabulary(
            pieces=pieces,
            scores=[score for _piece, score in unigram.vocab],
            begin=pieces.index("<s>"),
            end=pieces.index("</s>"),
            unknown=unigram.unk_id,
        )
    except (msgspec.DecodeError, ValueError) as error:
        raise ModelError(f"the tokenizer.json of the hub holds no unigram vocabulary: {error}") from error
