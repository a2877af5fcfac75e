"""The published JSON Schemas of records, made from the types that write them."""

import ast
import inspect
import json
from pathlib import Path
from typing import Any, Final

import msgspec

from rankle.core import evals, floor, gate, health, history, inspection, label_check, run, trials
from rankle.reports import (
    comparison,
    comparisons,
    explain_json,
    judging_json,
    power,
    rating_json,
    search_json,
)

SCHEMAS: Final = {
    "run-1": run.RunReport,
    "runs-1": run.RunsReport,
    "evals-1": evals.EvalsReport,
    "inspect-1": inspection.InspectReport,
    "check-1": label_check.CheckReport,
    "history-1": history.HistoryRecord,
    "gate-1": gate.GateReport,
    "gates-1": gate.GatesReport,
    "baseline-1": gate.Baseline,
    "search-1": search_json.SearchRecord,
    "explain-1": explain_json.ExplainRecord,
    "compare-1": comparison.Comparison,
    "comparisons-1": comparisons.Comparisons,
    "power-1": power.PowerReport,
    "floor-1": floor.FloorReport,
    "rating-1": rating_json.RatingReport,
    "ratings-1": rating_json.RatingsReport,
    "rated_set-1": rating_json.RatedSetReport,
    "pool-1": judging_json.PoolReport,
    "agreement-1": judging_json.AgreementReport,
    "doctor-1": health.DoctorReport,
}
"""File name of each schema, without `.json`, and the type that it is made from."""
_TAG: Final = "schema"
_TAG_NOTE: Final = "What this is, and the version of its form."
_MODULES: Final = (
    run, trials, evals, floor, gate, health, history, inspection, label_check,
    search_json, explain_json, comparison, comparisons, power, rating_json, judging_json,
)  # fmt: skip
"""Where these types are written, with words under their fields."""


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema of one of SCHEMAS; each member carries the words that stand under its field.

    Members that the schema does not name may stand beside those that it does.
    """
    schema = msgspec.json.schema(SCHEMAS[name])
    for type_name, notes in _field_notes().items():
        members = schema["$defs"].get(type_name, {}).get("properties", {})
        for member, note in notes.items():
            if member in members:
                members[member] = {"description": note, **members[member]}
    for definition in schema["$defs"].values():
        tag = definition.get("properties", {}).get(_TAG)
        if tag is not None:
            definition["properties"][_TAG] = {"description": _TAG_NOTE, **tag}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"rankle.{name.replace('-', '/')}",
        **schema,
    }


def write_schemas(folder: Path) -> None:
    """Write every schema as the file that the package carries; for us, after a change of the types."""
    for name in SCHEMAS:
        text = json.dumps(schema_of(name), indent=2, ensure_ascii=False) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def _field_notes() -> dict[str, dict[str, str]]:
    """Type to field to the string that stands under the field, which Python itself does not keep."""
    notes: dict[str, dict[str, str]] = {}
    for module in _MODULES:
        for statement in ast.parse(inspect.getsource(module)).body:
            if isinstance(statement, ast.ClassDef):
                bases = [base.id for base in statement.bases if isinstance(base, ast.Name)]
                inherited = {key: note for base in bases for key, note in notes.get(base, {}).items()}
                notes[statement.name] = inherited | dict(_notes_of(statement))
    return notes


def _notes_of(definition: ast.ClassDef) -> list[tuple[str, str]]:
    pairs = zip(definition.body, definition.body[1:], strict=False)
    return [
        (field.target.id, inspect.cleandoc(below.value.value).replace("\n", " "))
        for field, below in pairs
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    ]
