"""The texts that `rankle init` writes: the templates in `starter`, and what is known of the project."""

import json
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Final

from rankle.app.project_keys import GATES, KEYS, RUN, SLICES, SYSTEMS, TOP, ProjectKey
from rankle.app.wiring.project import PROJECT_FILE

WORKFLOW: Final = ".github/workflows/rankle.yml"
"""Of the first project of a repository."""
_NOTE: Final = "what they ask about"
_WIDTH: Final = 100
_WORKING_IN: Final = re.compile(
    r'^ *working-directory: *(?P<folder>"(?:[^"\\]|\\.)*"|[^"\n#]+)', re.MULTILINE
)
_IN_USE: Final = ("set", "floors")
"""Keys of a gate that the template sets itself."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the project."""

    workspace: str
    below: str = ""
    """The folder, relative to that of the repository; empty where they are one."""
    system: str | None = None
    """URI of a search of their own, which is measured in place of a workspace."""
    documents: str | None = None
    """Folder of documents that was found, as the folder sees it."""
    workflow: str = WORKFLOW
    """Where the workflow goes, relative to the repository."""


@dataclass(frozen=True, slots=True)
class StarterFile:
    """One file, before it is written."""

    name: str
    """Relative to the folder, with `/`; of the workflow relative to the repository's."""
    text: str
    purpose: str
    """What it is, in a few words."""


def starter_files(known: Known) -> tuple[StarterFile, ...]:
    """All of them, in the order in which somebody should read them."""
    example = _folder() / "example.jsonl"
    notes = sorted((_folder() / "example").iterdir(), key=lambda note: note.name)
    questions = _text(example)
    return (
        StarterFile(PROJECT_FILE, _project_file(known), "all settings, and gates"),
        StarterFile("evals/example_eval.py", _rendered("example_eval.py"), "an eval, as code"),
        StarterFile(
            "evals/example.jsonl", questions, f"{len(questions.splitlines())} questions with their answers"
        ),
        *(StarterFile(f"evals/example/{note.name}", _text(note), _NOTE) for note in notes),
        StarterFile(known.workflow, _workflow(known), "both in CI, on GitHub"),
    )


def workflow_name(below: str, *, first: str | None, folder: str) -> str:
    """Where the workflow of a project goes, so that several of one repository each have theirs.

    below: the project's folder, relative to the repository; empty where they are one.
    first: what the usual file holds; None where it is not there. One that names no folder to work in is that
    of a project at the top, whoever wrote it.
    """
    if first is None:
        return WORKFLOW
    if _works_in(first) == below:
        return WORKFLOW
    own = re.sub(r"[^\w.-]+", "-", below or folder).strip("-.") or "top"
    return WORKFLOW.replace(".yml", f"-{own}.yml")


def _works_in(workflow: str) -> str:
    """The folder that a workflow names, relative to the repository; empty where it names none."""
    named = _WORKING_IN.search(workflow)
    if named is None:
        return ""
    text = named["folder"].strip()
    return (json.loads(text) if text.startswith('"') else text.strip("'")).strip("/")


def _project_file(known: Known) -> str:
    lines = {key: f"#{key.name} = {key.example}" for key in KEYS}
    lines[TOP[0]] = f'{TOP[0].name} = "{known.workspace}"'
    if known.system:
        lines[SYSTEMS[0]] = f"{SYSTEMS[0].name} = {json.dumps(known.system, ensure_ascii=False)}"
    words = {key: _comment(f"{key.meaning}. Default: {key.default}.") for key in KEYS}
    tables = {"top": TOP, "run": RUN, "gates": _other(GATES), "slices": SLICES, "systems": _of_kind(known)}
    return _rendered("rankle.toml", **tables, system=known.system, lines=lines, words=words)


def _comment(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _other(keys: Sequence[ProjectKey]) -> list[ProjectKey]:
    """Without those that the template writes itself, and slices, which have a table."""
    return [key for key in keys if key.name not in (*_IN_USE, "slices")]


def _of_kind(known: Known) -> list[ProjectKey]:
    """The settings of a search; those that its kind takes, where that is known."""
    from rankle.systems.command_system import CommandOptions
    from rankle.systems.http_options import HttpOptions
    from rankle.systems.python_callable import PythonOptions
    from rankle.systems.recorded_run import RunOptions

    kind = "" if known.system is None else known.system.partition(":")[0]
    taken = {
        "http": HttpOptions.__struct_fields__,
        "https": HttpOptions.__struct_fields__,
        "python": PythonOptions.__struct_fields__,
        "command": CommandOptions.__struct_fields__,
        "run": RunOptions.__struct_fields__,
        "kb": (),  # whose settings stand in its URI
    }
    return [key for key in SYSTEMS if kind not in taken or key.name in ("uri", *taken[kind])]


def _workflow(known: Known) -> str:
    prefix = f"{PurePosixPath(known.below)}/" if known.below else ""
    return _rendered(
        "workflow.yml",
        below=known.below,
        prefix=prefix,
        documents=known.documents,
        system=known.system,
        is_http=(known.system or "").startswith(("http:", "https:")),
        indexed=_indexed(known),
    )


def _indexed(known: Known) -> str | None:
    """The workspace that CI must index, since it begins with none; None where the search is another."""
    if known.system is None:
        return known.workspace
    scheme, _, rest = known.system.partition(":")
    return (rest.partition("?")[0] or known.workspace) if scheme == "kb" else None


def _rendered(name: str, **context: object) -> str:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - settings and code, no page
    )
    return environment.from_string(_text(_folder() / f"{name}.jinja")).render(**context)


def _folder() -> Traversable:
    return files("rankle.app") / "starter"


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
