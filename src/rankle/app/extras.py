"""The optional extras: which packages each brings, and what for."""

import importlib.util
from dataclasses import dataclass
from typing import Final

from rankle.core.product import NAME


@dataclass(frozen=True, slots=True)
class Extra:
    """One extra, as the project file declares it."""

    name: str
    packages: tuple[str, ...]
    """Those that it brings on every platform, by the names that are imported."""
    purpose: str

    @property
    def command(self) -> str:
        """What installs it."""
        return f"pip install '{NAME}[{self.name}]'"

    @property
    def missing(self) -> tuple[str, ...]:
        """Packages of it that are not installed. Imports none."""
        return tuple(package for package in self.packages if importlib.util.find_spec(package) is None)


EXTRAS: Final = (
    Extra("local", ("onnx", "onnxruntime", "tokenizers"), "search by meaning, with a model on this machine"),
    Extra("llm", ("openai",), "embedding models behind a server"),
)
