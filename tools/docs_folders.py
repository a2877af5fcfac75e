"""What the folder holds in which a page is run, before its first step; `<!-- run in: NAME -->` names one."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

from tools.docs_models import models
from tools.docs_packages import packages
from tools.docs_readme import readme
from tools.docs_systems import systems

REPOSITORY: Final = Path(__file__).resolve().parent.parent
_N_QUERIES: Final = 12  # enough for every table, and quick
_EVALS: Final = '''\
"""Three evals for pages that are about evals of one's own."""

import rankle
from rankle.scorers import exact, levenshtein, recall

NOTES = {f"query {n}": [f"{n}.md", "other.md"] for n in range(8)}
ROWS = [{"input": query, "expected": found[:1]} for query, found in NOTES.items()]


@rankle.eval("Library search", data=ROWS, scorers=[recall(2)])
def library_search(input):
    return [] if input == "query 7" else NOTES[input]


@rankle.eval("Vector search", data=ROWS, scorers=[recall(5), exact()])
def vector_search(input):
    return NOTES[input]


@rankle.eval("Answers", data=[{"input": "yes", "expected": "yes!"}], scorers=[exact(), levenshtein()]).each(
    [{"name": "short", "input": ""}, {"name": "long", "input": "!"}]
)
def answers(input, variant):
    return input + variant
'''


_INTERRUPTED = """\
import rankle


def press_ctrl_c(n_done, n_all):
    if n_done == 5:
        raise KeyboardInterrupt


try:
    rankle.evaluate("set.jsonl", one_by_one=True, record=True, on_progress=press_ctrl_c)
except KeyboardInterrupt:
    print("interrupted")
"""


Meant = Mapping[str, str]
"""What stands on a page, such as the address of a server, to what stands for it while the page is run."""


def _clone(folder: Path) -> None:
    shutil.copytree(REPOSITORY / "examples", folder / "examples")


def _project(folder: Path) -> None:
    _clone(folder)
    (folder / "evals").mkdir()
    (folder / "evals" / "search_eval.py").write_text(_EVALS, encoding="utf-8")
    queries = (
        (REPOSITORY / "examples" / "handbook.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    )
    for name in ("set.jsonl", "queries.jsonl", "evals/queries.jsonl"):
        (folder / name).write_text("".join(queries[:_N_QUERIES]), encoding="utf-8")


def _records(folder: Path) -> None:
    _project(folder)
    (folder / "interrupted.py").write_text(_INTERRUPTED, encoding="utf-8")


def _filled(fill: Callable[[Path], None]) -> Callable[[Path], AbstractContextManager[Meant]]:
    """A folder that only needs to be filled."""

    @contextmanager
    def folder_of_page(folder: Path) -> Iterator[Meant]:
        fill(folder)
        yield {}

    return folder_of_page


FOLDERS: Final[Mapping[str, Callable[[Path], AbstractContextManager[Meant]]]] = {
    "empty": _filled(lambda folder: None),  # noqa: ARG005
    "clone": _filled(_clone),
    "project": _filled(_project),
    "models": models,
    "packages": packages,
    "readme": readme,
    "records": _filled(_records),
    "systems": systems,
}
"""`clone`: the `examples` of a clone. `project`: also evals, and the handbook's set under usual names.
`models`, `packages`, `readme`, `systems`: in files of their own."""
