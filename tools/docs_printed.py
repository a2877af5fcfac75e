"""What commands print, in a form that is the same each time, and where it is kept if no page shows it.

What the commands of `sh` blocks print is kept in tests/docs/printed/PAGE.txt: each command behind `$ `, and
below it what it printed. `tools/docs_run.py PAGE --write` writes the file, and the test of the page compares
it. Where something differs from one machine to another, put a line of three dots in its place by hand: it
stands for any lines, and is kept as long as the rest fits.

Times, rates, ids of runs, dates and paths are not compared. A paragraph that holds a time or the address of a
server is compared without its line breaks, since the width of these decides where they are; leave an empty
line between it and three dots.
"""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent
PRINTED: Final = REPOSITORY / "tests" / "docs" / "printed"
ANYTHING: Final = ("…", "...")
_TIME: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?= (?:ms|s|documents/s)\b|/s\b)|\d+\.\d\d(?=s\b)")
"""Also as pytest says it: `0.52s`."""
_WIDE: Final = (
    _TIME,
    re.compile(r"(?<![\w-])[0-9a-f]{8}(?:[0-9a-f]{4})?\b"),
    re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?Z?)?"),
    re.compile(r"^\d\d:\d\d:\d\d(?= )"),
)
"""What is written as `_`, as wide as it was."""
_ALIKE: Final = (
    (re.compile(r"_+"), "_"),
    (re.compile(r"_ ?(?:ms|s)\b"), "_ s"),
    (re.compile(r"─+"), "─"),
    (re.compile(r"\s+"), " "),
)
_VARIES: Final = re.compile(r"_ s\b|_/s\b|_ documents/s|//localhost\b")
"""What is wider or narrower another time."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A command with all that it printed."""

    command: str
    lines: tuple[str, ...]


def masked(line: str, folder: Path) -> str:
    """What was printed, to be kept: as wide as it was, with `_` for what is of the moment."""
    line = line.replace(f"{folder}/", "").replace(str(folder), ".")
    for pattern in _WIDE:
        line = pattern.sub(lambda found: "_" * len(found[0]), line)
    return line.rstrip()


def comparable(line: str) -> str:
    """A masked line without what depends on widths."""
    for pattern, instead in _ALIKE:
        line = pattern.sub(instead, line)
    return line.strip()


def fits(said: Sequence[str], got: Sequence[str]) -> bool:
    """Whether lines are those that are shown, where a line of three dots stands for any number of them."""
    first, *parts = _between_dots(said)
    if tuple(got[: len(first)]) != first:
        return False
    if not parts:
        return len(got) == len(first)
    place, last = len(first), parts.pop()
    for part in parts:
        found = (at for at in range(place, len(got) + 1) if tuple(got[at : at + len(part)]) == part)
        if (at := next(found, None)) is None:
            return False
        place = at + len(part)
    end = len(got) - len(last)
    return end >= place and tuple(got[end:]) == last


def _between_dots(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The lines before the first three dots, those up to the next, and so on to the end."""
    lines: list[str] = []
    for line in said:
        if line in ANYTHING:
            yield tuple(lines)
            lines = []
        else:
            lines.append(line)
    yield tuple(lines)


def agrees(said: Sequence[str], got: Sequence[str]) -> bool:
    """Whether masked lines are those that are shown, but for what depends on widths.

    Line by line; or with each paragraph that may break elsewhere as one line, and then without dots in it.
    """
    by_line = fits([comparable(line) for line in said], [comparable(line) for line in got])
    return by_line or fits(_unbroken(said), _unbroken(got))


def _unbroken(lines: Sequence[str]) -> list[str]:
    """Comparable lines, where a paragraph with a time or an address in it is one."""
    found: list[str] = []
    for is_text, group in groupby(
        lines, key=lambda line: bool(line.strip()) and line.strip() not in ANYTHING
    ):
        part = [comparable(line) for line in group]
        varies = is_text and any(_VARIES.search(line) for line in part)
        found += [" ".join(part)] if varies else part
    return found


def kept_of(page: Path) -> Path:
    """The file of a page: docs/gates.md has gates.txt."""
    parts = page.relative_to(REPOSITORY).with_suffix(".txt").parts
    return PRINTED / "-".join(part for part in parts if part != "docs")


def written(printed: Iterable[Printed], *, name: str, before: str) -> str:
    """What the file of a page must hold: empty where nothing is kept of the page, so that there is no file.

    name: of the page. before: what the file holds; what still fits stays as it is there, with its dots.
    """
    earlier: dict[str, list[tuple[str, ...]]] = {}
    for one in _read(before):
        earlier.setdefault(one.command, []).append(one.lines)
    parts = []
    for one in printed:
        lines = one.lines
        if said := earlier.get(one.command):
            lines = kept if agrees(kept := said.pop(0), lines) else lines
        # So that it is not taken for a command; white space is not compared.
        shown = (f" {line}" if line.startswith("$ ") else line for line in lines)
        parts.append("".join(f"{line}\n" for line in (f"$ {one.command}", *shown)))
    head = f"What commands of {name} print. To renew it: python tools/docs_run.py {name} --write\n"
    return "\n".join([head, *parts]) if parts else ""


def _read(text: str) -> Iterator[Printed]:
    """What the file of a page holds."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *lines = part.rstrip().splitlines()
        yield Printed(command, tuple(lines))


def stale(page: Path, printed: Iterable[Printed]) -> str:
    """What differs in the file of a page, and how to renew it; empty where nothing does."""
    before, now, name = _before_and_now(page, printed)
    if before == now:
        return ""
    kept = kept_of(page).relative_to(REPOSITORY).as_posix()
    lines = difflib.unified_diff(before.splitlines(), now.splitlines(), kept, "printed now", lineterm="", n=2)
    return "\n".join([*lines, "", f"If that is meant: python tools/docs_run.py {name} --write"])


def renew(page: Path, printed: Iterable[Printed]) -> list[str]:
    """Write the file of a page, or remove it. Returns commands whose dots went, as the rest did not fit."""
    before, now, _ = _before_and_now(page, printed)
    path = kept_of(page)
    if now:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(now, encoding="utf-8")
    else:
        path.unlink(missing_ok=True)
    return sorted((Counter(_dotted(before)) - Counter(_dotted(now))).elements())


def _before_and_now(page: Path, printed: Iterable[Printed]) -> tuple[str, str, str]:
    """What the file of a page holds, what it must hold, and the name of the page."""
    path, name = kept_of(page), page.relative_to(REPOSITORY).as_posix()
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    return before, written(printed, name=name, before=before), name


def _dotted(text: str) -> Iterator[str]:
    """Commands of a file that are shown in part."""
    for one in _read(text):
        if any(line.strip() in ANYTHING for line in one.lines):
            yield one.command


def orphans(pages: Iterable[Path]) -> list[Path]:
    """Files that are of none of these pages."""
    return sorted(set(PRINTED.glob("*")) - {kept_of(page) for page in pages})
