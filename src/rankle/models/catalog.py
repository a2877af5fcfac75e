"""Opens embedding models by the names that users give them."""

from pathlib import Path
from typing import Final

from rankle.core.embedding import Embedder
from rankle.core.errors import InputError, UnknownNameError
from rankle.models.progress import OnModelProgress, tell_nobody

DEFAULT_MODEL: Final = "e5-small"
KNOWN_MODELS: Final = ("e5-small", "fake")
"""What users can write; a list for errors and help."""


def open_embedder(
    name: str,
    *,
    cache: Path,
    threads: int | None = None,
    on_progress: OnModelProgress = tell_nobody,
) -> Embedder:
    """The embedding model of that name.

    cache: folder in which models are kept.
    threads: how many texts run at once; None for as many as the machine has processors, at most 8.
    Raises UnknownNameError, MissingExtraError, or ModelError where it cannot be loaded.
    """
    if name == "e5-small":
        from rankle.models.e5_small import open_e5_small

        return open_e5_small(cache, threads=threads, on_progress=on_progress)
    if name == "fake" or name.startswith("fake:"):
        return _open_fake(name)
    raise unknown_model(name)


def unknown_model(name: str) -> UnknownNameError:
    """The error for a name that is no model, with all that are."""
    return UnknownNameError(
        what="embedding model", name=name, known=KNOWN_MODELS, hint=f"There are: {', '.join(KNOWN_MODELS)}"
    )


def _open_fake(name: str) -> Embedder:
    from rankle.models.fake import DEFAULT_DIMENSIONS, FakeEmbedder

    _, colon, given = name.partition(":")
    if colon and not (given.isascii() and given.isdigit() and int(given) > 0):
        raise InputError(f'"{name}": the dimensions must be a whole number above 0, as in fake:64')
    return FakeEmbedder(int(given) if colon else DEFAULT_DIMENSIONS)
