"""What evals are called across files: their keys."""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rankle.harness.evals.suite import Suite
from rankle.harness.evals.variant import Variant


def eval_key(suite: Suite, variant: Variant | None = None, *, root: Path) -> str:
    """`path::name`, with `[variant]` behind it; only the name where the eval was made in no file.

    root: the absolute folder that the path is relative to, with forward slashes.
    """
    file = shown_file(suite, root=root)
    lead = f"{file}::" if file is not None else ""
    return f"{lead}{suite.name}" + (f"[{variant.name}]" if variant is not None else "")


def shown_file(suite: Suite, *, root: Path) -> str | None:
    """The file of an eval, relative to a folder; None where it was made in none."""
    return None if suite.place is None else relative_file(suite.place.file, root=root)


def relative_file(file: str | Path, *, root: Path) -> str:
    """A file as keys name it; with `..` where it is not below the root."""
    return Path(os.path.relpath(file, root)).as_posix()


@dataclass(frozen=True, slots=True)
class Repeated:
    """An eval whose name another of its file has."""

    mark: str
    """What tells it apart, behind its key."""
    words: str


def repeated_names(suites: Sequence[Suite], *, root: Path) -> dict[int, Repeated]:
    """Evals of one file that have one name, by their `id()`; empty where there are none."""
    by_key: defaultdict[str, dict[int, Suite]] = defaultdict(dict)
    for suite in suites:
        by_key[eval_key(suite, root=root)][id(suite)] = suite
    wrong: dict[int, Repeated] = {}
    for group in by_key.values():
        if len(group) < 2:
            continue
        lines = [f"{shown_file(one, root=root)}:{one.place.line}" for one in group.values() if one.place]
        name = next(iter(group.values())).name
        words = f'{len(group)} evals are called "{name}": {", ".join(lines)}; give each its own name'
        wrong |= {place: Repeated(f"#{number}", words) for number, place in enumerate(group, start=1)}
    return wrong
