"""What makes a case of an evaluation the same as one of an earlier run, which need not be asked again."""

import platform
import sqlite3
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from rankle.core.canonical import Json, fingerprint
from rankle.core.product import NAME, VERSION
from rankle.harness.keeping import Plan

_SHAPE: Final = 1
"""Raised where outcomes are kept in another shape, so that those of before are no longer taken."""
_SEARCH: Final = ("core", "kb", "models", "systems")
_LIBRARIES: Final = ("numpy", "PyStemmer", "onnxruntime", "tokenizers")


def case_keys(plan: Plan) -> tuple[str, ...] | None:
    """The key of every case, in the order of the plan; None where nothing may be taken from an earlier run.

    That is so for a system whose fingerprint does not tell all that it answers by, and where searches are to
    be timed by themselves or beside each other: the times of before were taken otherwise.
    """
    asked, described = plan.settings, plan.description
    if not described.is_reusable or asked.one_by_one or asked.concurrency > 1:
        return None
    same: dict[str, Json] = {
        "system": described.fingerprint,
        "method": described.method,
        "level": plan.prepared.asked_level.value,
        "depth": asked.depth,
        "trial": 0,
        "shape": _SHAPE,
        "code": _code(),
    }
    return tuple(
        fingerprint({**same, "case": {"query": item.query, "collection": item.collection}})
        for item in plan.prepared.items
    )


@cache
def _code() -> str:
    """Changes with this version and its libraries, and where somebody works on the code that searches."""
    stats: list[Json] = [part for room in _SEARCH for part in _stats(files(f"{NAME}.{room}"))]
    libraries: list[Json] = [sqlite3.sqlite_version, platform.python_version(), *map(_installed, _LIBRARIES)]
    return fingerprint([VERSION, libraries, stats])


def _installed(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # costs 15 ms

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _stats(folder: Traversable) -> list[Json]:
    """Name, size and time of every file; nothing where the package is no folder: its version must do."""
    if not isinstance(folder, Path):
        return []
    found = sorted(path for path in folder.rglob("*.py"))
    return [
        [str(path.relative_to(folder)), (stat := path.stat()).st_size, stat.st_mtime_ns] for path in found
    ]
