"""Opens systems as the command line does, with an environment that a test writes down."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rankle.app.wiring.systems import open_systems
from rankle.core.ports import SearchSystem


@contextmanager
def opened(name: str, *, cwd: Path, environ: Mapping[str, str] | None = None) -> Iterator[SearchSystem]:
    """The system that a URI or a name of `[systems.NAME]` means in a folder."""
    with open_systems([name], environ=environ or {}, cwd=cwd) as (system,):
        yield system


def write_project(folder: Path, name: str, options: str) -> None:
    (folder / "rankle.toml").write_text(f"[systems.{name}]\n{options}\n", encoding="utf-8")
