"""JSON that a command prints, held against the JSON Schema that is published for it."""

import json
from importlib.resources import files
from typing import Any

import jsonschema


def valid_json(text: str) -> dict[str, Any]:
    """The value, which must be what the schema named in it says. Members that no schema knows are none of a
    command's own, so that one which is printed and not published is found."""
    value: dict[str, Any] = json.loads(text)
    name = value["schema"].removeprefix("rankle.").replace("/", "-")
    published = files("rankle.reports").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema = json.loads(published)
    for definition in schema["$defs"].values():
        if "properties" in definition:
            definition["additionalProperties"] = False
    jsonschema.validate(value, schema)
    return value
