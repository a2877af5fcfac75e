"""The pages of reference that are made of the code: docs/configuration.md and docs/schemas.md."""

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from rankle.app.project_keys import KEYS, VARIABLES, ProjectKey

_WRITTEN: Final = "Written by `tools/docs_check.py --write`."
_CONFIGURATION: Final = """\
The project file is the nearest `rankle.toml` upward from the current folder, or `pyproject.toml` with a table
`[tool.rankle]`; there, `[run]` is `[tool.rankle.run]`, and so on. An option of a command outranks the
environment, which outranks the file, which outranks the default. A key that does not exist is an error that
names the nearest one. `rankle init` writes a file with every key as a comment.
"""
_WHERE: Final = {
    "": "At the top",
    "gates": "`[gates]`, or `[[gates]]` for several",
    "gates.slices": "`[[gates.slices]]`",
}
"""How a table is written where it is not in plain brackets."""
SHOWN_BY: Final = {
    "agreement": "`rankle ratings agreement --json`",
    "baseline": "`rankle baseline set`, as a file to commit",
    "check": "`rankle eval check --json`",
    "compare": "`rankle compare --json`",
    "comparisons": "`rankle compare --json` of two runs of evals",
    "doctor": "`rankle doctor --json`",
    "evals": "`rankle run --output results.json`, `rankle show --json` of a run of evals",
    "explain": "`rankle explain --json`",
    "floor": "`rankle eval floor --json`",
    "gate": "`rankle gate --json`",
    "gates": "`rankle gate --json` of several gates",
    "history": "`rankle history --json`",
    "inspect": "`rankle inspect --json`",
    "pool": "`rankle eval pool --json`",
    "power": "`rankle power --json`",
    "rated_set": "`rankle eval generate-from-ratings --json`",
    "rating": "`rankle rate CHUNK --json`",
    "ratings": "`rankle ratings list --json`",
    "run": "`rankle eval --json`, `rankle score --json`, `rankle show --json`, and `--output` of each",
    "runs": "`rankle eval --json` and `rankle score --json` of several methods or runs",
    "search": "`rankle search --json`",
}
"""What prints, or writes, the JSON of each schema."""


def configuration_page() -> str:
    """Every key of a project file and every variable of the environment, from the table in `app`."""
    parts = [
        "# Configuration",
        "",
        f"All keys of a project file and all variables of the environment. {_WRITTEN}",
        "",
        *_CONFIGURATION.splitlines(),
        "",
    ]
    for table, keys in groupby(KEYS, key=lambda key: key.table):
        parts += [f"## {_WHERE.get(table, f'`[{table}]`')}", "", *_keys(keys), ""]
    parts += [
        "How gates judge, with all forms of their rules: [gates](gates.md). How evals are run:",
        "[evals](evals.md#how-it-is-run).",
        "",
        "## Environment",
        "",
        "| variable | default | meaning |",
        "|---|---|---|",
        *(_row(f"`{one.name}`", one.default, one.meaning) for one in VARIABLES),
        "",
    ]
    return "\n".join(parts)


def _keys(keys: Iterable[ProjectKey]) -> Iterator[str]:
    yield "| key | such as | default | meaning |"
    yield "|---|---|---|---|"
    for key in keys:
        yield _row(f"`{key.name}`", f"`{key.example}`", key.default, key.meaning)


def schemas() -> dict[str, dict[str, Any]]:
    """Every published schema by the stem of its file, such as `run-1`, in that order."""
    folder = files("rankle.reports") / "schemas"
    named = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda one: one.name
    )
    return {file.name.removesuffix(".json"): json.loads(file.read_text(encoding="utf-8")) for file in named}


def schemas_page() -> str:
    """Every published schema with its members; a part that an earlier schema has is named there."""
    parts = [
        "# JSON Schemas",
        "",
        "The JSON that rankle prints and saves: which command makes it, and what each member is. The schemas",
        "are in the package, in `rankle/reports/schemas/`; the member `schema` of a file names its own.",
        _WRITTEN,
        "",
    ]
    known: dict[str, str] = {}  # a part as JSON, and the title of the schema that told of it first
    for stem, schema in schemas().items():
        title = schema["title"]
        name = stem.rpartition("-")[0]
        parts += [f"## {title}", "", f"{SHOWN_BY.get(name, 'A command')}. File: `{stem}.json`.", ""]
        for part, definition in schema["$defs"].items():
            parts += _part(
                part, definition, first=known.setdefault(_text(part, definition), title), title=title
            )
    return "\n".join(parts)


def _text(part: str, definition: Mapping[str, Any]) -> str:
    return json.dumps([part, definition], sort_keys=True)


def _part(name: str, definition: Mapping[str, Any], *, first: str, title: str) -> Iterator[str]:
    if first != title:
        anchor = first.replace(".", "").replace("/", "")
        yield f"**{name}**: as in [{first}](#{anchor})."
        yield ""
        return
    said = definition.get("description", "").split("\n\n")[0].replace("\n", " ")
    yield f"**{name}**{': ' if said else ''}{said}"
    yield ""
    required = definition.get("required", ())
    yield "| member | type | is |"
    yield "|---|---|---|"
    for member, value in definition.get("properties", {}).items():
        missing = "" if member in required else " (may be missing)"
        meaning = value.get("description", "").replace("\n\n", " ").replace("\n", " ")
        yield _row(f"`{member}`", _type(value) + missing, meaning)
    yield ""


def _type(value: Mapping[str, Any]) -> str:
    """A type in words."""
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "enum" in value:
        return " or ".join(f"`{json.dumps(one)}`" for one in value["enum"])
    if "anyOf" in value:
        return " or ".join(_type(one) for one in value["anyOf"])
    kind = value.get("type", "anything")
    if kind == "array":
        return f"list of {_type(value.get('items') or {})}{_length(value)}"
    if kind == "object":
        inner = value.get("additionalProperties")
        return f"object of {_type(inner)}" if isinstance(inner, dict) else "object"
    return f"{kind}{_range(value)}"


def _length(value: Mapping[str, Any]) -> str:
    least, most = value.get("minItems"), value.get("maxItems")
    return f" (exactly {least})" if least is not None and least == most else ""


def _range(value: Mapping[str, Any]) -> str:
    least, above, most = value.get("minimum"), value.get("exclusiveMinimum"), value.get("maximum")
    if least is not None and most is not None:
        return f" ({least} to {most})"
    bounds = (
        f"{least} or more" if least is not None else "",
        f"above {above}" if above is not None else "",
        f"at most {most}" if most is not None else "",
    )
    said = ", ".join(bound for bound in bounds if bound)
    return f" ({said})" if said else ""


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
