import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError

SCHEMA = {
    "title": "answer",
    "type": "object",
    "required": ["city"],
    "properties": {
        "city": {"type": "string"},
        "items": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}},
    },
}


@dataclass
class Answer:
    city: Any


@pytest.mark.parametrize(
    ("output", "errors"),
    [
        ({"city": "Paris"}, []),
        ('{"city": "Paris"}', []),
        (Answer("Paris"), []),
        ({"city": "Paris", "items": ({"price": 1},)}, []),
        ({}, ["$: 'city' is a required property"]),
        (Answer(3), ["$.city: 3 is not of type 'string'"]),
        (
            {"city": 3, "items": [{"price": 1}, {"price": "x"}]},
            ["$.city: 3 is not of type 'string'", "$.items[1].price: 'x' is not of type 'number'"],
        ),
        ("Paris", ["$: no JSON: Expecting value: line 1 column 1 (char 0)"]),
        ('{"city": NaN}', ["$: no JSON: NaN is not in JSON"]),
        ("[" * 100_000, ["$: nested too deeply"]),
        (None, ["$: None is not of type 'object'"]),
    ],
    ids=lambda value: None if isinstance(value, list) else "",
)
def test_errors_say_where_they_are(output: Any, errors: list[str]) -> None:
    score = said(scorers.json_schema(SCHEMA), output=output)
    assert (score.value, score.metadata) == (not errors, {"valid": not errors, "errors": errors})


def test_text_is_a_value_where_it_is_not_parsed() -> None:
    schema = {"type": "string", "maxLength": 5}
    assert said(scorers.json_schema(schema, parse=False), output="Paris").value is True
    assert said(scorers.json_schema(schema), output="Paris").value is False


def test_the_draft_that_the_schema_names_decides() -> None:
    """`prefixItems` is of 2020-12; draft 7 does not know it."""
    schema = {"prefixItems": [{"type": "string"}]}
    assert said(scorers.json_schema(schema), output=[1]).value is False
    older = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    assert said(scorers.json_schema(older), output=[1]).value is True


def test_references_lead_to_the_schema_itself_and_to_the_drafts() -> None:
    own = {"$defs": {"name": {"type": "string"}}, "$ref": "#/$defs/name"}
    assert said(scorers.json_schema(own, parse=False), output="x").value is True
    draft = {"$ref": "https://json-schema.org/draft/2020-12/schema"}
    assert said(scorers.json_schema(draft), output={"type": "object"}).value is True
    assert said(scorers.json_schema(draft), output={"type": "no such"}).value is False


def test_nothing_is_fetched() -> None:
    with pytest.raises(InputError, match="refers to what is not in it"):
        said(scorers.json_schema({"$ref": "http://127.0.0.1:9/schema.json"}), output={})


def test_long_lists_of_errors_and_long_errors_are_cut() -> None:
    schema = {"items": {"type": "string"}}
    errors = said(scorers.json_schema(schema), output=list(range(50))).metadata["errors"]
    assert (len(errors), errors[-1]) == (21, "… and 30 more")
    (error,) = said(scorers.json_schema({"type": "string"}), output=["x" * 10_000]).metadata["errors"]
    assert len(error) < 400


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "objct"}, r"no JSON Schema: \$\.type: 'objct' is not valid"),
        ("schema.json", "needs a schema, a mapping"),
    ],
)
def test_what_is_no_schema_is_refused_when_it_is_written(schema: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        scorers.json_schema(schema)


def test_its_repr_changes_with_the_schema() -> None:
    assert repr(scorers.json_schema(SCHEMA)) == repr(scorers.json_schema(json.loads(json.dumps(SCHEMA))))
    assert repr(scorers.json_schema(SCHEMA)) != repr(scorers.json_schema({**SCHEMA, "type": "array"}))
    assert scorers.json_schema(SCHEMA).description == 'Whether the output is valid by the schema "answer"'


def test_jsonschema_is_imported_by_those_who_need_it() -> None:
    program = "import sys, rankle.harness.scorers.json_schema; print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
