"""Opens embedding models by the names that users give them."""

from pathlib import Path
from typing import Final

from rankle.core.embedding import Embedder
from rankle.core.errors import InputError, UnknownNameError
from rankle.models.hub_file import PUBLIC_HUB
from rankle.models.progress import OnModelProgress, tell_nobody

DEFAULT_MODEL: Final = "e5-small"
KNOWN_MODELS: Final = ("e5-small", "onnx:PATH", "openai:MODEL@URL", "fake", "fake:DIMENSIONS")
"""What users can write; a list for errors and help."""


def open_embedder(
    name: str,
    *,
    cache: Path,
    hub: str | None = PUBLIC_HUB,
    openai_key: str | None = None,
    threads: int | None = None,
    on_progress: OnModelProgress = tell_nobody,
) -> Embedder:
    """The embedding model of that name; what a kind of model needs is imported when one is opened.

    cache: folder in which models are kept.
    hub: address of the model hub, or of a mirror; None: nothing is downloaded.
    openai_key: sent to the server that an `openai:` name names.
    threads: how many texts run at once in a local model; None for as many as there are processors, at most 8.
    on_progress: told what happens while a model is made ready, which takes seconds the first time.
    Raises UnknownNameError, InputError on a name that is malformed, MissingExtraError, or ModelError where it
    cannot be loaded.
    """
    kind, _, rest = name.partition(":")
    if name == "e5-small":
        from rankle.models.e5_small import E5Sources, open_e5_small

        return open_e5_small(cache, sources=E5Sources(hub=hub), threads=threads, on_progress=on_progress)
    if kind == "onnx" and rest:
        from rankle.models.onnx_folder import open_onnx

        return open_onnx(Path(rest), threads=threads)
    if kind == "openai":
        from rankle.models.openai_embedder import OpenAIEmbedder
        from rankle.models.openai_name import parse_openai_name

        return OpenAIEmbedder(parse_openai_name(name), api_key=openai_key)
    if kind == "fake":
        return _open_fake(name, rest)
    raise unknown_model(name)


def unknown_model(name: str) -> UnknownNameError:
    """The error for a name that is no model, with all that are."""
    return UnknownNameError(
        what="embedding model", name=name, known=KNOWN_MODELS, hint=f"There are: {', '.join(KNOWN_MODELS)}"
    )


def _open_fake(name: str, dimensions: str) -> Embedder:
    from rankle.models.fake import DEFAULT_DIMENSIONS, MAX_DIMENSIONS, FakeEmbedder

    if name == "fake":
        return FakeEmbedder(DEFAULT_DIMENSIONS)
    if not (dimensions.isascii() and dimensions.isdigit() and 0 < int(dimensions) <= MAX_DIMENSIONS):
        allowed = f"a whole number from 1 to {MAX_DIMENSIONS:,}"
        raise InputError(f'"{name}": the dimensions must be {allowed}, as in fake:64')
    return FakeEmbedder(int(dimensions))
