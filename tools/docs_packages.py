"""The folder of docs/systems-of-packages.md: documents, a set, and a place to install the package to."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_INSTALLED: Final = "installed"
_PIP: Final = (
    f"python -m pip install --quiet --disable-pip-version-check --no-deps --no-index --no-build-isolation "
    f"--target {_INSTALLED} ."
)
"""With no index: what it takes to build is among what is installed for tests."""
_DOCUMENTS: Final = {
    "guide/filter.md": "# Filter\n\nChange the filter of the pump each year.\n",
    "guide/pump.md": "# Pump\n\nThe pump is loud when the pump is dry.\n",
    "errors.md": "# Errors\n\nE42: charge the battery, or get a new battery.\n",
    "changes.txt": "1.1: it is easier to change the battery; the battery lasts longer, and the filter too\n",
}
_RELEVANT: Final = {
    "battery": ["errors.md"],
    "change the battery": ["errors.md"],
    "change the filter": ["guide/filter.md"],
    "loud pump": ["guide/pump.md"],
}


@contextmanager
def packages(folder: Path) -> Iterator[Mapping[str, str]]:
    """What is installed is found while this lasts, and not by the tests that follow."""
    for name, text in _DOCUMENTS.items():
        (folder / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    lines = [json.dumps({"query": query, "relevant": names}) + "\n" for query, names in _RELEVANT.items()]
    (folder / "set.jsonl").write_text("".join(lines), encoding="utf-8")
    installed = str(folder / _INSTALLED)
    sys.path.insert(0, installed)
    try:
        yield {"pip install .": _PIP}
    finally:
        sys.path.remove(installed)
