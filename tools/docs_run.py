"""Runs what pages show, in a scratch folder, and compares what is printed with what the page says.

    python tools/docs_run.py docs/tutorial.md            # what differs; no page stands for all that are run
    python tools/docs_run.py docs/tutorial.md --write    # and put what was printed in its place

A page that is run has the line `<!-- run in: NAME -->`, where NAME is one of `FOLDERS` in
tools/docs_folders.py. In order,

- a block with `title="NAME"` is written to that file
- a `console` block is run: each line that begins with `$ ` is a command, and below it stands what it prints.
  A command must end with 0, unless `$ echo $?` stands behind it
- an `sh` block is run, each line; what it prints stands in tests/docs/printed/PAGE.txt
  (tools/docs_printed.py). Of a `yaml` block the steps `- run: rankle …` of a job are run so
- a `python` block is run, and prints what the comments behind its `print(...)` say
- `<!-- run: COMMAND -->` is run, and neither shown nor compared

`<!-- keys: 301 -->` above a block says which keys are pressed while its first command asks on a terminal, and
`<!-- keys: "a line" 3 "" -->`, which lines are typed, the last of which is empty;
`<!-- meanwhile: COMMAND -->`, what is run once its first command, a watch on a terminal, has shown all;
`<!-- not run: REASON -->`, that it is not run.

A line of three dots stands for any lines. Times, ids of runs, dates and the folder's path are not compared.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))  # as a script too
from tools.docs_blocks import folder_of  # noqa: E402
from tools.docs_printed import ANYTHING, kept_of, orphans, renew, stale  # noqa: E402
from tools.docs_session import Result, isolate, play, run_page  # noqa: E402


def rewritten(text: str, result: Result) -> str:
    """A page with what was printed; a block that is shown in part is left for people."""
    lines = text.splitlines()
    for command, got in reversed(result.differences):
        if command.text.startswith("(") or any(line in ANYTHING for line in command.said):
            continue
        lines[command.line : command.line + len(command.said)] = got
    return "\n".join(lines) + "\n"


def _run_alone(page: Path) -> Result:
    """Run a page in a new folder, and in an environment of its own."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as scratch:
        isolate(os.environ, Path(scratch) / "home")
        folder = Path(scratch).resolve() / "project"
        folder.mkdir()
        try:
            return run_page(page.read_text(encoding="utf-8"), folder, play=play)
        finally:
            os.environ.clear()
            os.environ.update(before)


def _report(page: Path, result: Result) -> bool:
    """Say what differs. Returns whether anything does."""
    for command, got in result.differences:
        print(f"{page.relative_to(REPOSITORY)}:{command.line}: $ {command.text}", *got, sep="\n")
    difference = stale(page, result.printed)
    if difference:
        print(difference)
    return bool(result.differences or difference)


def _write(page: Path, result: Result) -> None:
    """Put what was printed into the page, and beside the tests."""
    text = page.read_text(encoding="utf-8")
    page.write_text(rewritten(text, result), encoding="utf-8")
    for command in renew(page, result.printed):
        print(
            f"{kept_of(page).name}: look at `{command}`: what the three dots left out is there now",
            file=sys.stderr,
        )


def pages_to_run() -> list[Path]:
    """All pages of which something is run."""
    found = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    return sorted(page for page in found if folder_of(page.read_text(encoding="utf-8")))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", type=Path, nargs="*", help="without one, all pages that are run")
    parser.add_argument("--write", action="store_true", help="put what was printed into the page")
    options = parser.parse_args()
    chosen: list[Path] = [page.absolute() for page in options.page]
    for page in chosen:
        if folder_of(page.read_text(encoding="utf-8")) is None:
            parser.error(f"{page.name} is not run: it has no line <!-- run in: NAME -->")
    n_different = 0
    for page in chosen or pages_to_run():
        name = page.relative_to(REPOSITORY)
        try:
            result = _run_alone(page)
        except AssertionError as error:  # a command that does not end as the page says
            print(f"{name}, {error}")
            n_different += 1
            continue
        n_different += _report(page, result)
        if options.write:
            _write(page, result)
        print(f"{name}: {result.n_run} run", file=sys.stderr)
    if options.write and not chosen:
        for path in orphans(pages_to_run()):
            path.unlink()
    print(f"{n_different} pages printed something else", file=sys.stderr)
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
