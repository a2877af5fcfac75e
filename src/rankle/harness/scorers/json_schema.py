"""Whether an output is as a JSON Schema says."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError
from rankle.harness.evals.outputs import as_json
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import make_scorer, shown
from rankle.harness.scorers.selecting import Select, Selector

_MOST: Final = 20
"""Errors that are told; all are counted up to a thousand."""
_COUNTED: Final = 1000
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class _JsonSchema:
    fingerprint: str
    """Of the schema."""
    parse: bool
    output: Selector
    validator: Any = field(repr=False, compare=False)

    def __call__(self, context: ScoreContext) -> Score:
        value = self.output(context.output)
        if self.parse and isinstance(value, str):
            try:
                value = json.loads(value, parse_constant=_no_constant)
            except ValueError as error:
                return _said([f"$: no JSON: {error}"])
            except RecursionError:
                return _said(["$: nested too deeply"])
        return _said(self._faults(as_json(value)))

    def _faults(self, value: Any) -> list[str]:
        from referencing.exceptions import Unresolvable

        try:
            found = islice(self.validator.iter_errors(value), _COUNTED)
            ordered = sorted(found, key=lambda error: list(map(str, error.absolute_path)))
        except Unresolvable as error:
            raise InputError(f"the schema of json_schema refers to what is not in it: {error}") from error
        return [f"{error.json_path}: {error.message[:_LONGEST]}" for error in ordered]


def json_schema(
    schema: Mapping[str, Any] | bool,
    *,
    parse: bool = True,
    output: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """1 where the output is valid by a JSON Schema, of the draft that its `$schema` names, else 2020-12.

    parse: text is read as JSON first; what cannot be read is not valid. False takes text as a value.
    References lead into the schema itself or to the drafts; nothing is fetched. `format` is not checked.
    Raises InputError on a schema that is none.
    """
    from jsonschema import SchemaError
    from jsonschema.validators import Draft202012Validator, validator_for
    from jsonschema_specifications import REGISTRY

    if not isinstance(schema, Mapping | bool):
        raise InputError(
            f"json_schema needs a schema, a mapping such as {{'type': 'object'}}; got {shown(schema)}"
        )
    plain = as_json(schema)
    kind = validator_for(plain, default=Draft202012Validator)
    try:
        kind.check_schema(plain)
    except SchemaError as error:
        raise InputError(f"no JSON Schema: {error.json_path}: {error.message[:_LONGEST]}") from None
    title = plain.get("title") if isinstance(plain, dict) else None
    return make_scorer(
        _JsonSchema(fingerprint(plain), parse, Selector(output, "output"), kind(plain, registry=REGISTRY)),
        default_name="json_schema",
        description="Whether the output is valid by " + (f'the schema "{title}"' if title else "its schema"),
        name=name,
        weight=weight,
    )


def _said(faults: list[str]) -> Score:
    errors = faults[:_MOST]
    if len(faults) > _MOST:
        errors.append(f"… and {len(faults) - _MOST} more")
    return Score(not faults, {"valid": not faults, "errors": errors})


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not in JSON")
