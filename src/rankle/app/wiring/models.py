"""Embedding models as the environment says: where they are kept, and what they are fetched and asked with."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rankle.core.product import NAME

if TYPE_CHECKING:
    from rankle.core.embedding import Embedder, OpenEmbedder
    from rankle.models.progress import OnModelProgress
    from rankle.models.readiness import Readiness


def embedder_factory(
    *, environ: Mapping[str, str] | None = None, on_progress: "OnModelProgress | None" = None
) -> "OpenEmbedder":
    """What opens an embedding model by its name, with the cache that the environment names.

    on_progress: told what happens while a model is made ready, which takes seconds the first time. None logs
        what a user should know: that a model was damaged, or is downloaded.
    """
    cache = model_cache(environ)

    def open_model(name: str) -> "Embedder":
        from rankle.models.catalog import open_embedder
        from rankle.models.progress import tell_notable

        return open_embedder(
            name,
            cache=cache,
            hub=model_hub(environ),
            openai_key=openai_key(environ),
            on_progress=on_progress or tell_notable,
        )

    return open_model


def model_cache(environ: Mapping[str, str] | None = None) -> Path:
    """The folder in which models are kept: `RANKLE_CACHE`, else the platform's cache folder of the user."""
    env = os.environ if environ is None else environ
    if env.get("RANKLE_CACHE"):
        return Path(env["RANKLE_CACHE"]).expanduser().absolute()
    from platformdirs import user_cache_path

    return user_cache_path(NAME, appauthor=False)


def model_readiness(environ: Mapping[str, str] | None = None) -> "Readiness":
    """Whether the default model can be used, and what is missing where it cannot."""
    from rankle.models.readiness import default_readiness

    return default_readiness(model_cache(environ))


def model_hub(environ: Mapping[str, str] | None = None) -> str | None:
    """Address of the hub that models are downloaded from; None where the network is to be left alone.

    `HF_HUB_OFFLINE` and `HF_ENDPOINT` mean what they mean to other clients of the hub.
    """
    from rankle.models.hub_file import PUBLIC_HUB

    env = os.environ if environ is None else environ
    return None if env.get("HF_HUB_OFFLINE") == "1" else env.get("HF_ENDPOINT") or PUBLIC_HUB


def openai_key(environ: Mapping[str, str] | None = None) -> str | None:
    """What the servers of `openai:` models are sent; None where there is no key."""
    from rankle.models.openai_name import KEY_VARIABLE

    env = os.environ if environ is None else environ
    return env.get(KEY_VARIABLE) or None
